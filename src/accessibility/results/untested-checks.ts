/** Descriptions of checks that could not run on a scanned page. They are stored in the journal; `parseUntestedCheck` reads them. */
export const describeFailedAudit = (audit: string, viewport: string, why: string) =>
  `${audit} failed (${viewport}): ${why}`;
export const describeUntestedViewport = (viewport: string, why: string) => `not tested in ${viewport}: ${why}`;
export const describeExcludedRule = (rule: string, viewport: string) =>
  `axe ran without ${rule} (${viewport}): the full run exceeded the time limit`;

export const describeUntestedFrame = (viewport: string) =>
  `axe could not test a frame (${viewport}): it is sandboxed or did not respond`;

export interface UntestedCheck {
  /** Name of the audit; undefined for all audits. */
  audit?: string;
  /** Id of the rule; undefined for all rules of the audit. */
  rule?: string;
}

/**
 * Reads from a description which audit or rule has no result. Undefined when all audits ran and something else is incomplete: a
 * missing image, too many links, a frame of another site.
 */
export function parseUntestedCheck(what: string): UntestedCheck | undefined {
  if (what.startsWith('not tested in ')) return {};
  const audit = /^(\w+) failed \(/.exec(what)?.[1];
  if (audit !== undefined) return { audit };
  const rule = /^axe ran without ([\w-]+)/.exec(what)?.[1];
  if (rule !== undefined) return { audit: 'axe_core_audit', rule };
  return /\bHTML\b.*\bvalidated?\b/.test(what) ? { audit: 'html_validation' } : undefined;
}

/** Pages on which a check did not run. */
export interface UntestedPages {
  readonly pages: number;
  add(url: string, untested: UntestedCheck): void;
  /** Whether the rule was not tested on the page, so that its issues may still exist. */
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
