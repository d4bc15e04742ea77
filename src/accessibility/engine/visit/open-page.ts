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

/** Opens a page in the tab, in this viewport. A fresh tab is used when the previous page cannot be left. */
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
    // The previous page may block the navigation.
    await tab.discard();
    return loadIn(await tabPage());
  }
}

const RESPONSE_LIMIT_MS = 1_000;

/** Whether the previous page still responds after a navigation away from it has timed out. */
async function isResponsive(page: Page): Promise<boolean> {
  return withTimeLimit(RESPONSE_LIMIT_MS, 'an answer', stopLoading(page)).catch(() => false);
}

async function stopLoading(page: Page): Promise<boolean> {
  // The browser evaluates nothing in the page until the pending navigation is stopped.
  const session = await page.context().newCDPSession(page);
  await session.send('Page.stopLoading');
  return page.evaluate(() => true);
}

export function isPageTimeout(error: unknown): error is Failure {
  return error instanceof Failure && error.code === 'PAGE_TIMEOUT';
}
