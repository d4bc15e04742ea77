import { standardColumns, type Viewport } from '../audits/audit.ts';
import { findDuplicateTitles, type TitledPage } from '../audits/seo-audit.ts';
import { type FoundPage, MAX_QUEUED_URLS, type SiteQueue } from '../crawl/site-queue.ts';
import type { ScanContext } from '../scan-context.ts';
import { baseUrlColumn } from '../visit/audit-page.ts';
import type { PageVisit, VisitResult } from '../visit/visit-result.ts';
import type { CsvRow, CsvTables } from './csv-rows.ts';

/** Of the pages that a limit left out, so many are listed by name. */
const MAX_LISTED_PAGES = 10_000;

/** The tables that do not come from an audit: where a page came from and how it ended. */
export function visitRows(scan: ScanContext, { task, pageId }: PageVisit, visit: VisitResult): CsvTables {
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

/** Pages that were found and not visited, and what is known only at the end: how many there were, which titles repeat. */
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
  if (site.abandoned) return { crawlOutcome: 'abandoned', reason: 'the site was given up after 3 failures in a row' };
  // Without a limit only what was never kept is left.
  if (site.rest().pages.length === 0)
    return { crawlOutcome: 'limit', reason: `it has more than ${MAX_QUEUED_URLS} addresses` };
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

/** Ends that someone should look into. What a rule of ours left out is not one of them. */
const issueOutcomes: readonly string[] = ['status', 'timeout', 'failed', 'anti_bot', 'address'];

interface CrawledPage {
  site: SiteQueue;
  url: string;
  title: string;
  pageId: number;
}

type CrawlResult = Pick<VisitResult, 'finalUrl' | 'status' | 'contentType' | 'crawlOutcome' | 'reason' | 'loadMs'>;

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
