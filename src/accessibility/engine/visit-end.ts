import { Failure } from '../../platform/errors.ts';
import { isTimeoutError, siteFailureReason } from '../../platform/page/navigation/site-failure.ts';
import type { Scope } from './addresses.ts';
import type { Rows } from './csv.ts';
import type { Finding } from './findings.ts';
import { fineStatus, type Headers, isHtml } from './header-check.ts';
import type { Health } from './hosts.ts';
import type { Outcome } from './journal.ts';
import type { Scan } from './scan-parts.ts';
import type { Task } from './schedule.ts';
import type { FoundPage } from './site.ts';

/** Everything about a page's visit that the tables and the journal want to know. */
export interface Visit {
  outcome: Outcome;
  /** One word, as in crawl_audit.csv. */
  how: string;
  why: string;
  finalUrl: string;
  status: number;
  contentType: string;
  title: string;
  loadMs: number;
  rows: Rows;
  findings: Finding[];
  issues: Record<string, number>;
  partial: string[];
  links: FoundPage[];
  scope?: Scope;
  health: Health;
  /** Speaks against the whole site, not just this page. */
  siteTrouble: boolean;
}

/** A page that is being visited, over as many tries as it takes. */
export interface Errand {
  task: Task;
  pageId: number;
  /** Addresses that this page's redirects led to and that are its own now. */
  claims: Set<string>;
}

/** Why a visit ended before the page was seen. */
export type End = Pick<Visit, 'outcome' | 'how' | 'why'> & Partial<Visit>;

export function ended(finalUrl: string, end: End): Visit {
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
    siteTrouble: false,
    ...end,
  };
}

/** The end of a page that could not be had. */
export function unreachable(url: string, error: unknown): Visit {
  if (error instanceof Failure && error.code === 'ADDRESS_NOT_ALLOWED') return ended(url, addressRefused(error));
  const how = isTimeoutError(error) ? 'timeout' : 'failed';
  // A circle or a page that is too much for the browser is the page's own fault; silence and broken lines are the host's.
  const circle = error instanceof Failure && error.code === 'TOO_MANY_REDIRECTS';
  const health = error instanceof Failure ? 'unknown' : 'trouble';
  return ended(url, { outcome: 'failed', how, why: siteFailureReason(error), health, siteTrouble: !circle });
}

function addressRefused(error: unknown): End {
  const why = error instanceof Failure ? error.message : 'its address may not be visited';
  return { outcome: 'blocked', how: 'address', why };
}

export function badHeaders({
  status,
  contentType,
  wall,
}: Pick<Headers, 'status' | 'contentType' | 'wall'>): End | undefined {
  if (wall) return { outcome: 'blocked', how: 'anti_bot', why: wall, siteTrouble: true };
  if (!fineStatus.includes(status)) {
    const siteTrouble = status >= 500 || status === 429;
    const health = siteTrouble ? 'trouble' : 'good';
    return { outcome: 'failed', how: 'status', why: `status ${status}`, health, siteTrouble };
  }
  if (isHtml(contentType)) return undefined;
  return {
    outcome: 'skipped',
    how: 'content_type',
    why: contentType === '' ? 'no content type' : contentType,
    health: 'good',
  };
}

/** Rows about a page whose headers said no. */
export function tablesOf(
  scan: Scan,
  { task }: Errand,
  { status, wall, url }: Pick<Headers, 'status' | 'wall' | 'url'>,
): Rows {
  const { base } = task.site;
  const rows: Record<string, Rows[string]> = {};
  if (scan.config.record_unexpected_response_codes && !fineStatus.includes(status)) {
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
