import { standardColumns, type View } from './audits/audit.ts';
import { duplicateTitles, type TitledPage } from './audits/seo.ts';
import type { Row, Rows } from './csv.ts';
import { baseUrlColumn } from './look.ts';
import type { Scan } from './scan-parts.ts';
import { type FoundPage, MOST_KEPT, type Site } from './site.ts';
import type { Errand, Visit } from './visit-end.ts';

/** Of the pages that a limit left out, so many are listed by name. */
const MOST_LISTED = 10_000;

/** The tables that do not come from an audit: where a page came from and how it ended. */
export function visitTables(scan: Scan, { task, pageId }: Errand, visit: Visit): Rows {
  const { base } = task.site;
  const rows: Record<string, Row[]> = {};
  if (visit.outcome === 'scanned') {
    const { organisation, sector, url } = base;
    rows['audit_log'] = [{ organisation, base_url: url, url: visit.finalUrl, sector }];
  }
  if (crawlIsOn(scan)) {
    const page = { site: task.site, url: task.url, title: visit.title, pageId };
    rows['crawl_audit'] = [crawlRow(scan, page, task.parent, visit)];
  }
  return rows;
}

/** Pages that were found and not visited, and what is known only at the end: how many there were, which titles repeat. */
export function siteTables(scan: Scan, site: Site, pages: readonly TitledPage[], rest: readonly FoundPage[]): Rows {
  const { organisation, sector, url } = site.base;
  const rows: Record<string, Row[]> = {
    pages_scanned: [{ organisation, base_url: url, number_of_pages: site.counts.scanned, sector }],
  };
  if (scan.config.audit_plugins['seo_audit']?.enabled) rows['seo_audit'] = duplicateTitles(pages);
  if (crawlIsOn(scan)) {
    const why = restReason(site);
    rows['crawl_audit'] = rest.slice(0, MOST_LISTED).map((page) => {
      const end = { finalUrl: '', status: 0, contentType: '', how: why.how, why: why.why, loadMs: 0 };
      return crawlRow(scan, { site, url: page.url, title: '', pageId: 0 }, page.parent, end);
    });
  }
  return rows;
}

export function restReason(site: Site): { how: string; why: string } {
  if (site.abandoned) return { how: 'abandoned', why: 'the site was given up after 3 failures in a row' };
  // Without a limit only what was never kept is left.
  if (site.rest().pages.length === 0) return { how: 'limit', why: `it has more than ${MOST_KEPT} addresses` };
  return { how: 'limit', why: 'max_links_per_domain was reached' };
}

export function titledPage(scan: Scan, site: Site, page: { url: string; title: string; pageId: number }): TitledPage {
  const { organisation, sector, url } = site.base;
  const baseUrl = baseUrlColumn(url, scan.config.max_links_per_domain);
  return { organisation, sector, siteUrl: url, baseUrl, view: firstView(scan), ...page };
}

function crawlIsOn(scan: Scan): boolean {
  return scan.config.audit_plugins['crawl_audit']?.enabled === true;
}

function firstView(scan: Scan): View {
  return scan.views[0] ?? { name: 'none', width: 0, height: 0 };
}

/** Ends that someone should look into. What a rule of ours left out is not one of them. */
const faults: readonly string[] = ['status', 'timeout', 'failed', 'anti_bot', 'address'];

interface CrawledPage {
  site: Site;
  url: string;
  title: string;
  pageId: number;
}

type CrawlEnd = Pick<Visit, 'finalUrl' | 'status' | 'contentType' | 'how' | 'why' | 'loadMs'>;

function crawlRow(scan: Scan, page: CrawledPage, parent: string, end: CrawlEnd): Row {
  const isFault = faults.includes(end.how);
  return {
    ...standardColumns(titledPage(scan, page.site, page)),
    audit_type: 'CrawlAudit',
    parent_url: parent,
    final_url: end.finalUrl,
    status_code: end.status || '',
    content_type: end.contentType,
    outcome: end.how,
    load_ms: end.loadMs || '',
    num_issues: isFault ? 1 : 0,
    id: isFault ? `crawl-${end.how.replace('_', '-')}` : '',
    description: end.why,
  };
}
