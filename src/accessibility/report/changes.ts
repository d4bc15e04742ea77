import { basename } from 'node:path';
import type { Finding } from '../results/finding.ts';
import { createIdentifier, type Identity } from '../results/fingerprint.ts';
import { isOneOf } from '../results/site.ts';
import type { UntestedPages } from '../results/untested.ts';
import { walkResults } from '../results/walk.ts';
import { inReport } from './in-report.ts';
import { bounds, type Changes, cut, type FixedFault } from './model.ts';
import { readObject } from './scan-facts.ts';

/** An earlier scan to compare with, and for which sites; all that it has unless they are named. */
export interface PreviousScan {
  dir: string;
  /** By their keys. */
  sites?: ReadonlySet<string>;
}

interface EarlierFault extends FixedFault {
  auditType: string;
  /** A few of the pages it was on. */
  urls: string[];
  seen: boolean;
}

export interface Comparison {
  /** Whether an earlier scan saw the site. Of one that is seen for the first time nothing is new, and nothing is old. */
  covers(baseUrl: string): boolean;
  /** Tells whether the previous scan knew this fault. Each fault is asked about once. */
  knew(fingerprint: string): boolean;
  changes(
    covered: { pages: ReadonlySet<string>; audits: ReadonlySet<string>; untested: UntestedPages },
    counts: { fresh: number; firstScanned: number },
  ): Changes;
}

const urlsKept = 3;

/** Reads the previous scans of the sites, to say what is new, what persists and what is fixed since. */
export async function compareWith(
  scans: readonly PreviousScan[],
  isShortened: boolean,
  signal?: AbortSignal,
): Promise<Comparison> {
  const identify = createIdentifier();
  const earlier = new Map<string, EarlierFault>();
  for (const { dir, sites } of scans) {
    const isMeant = isOneOf(sites, hasOnePageASite(await readObject(dir, 'config.json')));
    await walkResults(dir, {
      signal,
      wanted: (_stem, fileClass) => fileClass === 'finding',
      row(found) {
        const row = inReport(found);
        if (row.weight > 0 && isMeant(row.baseUrl)) note(earlier, row, identify(row));
      },
    });
  }
  const covering = scans.map(({ sites }) => isOneOf(sites, isShortened));
  return {
    covers: (baseUrl) => covering.some((covers) => covers(baseUrl)),
    knew(fingerprint) {
      const fault = earlier.get(fingerprint);
      if (fault) fault.seen = true;
      return fault !== undefined;
    },
    changes({ pages, audits, untested }, { fresh, firstScanned }) {
      const gone = [...earlier.values()].filter((fault) => !fault.seen);
      const isChecked = ({ auditType, rule_id }: EarlierFault, url: string) =>
        pages.has(url) && !untested.has(url, auditType, rule_id);
      const fixed = gone.filter(
        (fault) => audits.has(fault.auditType) && fault.urls.some((url) => isChecked(fault, url)),
      );
      fixed.sort((a, b) => compare(a.rule_id, b.rule_id) || compare(a.url, b.url) || compare(a.label, b.label));
      return {
        previous: namesOf(scans),
        first_scanned: firstScanned,
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

/** Then the base URLs in all tables but one are cut to their origins. */
export function hasOnePageASite(config: Readonly<Record<string, unknown>>): boolean {
  return config['max_links_per_domain'] === 1;
}

const namedScans = 3;

function namesOf(scans: readonly PreviousScan[]): string {
  const names = scans.slice(0, namedScans).map(({ dir }) => basename(dir));
  const more = scans.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
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
