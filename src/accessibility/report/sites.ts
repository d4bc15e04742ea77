import { hash } from 'node:crypto';
import { join } from 'node:path';
import { readCsv } from '../results/csv.ts';
import type { Finding } from '../results/finding.ts';
import type { SiteScore } from './model.ts';
import { percentiles, round2 } from './percentile.ts';

interface SiteTally {
  organisation: string;
  pages: Set<string>;
  /** Faults of the site's templates: the same rule and element at the same viewport counts once, on all its pages. */
  faults: Set<string>;
}

export interface SiteStore {
  page(row: Finding): void;
  fault(row: Finding): void;
  scores(dir: string): Promise<SiteScore[]>;
}

/** Ranks sites as CWAC's leaderboard does, with its two mistakes mended: pages are those scanned, and clean sites stay. */
export function createSiteStore(): SiteStore {
  const sites = new Map<string, SiteTally>();
  const siteOf = (baseUrl: string, organisation: string): SiteTally => {
    let site = sites.get(baseUrl);
    if (!site) {
      site = { organisation, pages: new Set(), faults: new Set() };
      sites.set(baseUrl, site);
    }
    site.organisation ||= organisation;
    return site;
  };
  return {
    page(row) {
      if (row.baseUrl !== '') siteOf(row.baseUrl, row.organisation).pages.add(row.url);
    },
    fault(row) {
      if (row.baseUrl === '' || row.auditType !== 'axe_core_audit' || row.bestPractice) return;
      const key = hash('sha1', `${row.ruleId}\0${row.viewport}\0${row.html}`, 'base64').slice(0, 12);
      siteOf(row.baseUrl, row.organisation).faults.add(key);
    },
    async scores(dir) {
      const counted = new Map([...sites].map(([baseUrl, site]) => [baseUrl, site.pages.size]));
      await readCsv(join(dir, 'pages_scanned.csv'), (header) => (cells) => {
        const cell = (column: string) => cells[header.indexOf(column)] ?? '';
        const baseUrl = cell('base_url');
        // With one page a site, CWAC shortens base_url to the origin in all files but this one.
        if (baseUrl === '' || counted.has(baseUrl) || counted.has(originOf(baseUrl))) return;
        siteOf(baseUrl, cell('organisation'));
        counted.set(baseUrl, Number.parseInt(cell('number_of_pages'), 10) || 0);
      });
      return rank([...sites].map(([baseUrl, site]) => line(baseUrl, site, counted.get(baseUrl) ?? 0)));
    },
  };
}

function line(baseUrl: string, site: SiteTally, pages: number): SiteScore {
  const { organisation, faults } = site;
  return { organisation, base_url: baseUrl, num_pages_scanned: pages, num_issues: faults.size };
}

const namedHosts = 3;

/** The hosts of a scan in words: `a.example, b.example and 4 more`. Undefined where none is known. */
export function hostsInWords(sites: readonly SiteScore[]): string | undefined {
  const hosts = [...new Set(sites.flatMap(({ base_url }) => URL.parse(base_url)?.host || []))].sort();
  if (hosts.length === 0) return undefined;
  const more = hosts.length - namedHosts;
  return `${hosts.slice(0, namedHosts).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Adds average and percentile, and puts the worst first. Sites without a scanned page have no rank. */
export function rank(sites: readonly SiteScore[]): SiteScore[] {
  const scanned = sites.filter((site) => site.num_pages_scanned > 0);
  const averages = scanned.map((site) => round2(site.num_issues / site.num_pages_scanned));
  const ranks = percentiles(averages);
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
