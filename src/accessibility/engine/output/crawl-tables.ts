import { standardColumns, type Viewport } from '../audits/audit.ts';
import { findDuplicateTitles, type TitledPage } from '../audits/seo-audit.ts';
import { type FoundPage, MAX_QUEUED_URLS, type SiteQueue } from '../crawl/site-queue.ts';
import type { ScanContext } from '../scan-context.ts';
import { baseUrlColumn } from '../visit/audit-page.ts';
import type { PageVisit, PageVisitResult } from '../visit/visit-result.ts';
import type { CsvRow, CsvTables } from './csv-rows.ts';

/** Maximum number of unvisited pages that crawl_audit.csv lists per site. */
const MAX_LISTED_PAGES = 10_000;

/** Rows of the tables that no audit writes: audit_log and crawl_audit. */
export function visitRows(scan: ScanContext, { task, pageId }: PageVisit, visit: PageVisitResult): CsvTables {
  const { base } = task.site;
  const rows: Record<string, CsvRow[]> = {};
  if (visit.outcome === 'scanned') {
    const { organisation, sector, url } = base;
    rows['audit_log'] = [{ organisation, base_url: url, url: visit.finalUrl, sector }];
  }
  if (isCrawlAuditEnabled(scan)) {
    const page = { site: task.site, url: task.url, title: visit.title, pageId };
    rows['crawl_audit'] = [crawlRow(scan, page, task.parent, visit)];
  }
  return rows;
}

/** Rows that are known only when a site is finished: page count, duplicate titles, and pages that were not visited. */
export function siteRows(
  scan: ScanContext,
  site: SiteQueue,
  pages: readonly TitledPage[],
  rest: readonly FoundPage[],
): CsvTables {
  const { organisation, sector, url } = site.base;
  const rows: Record<string, CsvRow[]> = {
    pages_scanned: [{ organisation, base_url: url, number_of_pages: site.counts.scanned, sector }],
  };
  if (scan.config.audit_plugins['seo_audit']?.enabled) rows['seo_audit'] = findDuplicateTitles(pages);
  if (isCrawlAuditEnabled(scan)) {
    const unvisited = unvisitedReason(site);
    rows['crawl_audit'] = rest.slice(0, MAX_LISTED_PAGES).map((page) => {
      const end = {
        finalUrl: '',
        status: 0,
        contentType: '',
        crawlOutcome: unvisited.crawlOutcome,
        reason: unvisited.reason,
        loadMs: 0,
      };
      return crawlRow(scan, { site, url: page.url, title: '', pageId: 0 }, page.parent, end);
    });
  }
  return rows;
}

export function unvisitedReason(site: SiteQueue): { crawlOutcome: string; reason: string } {
  if (site.abandoned)
    return { crawlOutcome: 'abandoned', reason: 'the site was abandoned after 3 consecutive failures' };
  // Without a page limit, only addresses beyond the queue's size are left.
  if (site.rest().pages.length === 0)
    return { crawlOutcome: 'limit', reason: `the site has more than ${MAX_QUEUED_URLS} addresses` };
  return { crawlOutcome: 'limit', reason: 'max_links_per_domain was reached' };
}

export function toTitledPage(
  scan: ScanContext,
  site: SiteQueue,
  page: { url: string; title: string; pageId: number },
): TitledPage {
  const { organisation, sector, url } = site.base;
  const baseUrl = baseUrlColumn(url, scan.config.max_links_per_domain);
  return { organisation, sector, siteUrl: url, baseUrl, viewport: firstViewport(scan), ...page };
}

function isCrawlAuditEnabled(scan: ScanContext): boolean {
  return scan.config.audit_plugins['crawl_audit']?.enabled === true;
}

function firstViewport(scan: ScanContext): Viewport {
  return scan.viewports[0] ?? { name: 'none', width: 0, height: 0 };
}

/** Crawl outcomes that count as issues. Pages that a setting excludes do not. */
const issueOutcomes: readonly string[] = ['status', 'timeout', 'failed', 'anti_bot', 'address'];

interface CrawledPage {
  site: SiteQueue;
  url: string;
  title: string;
  pageId: number;
}

type CrawlResult = Pick<PageVisitResult, 'finalUrl' | 'status' | 'contentType' | 'crawlOutcome' | 'reason' | 'loadMs'>;

function crawlRow(scan: ScanContext, page: CrawledPage, parent: string, end: CrawlResult): CsvRow {
  const isIssue = issueOutcomes.includes(end.crawlOutcome);
  return {
    ...standardColumns(toTitledPage(scan, page.site, page)),
    audit_type: 'CrawlAudit',
    parent_url: parent,
    final_url: end.finalUrl,
    status_code: end.status || '',
    content_type: end.contentType,
    outcome: end.crawlOutcome,
    load_ms: end.loadMs || '',
    num_issues: isIssue ? 1 : 0,
    id: isIssue ? `crawl-${end.crawlOutcome.replace('_', '-')}` : '',
    description: end.reason,
  };
}
