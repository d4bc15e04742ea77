import { Failure } from '../../../platform/errors.ts';
import type { ScanContext } from '../scan-context.ts';
import { withTimeLimit } from '../time-limits.ts';
import type { BrowserTab } from './browser-tabs.ts';
import { visitPage } from './visit-page.ts';
import { type PageVisit, type PageVisitResult, unreachablePage } from './visit-result.ts';

/** Codes of failures that a retry in a fresh browser often resolves. */
const retryableCodes: readonly string[] = ['BROWSER_GONE', 'PAGE_CRASHED', 'PAGE_ABORTED', 'NAVIGATED_AWAY'];
const MAX_TRIES = 3;

/** Visits a page, in a fresh browser again where that often helps. Throws only for failures of this machine. */
export async function visitWithRetries(
  scan: ScanContext,
  tab: BrowserTab,
  pageVisit: PageVisit,
): Promise<PageVisitResult> {
  for (let tries = 1; ; tries++) {
    try {
      return await withTimeLimit(maxVisitMs(scan), 'the page', visitPage(scan, tab, pageVisit));
    } catch (error) {
      scan.signal.throwIfAborted();
      if (error instanceof Failure && error.kind === 'unavailable') throw error;
      await tab.discard();
      const code = error instanceof Failure ? error.code : '';
      if (tries < MAX_TRIES && retryableCodes.includes(code)) continue;
      if (code === 'PAGE_DOWNLOAD') return { ...unreachablePage(pageVisit.task.url, error), ...download };
      return {
        ...unreachablePage(pageVisit.task.url, error),
        ...(code === 'NAVIGATED_AWAY' ? { isSiteFailure: false } : {}),
      };
    }
  }
}

/** Upper bound for a whole visit. Each step has its own limit; this one catches steps without one. */
function maxVisitMs({ config, viewports }: ScanContext): number {
  const steps = viewports.map(
    ({ audits }) => 4 * config.page_load_timeout + (audits.length + 3) * config.script_timeout,
  );
  return 1000 * steps.reduce((sum, seconds) => sum + seconds, 60);
}

const download: Partial<PageVisitResult> = {
  outcome: 'skipped',
  crawlOutcome: 'download',
  health: 'good',
  isSiteFailure: false,
};
