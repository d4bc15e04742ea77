import { basename } from 'node:path';
import type { AuditFinding } from '../results/audit-finding.ts';
import { createFindingIdentifier, type FindingIdentity } from '../results/fingerprint.ts';
import { walkResults } from '../results/results-walk.ts';
import { createSiteFilter } from '../results/scanned-sites.ts';
import type { UntestedPages } from '../results/untested-checks.ts';
import { toReportFinding } from './report-finding.ts';
import { accessibilityReportLimits, type FixedIssue, type ScanChanges, truncateText } from './report-model.ts';
import { readJsonObjectFile } from './scan-details.ts';

/** An earlier scan to compare with, for some or all of its sites. */
export interface PreviousScan {
  dir: string;
  /** Keys of the sites; default: all sites of the scan. */
  sites?: ReadonlySet<string>;
}

interface EarlierIssue extends FixedIssue {
  auditType: string;
  /** Some of the pages with the issue. */
  urls: string[];
  isSeen: boolean;
}

export interface ScanComparison {
  /** Whether an earlier scan covers the site. Issues of a site without an earlier scan are neither new nor persisting. */
  covers(baseUrl: string): boolean;
  /** Whether an earlier scan has this issue. Marks the issue as persisting. */
  wasKnown(fingerprint: string): boolean;
  summarise(
    covered: { pages: ReadonlySet<string>; audits: ReadonlySet<string>; untested: UntestedPages },
    counts: { fresh: number; firstScanned: number },
  ): ScanChanges;
}

const MAX_URLS = 3;

/** Reads the previous scans of the sites, to find new, persisting and fixed issues. */
export async function compareWithScans(
  scans: readonly PreviousScan[],
  isShortened: boolean,
  signal?: AbortSignal,
): Promise<ScanComparison> {
  const identify = createFindingIdentifier();
  const earlier = new Map<string, EarlierIssue>();
  for (const { dir, sites } of scans) {
    const isComparedSite = createSiteFilter(sites, hasOnePagePerSite(await readJsonObjectFile(dir, 'config.json')));
    await walkResults(dir, {
      signal,
      includesFile: (_stem, fileClass) => fileClass === 'finding',
      onRow(found) {
        const row = toReportFinding(found);
        if (row.weight > 0 && isComparedSite(row.baseUrl)) recordIssue(earlier, row, identify(row));
      },
    });
  }
  const covering = scans.map(({ sites }) => createSiteFilter(sites, isShortened));
  return {
    covers: (baseUrl) => covering.some((covers) => covers(baseUrl)),
    wasKnown(fingerprint) {
      const earlierIssue = earlier.get(fingerprint);
      if (earlierIssue) earlierIssue.isSeen = true;
      return earlierIssue !== undefined;
    },
    summarise({ pages, audits, untested }, { fresh, firstScanned }) {
      const missingIssues = [...earlier.values()].filter((earlierIssue) => !earlierIssue.isSeen);
      const isChecked = ({ auditType, rule_id }: EarlierIssue, url: string) =>
        pages.has(url) && !untested.has(url, auditType, rule_id);
      const fixed = missingIssues.filter(
        (earlierIssue) =>
          audits.has(earlierIssue.auditType) && earlierIssue.urls.some((url) => isChecked(earlierIssue, url)),
      );
      fixed.sort(
        (a, b) => compareText(a.rule_id, b.rule_id) || compareText(a.url, b.url) || compareText(a.label, b.label),
      );
      return {
        previous: scanNames(scans),
        first_scanned: firstScanned,
        new: fresh,
        persisting: earlier.size - missingIssues.length,
        fixed: fixed.length,
        not_checked: missingIssues.length - fixed.length,
        fixed_examples: fixed
          .slice(0, accessibilityReportLimits.fixed)
          .map(({ fingerprint, rule_id, help, label, url }) => ({ fingerprint, rule_id, help, label, url })),
      };
    },
  };
}

/** With one page per site, base URLs are shortened to their origins in all tables except pages_scanned.csv. */
export function hasOnePagePerSite(config: Readonly<Record<string, unknown>>): boolean {
  return config['max_links_per_domain'] === 1;
}

const MAX_NAMED_SCANS = 3;

function scanNames(scans: readonly PreviousScan[]): string {
  const names = scans.slice(0, MAX_NAMED_SCANS).map(({ dir }) => basename(dir));
  const more = scans.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function recordIssue(
  earlier: Map<string, EarlierIssue>,
  row: AuditFinding,
  { fingerprint, template }: FindingIdentity,
): void {
  const earlierIssue = earlier.get(fingerprint);
  if (earlierIssue) {
    if (earlierIssue.urls.length < MAX_URLS && !earlierIssue.urls.includes(row.url)) earlierIssue.urls.push(row.url);
    if (row.url < earlierIssue.url) earlierIssue.url = truncateText(row.url, accessibilityReportLimits.url);
    return;
  }
  earlier.set(fingerprint, {
    fingerprint,
    rule_id: row.ruleId,
    auditType: row.auditType,
    help: truncateText(row.help || row.description, 200),
    label: template.label,
    url: truncateText(row.url, accessibilityReportLimits.url),
    urls: [row.url],
    isSeen: false,
  });
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
