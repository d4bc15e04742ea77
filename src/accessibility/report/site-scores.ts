import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { AuditFinding } from '../results/audit-finding.ts';
import { readCsv } from '../results/csv-reader.ts';
import { computePercentiles, roundToHundredths } from './percentiles.ts';
import type { SiteScore } from './report-model.ts';

interface SiteTally {
  organisation: string;
  pages: Set<string>;
  /** Keys of distinct issues: the same rule, element and viewport counts once for all pages. */
  issues: Set<string>;
}

export interface SiteTallies {
  addPage(row: AuditFinding): void;
  addIssue(row: AuditFinding): void;
  scores(dir: string): Promise<SiteScore[]>;
}

/** Ranks sites like CWAC's leaderboard, with two corrections: only scanned pages count, and sites without issues are included. */
export function createSiteTallies(): SiteTallies {
  const sites = new Map<string, SiteTally>();
  const siteOf = (baseUrl: string, organisation: string): SiteTally => {
    let site = sites.get(baseUrl);
    if (!site) {
      site = { organisation, pages: new Set(), issues: new Set() };
      sites.set(baseUrl, site);
    }
    site.organisation ||= organisation;
    return site;
  };
  return {
    addPage(row) {
      if (row.baseUrl !== '') siteOf(row.baseUrl, row.organisation).pages.add(row.url);
    },
    addIssue(row) {
      if (row.baseUrl === '' || row.auditType !== 'axe_core_audit' || row.bestPractice) return;
      const key = hash('sha1', `${row.ruleId}\0${row.viewport}\0${row.html}`, 'base64').slice(0, 12);
      siteOf(row.baseUrl, row.organisation).issues.add(key);
    },
    async scores(dir) {
      const counted = new Map([...sites].map(([baseUrl, site]) => [baseUrl, site.pages.size]));
      await readCsv(join(dir, 'pages_scanned.csv'), (header) => (cells) => {
        const cell = (column: string) => cells[header.indexOf(column)] ?? '';
        const baseUrl = cell('base_url');
        // With one page per site, CWAC shortens base_url to the origin in all files except this one.
        if (baseUrl === '' || counted.has(baseUrl) || counted.has(originOf(baseUrl))) return;
        siteOf(baseUrl, cell('organisation'));
        counted.set(baseUrl, Number.parseInt(cell('number_of_pages'), 10) || 0);
      });
      return rankSites([...sites].map(([baseUrl, site]) => toSiteScore(baseUrl, site, counted.get(baseUrl) ?? 0)));
    },
  };
}

function toSiteScore(baseUrl: string, site: SiteTally, pages: number): SiteScore {
  const { organisation, issues: siteIssues } = site;
  return { organisation, base_url: baseUrl, num_pages_scanned: pages, num_issues: siteIssues.size };
}

const MAX_NAMED_HOSTS = 3;

/** Formats the hosts of a scan: `a.example, b.example and 4 more`. Undefined when none is known. */
export function describeHosts(sites: readonly SiteScore[]): string | undefined {
  const hosts = [...new Set(sites.flatMap(({ base_url }) => URL.parse(base_url)?.host || []))].sort();
  if (hosts.length === 0) return undefined;
  const more = hosts.length - MAX_NAMED_HOSTS;
  return `${hosts.slice(0, MAX_NAMED_HOSTS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Adds average and percentile and sorts the worst first. Sites without a scanned page have neither and come last. */
export function rankSites(sites: readonly SiteScore[]): SiteScore[] {
  const scanned = sites.filter((site) => site.num_pages_scanned > 0);
  const averages = scanned.map((site) => roundToHundredths(site.num_issues / site.num_pages_scanned));
  const ranks = computePercentiles(averages);
  const ranked = scanned.map((site, index) => ({
    ...site,
    average_num_issues_per_page: averages[index] ?? 0,
    percentile: ranks[index] ?? 0,
  }));
  ranked.sort((a, b) => b.average_num_issues_per_page - a.average_num_issues_per_page || byName(a, b));
  return [...ranked, ...sites.filter((site) => site.num_pages_scanned === 0).sort(byName)];
}

function byName(a: SiteScore, b: SiteScore): number {
  return a.organisation.localeCompare(b.organisation, 'en') || a.base_url.localeCompare(b.base_url, 'en');
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? url;
}
