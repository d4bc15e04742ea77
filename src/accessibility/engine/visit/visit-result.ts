import { Failure } from '../../../platform/errors.ts';
import { isTimeoutError, siteFailureReason } from '../../../platform/page/navigation/site-failure.ts';
import type { HostHealth } from '../crawl/host-throttle.ts';
import type { SiteScope } from '../crawl/page-address.ts';
import type { FoundPage } from '../crawl/site-queue.ts';
import type { VisitTask } from '../crawl/visit-schedule.ts';
import type { CsvTables } from '../output/csv-rows.ts';
import type { FindingDetails } from '../output/finding-details.ts';
import type { Outcome } from '../output/scan-journal.ts';
import type { ScanContext } from '../scan-context.ts';
import { acceptedStatuses, type HeaderCheck, isHtml } from './header-check.ts';

/** Result of a page's visit, for the tables and the journal. */
export interface PageVisitResult {
  outcome: Outcome;
  /** The word in the column `outcome` of crawl_audit.csv. */
  crawlOutcome: string;
  reason: string;
  finalUrl: string;
  status: number;
  contentType: string;
  title: string;
  loadMs: number;
  rows: CsvTables;
  findings: FindingDetails[];
  issues: Record<string, number>;
  partial: string[];
  links: FoundPage[];
  scope?: SiteScope;
  health: HostHealth;
  /** The failure is a sign that the whole site fails, not only this page. */
  isSiteFailure: boolean;
}

/** A page that is being visited, across all retries. */
export interface PageVisit {
  task: VisitTask;
  pageId: number;
  /** Redirect targets that this visit has claimed: their addresses by key. */
  claims: Map<string, string>;
}

/** Why a visit ended before the page was audited. */
export type VisitEnd = Pick<PageVisitResult, 'outcome' | 'crawlOutcome' | 'reason'> & Partial<PageVisitResult>;

export function visitResult(finalUrl: string, end: VisitEnd): PageVisitResult {
  return {
    finalUrl,
    status: 0,
    contentType: '',
    title: '',
    loadMs: 0,
    rows: {},
    findings: [],
    issues: {},
    partial: [],
    links: [],
    health: 'unknown',
    isSiteFailure: false,
    ...end,
  };
}

/** Result for a page that could not be loaded. */
export function unreachablePage(url: string, error: unknown): PageVisitResult {
  if (error instanceof Failure && error.code === 'ADDRESS_NOT_ALLOWED') return visitResult(url, blockedAddress(error));
  const crawlOutcome = isTimeoutError(error) ? 'timeout' : 'failed';
  // A redirect loop or a page that overloads the browser concerns the page; a timeout or a broken connection concerns the host.
  const circle = error instanceof Failure && error.code === 'TOO_MANY_REDIRECTS';
  const health = error instanceof Failure ? 'unknown' : 'trouble';
  return visitResult(url, {
    outcome: 'failed',
    crawlOutcome,
    reason: siteFailureReason(error),
    health,
    isSiteFailure: !circle,
  });
}

function blockedAddress(error: unknown): VisitEnd {
  const reason = error instanceof Failure ? error.message : 'this address must not be visited';
  return { outcome: 'blocked', crawlOutcome: 'address', reason };
}

export function rejectHeaders({
  status,
  contentType,
  wall,
}: Pick<HeaderCheck, 'status' | 'contentType' | 'wall'>): VisitEnd | undefined {
  if (wall) return { outcome: 'blocked', crawlOutcome: 'anti_bot', reason: wall, isSiteFailure: true };
  if (!acceptedStatuses.includes(status)) {
    const isSiteFailure = status >= 500 || status === 429;
    const health = isSiteFailure ? 'trouble' : 'good';
    return { outcome: 'failed', crawlOutcome: 'status', reason: `status ${status}`, health, isSiteFailure };
  }
  if (isHtml(contentType)) return undefined;
  return {
    outcome: 'skipped',
    crawlOutcome: 'content_type',
    reason: contentType === '' ? 'no content type' : contentType,
    health: 'good',
  };
}

/** Rows for a page that was rejected by its headers. */
export function headerTables(
  scan: ScanContext,
  { task }: PageVisit,
  { status, wall, url }: Pick<HeaderCheck, 'status' | 'wall' | 'url'>,
): CsvTables {
  const { base } = task.site;
  const rows: Record<string, CsvTables[string]> = {};
  if (scan.config.record_unexpected_response_codes && !acceptedStatuses.includes(status)) {
    rows['unexpected_response_codes'] = [
      { base_url: base.url, parent_url: task.parent, url: task.url, status_code: status },
    ];
  }
  if (wall) {
    rows['anti_bot'] = [
      {
        organisation: base.organisation,
        domain: new URL(url).hostname,
        url,
        anti_bot_check: wall,
        viewport_size: '',
      },
    ];
  }
  return rows;
}
