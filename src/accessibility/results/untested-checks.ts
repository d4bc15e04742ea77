/** What could not be tested on a page that was scanned, in the words of the journal, which the reports read again. */
export const describeFailedAudit = (audit: string, viewport: string, why: string) =>
  `${audit} failed (${viewport}): ${why}`;
export const describeUntestedViewport = (viewport: string, why: string) => `not tested in ${viewport}: ${why}`;
export const describeExcludedRule = (rule: string, viewport: string) =>
  `axe ran without ${rule} (${viewport}): with it, it took too long`;

export const describeUntestedFrame = (viewport: string) =>
  `a frame could not be tested by axe (${viewport}): it is sandboxed or did not answer`;

export interface UntestedCheck {
  /** Undefined for all audits. */
  audit?: string;
  /** Undefined for all rules of the audit. */
  rule?: string;
}

/**
 * Which audit or rule has no result, by such words. Undefined where all audits had their turn and something else was left
 * out: a picture that never came, links that were too many, a frame of somebody else's.
 */
export function parseUntestedCheck(what: string): UntestedCheck | undefined {
  if (what.startsWith('not tested in ')) return {};
  const audit = /^(\w+) failed \(/.exec(what)?.[1];
  if (audit !== undefined) return { audit };
  const rule = /^axe ran without ([\w-]+)/.exec(what)?.[1];
  if (rule !== undefined) return { audit: 'axe_core_audit', rule };
  return /\bHTML\b.*\bvalidated?\b/.test(what) ? { audit: 'html_validation' } : undefined;
}

/** The pages on which something was not tested. */
export interface UntestedPages {
  readonly pages: number;
  add(url: string, untested: UntestedCheck): void;
  /** Whether nobody can know if a fault of this rule is still on the page. */
  has(url: string, audit: string, rule: string): boolean;
}

export function createUntestedPages(): UntestedPages {
  const byPage = new Map<string, UntestedCheck[]>();
  return {
    get pages() {
      return byPage.size;
    },
    add(url, untested) {
      byPage.set(url, [...(byPage.get(url) ?? []), untested]);
    },
    has(url, audit, rule) {
      return (byPage.get(url) ?? []).some(
        (each) => (each.audit === undefined || each.audit === audit) && (each.rule === undefined || each.rule === rule),
      );
    },
  };
}
