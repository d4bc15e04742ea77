import { basename } from 'node:path';
import type { Finding } from '../results/finding.ts';
import { createIdentifier, type Identity } from '../results/fingerprint.ts';
import { walkResults } from '../results/walk.ts';
import { inReport } from './in-report.ts';
import { bounds, type Changes, cut, type FixedFault } from './model.ts';

interface EarlierFault extends FixedFault {
  auditType: string;
  /** A few of the pages it was on. */
  urls: string[];
  seen: boolean;
}

export interface Comparison {
  /** Tells whether the previous scan knew this fault. Each fault is asked about once. */
  knew(fingerprint: string): boolean;
  changes(covered: { pages: ReadonlySet<string>; audits: ReadonlySet<string> }, fresh: number): Changes;
}

const urlsKept = 3;

/** Reads the previous scan of a site, to say what is new, what persists and what is fixed since. */
export async function compareWith(dir: string, signal?: AbortSignal): Promise<Comparison> {
  const identify = createIdentifier();
  const earlier = new Map<string, EarlierFault>();
  await walkResults(dir, {
    signal,
    wanted: (_stem, fileClass) => fileClass === 'finding',
    row(found) {
      const row = inReport(found);
      if (row.weight > 0) note(earlier, row, identify(row));
    },
  });
  return {
    knew(fingerprint) {
      const fault = earlier.get(fingerprint);
      if (fault) fault.seen = true;
      return fault !== undefined;
    },
    changes({ pages, audits }, fresh) {
      const gone = [...earlier.values()].filter((fault) => !fault.seen);
      const fixed = gone.filter((fault) => audits.has(fault.auditType) && fault.urls.some((url) => pages.has(url)));
      fixed.sort((a, b) => compare(a.rule_id, b.rule_id) || compare(a.url, b.url) || compare(a.label, b.label));
      return {
        previous: basename(dir),
        new: fresh,
        persisting: earlier.size - gone.length,
        fixed: fixed.length,
        not_checked: gone.length - fixed.length,
        fixed_examples: fixed
          .slice(0, bounds.fixed)
          .map(({ fingerprint, rule_id, help, label, url }) => ({ fingerprint, rule_id, help, label, url })),
      };
    },
  };
}

function note(earlier: Map<string, EarlierFault>, row: Finding, { fingerprint, template }: Identity): void {
  const fault = earlier.get(fingerprint);
  if (fault) {
    if (fault.urls.length < urlsKept && !fault.urls.includes(row.url)) fault.urls.push(row.url);
    if (row.url < fault.url) fault.url = cut(row.url, bounds.url);
    return;
  }
  earlier.set(fingerprint, {
    fingerprint,
    rule_id: row.ruleId,
    auditType: row.auditType,
    help: cut(row.help || row.description, 200),
    label: template.label,
    url: cut(row.url, bounds.url),
    urls: [row.url],
    seen: false,
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
