import type { Page } from 'playwright-core';
import { Failure } from '../../../platform/errors.ts';
import type { AuditedViewport, ScanContext } from '../scan-context.ts';
import { withTimeLimit } from '../time-limits.ts';
import type { BrowserTab } from './browser-tabs.ts';
import { type LoadedPage, loadPage } from './load-page.ts';
import type { PageVisit } from './visit-result.ts';

export interface OpenedPage {
  page: Page;
  loaded: LoadedPage;
}

/** Opens a page in the tab's tab, in this viewport. */
export async function openPage(
  scan: ScanContext,
  tab: BrowserTab,
  pageVisit: PageVisit,
  url: string,
  viewport: AuditedViewport,
): Promise<OpenedPage> {
  const { config } = scan;
  const tabPage = () => tab.page(String(pageVisit.task.site.index), { width: viewport.width, height: viewport.height });
  const loadIn = async (page: Page) => {
    const loaded = await loadPage(page, url, {
      limitMs: config.page_load_timeout * 1000,
      quietPeriodMs: config.delay_after_page_load * 1000,
      openDetails: config.force_open_details_elements,
      scriptLimitMs: config.script_timeout * 1000,
    });
    return { page, loaded };
  };
  const page = await tabPage();
  const isFresh = page.url() === 'about:blank';
  try {
    return await loadIn(page);
  } catch (error) {
    if (isFresh || !isPageTimeout(error) || (await isResponsive(page))) throw error;
    // It may be the page before it that cannot be left.
    await tab.discard();
    return loadIn(await tabPage());
  }
}

const RESPONSE_LIMIT_MS = 1_000;

/** Whether a page that was to be left for another, which does not come, is itself alive. */
async function isResponsive(page: Page): Promise<boolean> {
  return withTimeLimit(RESPONSE_LIMIT_MS, 'an answer', stopLoading(page)).catch(() => false);
}

async function stopLoading(page: Page): Promise<boolean> {
  // Until it has given up the other, the browser lets nobody ask it anything.
  const session = await page.context().newCDPSession(page);
  await session.send('Page.stopLoading');
  return page.evaluate(() => true);
}

export function isPageTimeout(error: unknown): error is Failure {
  return error instanceof Failure && error.code === 'PAGE_TIMEOUT';
}
