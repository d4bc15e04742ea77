import type { Page } from 'playwright-core';
import { Failure } from '../../platform/errors.ts';
import type { Lane } from './lanes.ts';
import { type Loaded, load } from './load.ts';
import type { Scan, ScanView } from './scan-parts.ts';
import type { Errand } from './visit-end.ts';
import { within } from './waiting.ts';

export interface Opened {
  page: Page;
  loaded: Loaded;
}

/** Opens a page in the lane's tab, in this viewport. */
export async function openPage(scan: Scan, lane: Lane, errand: Errand, url: string, view: ScanView): Promise<Opened> {
  const { config } = scan;
  const inLane = () => lane.page(String(errand.task.site.index), { width: view.width, height: view.height });
  const loadIn = async (page: Page) => {
    const loaded = await load(page, url, {
      limitMs: config.page_load_timeout * 1000,
      quietMs: config.delay_after_page_load * 1000,
      openDetails: config.force_open_details_elements,
      busyMs: config.script_timeout * 1000,
    });
    return { page, loaded };
  };
  const page = await inLane();
  const isFresh = page.url() === 'about:blank';
  try {
    return await loadIn(page);
  } catch (error) {
    if (isFresh || !isPageTimeout(error) || (await answers(page))) throw error;
    // It may be the page before it that cannot be left.
    await lane.discard();
    return loadIn(await inLane());
  }
}

const ANSWERS_WITHIN_MS = 1_000;

/** Whether a page that was to be left for another, which does not come, is itself alive. */
async function answers(page: Page): Promise<boolean> {
  return within(ANSWERS_WITHIN_MS, 'an answer', stopped(page)).catch(() => false);
}

async function stopped(page: Page): Promise<boolean> {
  // Until it has given up the other, the browser lets nobody ask it anything.
  const session = await page.context().newCDPSession(page);
  await session.send('Page.stopLoading');
  return page.evaluate(() => true);
}

export function isPageTimeout(error: unknown): error is Failure {
  return error instanceof Failure && error.code === 'PAGE_TIMEOUT';
}
