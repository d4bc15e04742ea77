import type { Page, Response } from 'playwright-core';
import { type PageActivity, watchActivity } from '../../../page/settle/settle.ts';
import { browserEndedMessage, pageReplacedMessage } from '../../../platform/browser/browser-messages.ts';
import { Failure, quote } from '../../../platform/errors.ts';
import { withTimeLimit } from '../time-limits.ts';
import { forbidsScripts, runTimersImmediately } from './scriptless-page.ts';

export interface LoadedPage {
  /** Address that the browser shows, after redirects and changes by scripts. */
  url: string;
  /** Address that the page was loaded from; scripts may show another one. */
  address: string;
  status: number;
  contentType: string;
  /** HTML as served; undefined when the browser no longer has it. */
  source(): Promise<string | undefined>;
  /** Reasons why the page may be incomplete. */
  partial: string[];
  loadMs: number;
}

interface LoadOptions {
  limitMs: number;
  /** Time without changes after which a page with scripts counts as ready. */
  quietPeriodMs: number;
  openDetails: boolean;
  /** Time that a page may be busy before it has to respond. */
  scriptLimitMs: number;
}

/** A page that redirects by script more often than this keeps navigating. */
const MAX_REDIRECTS = 3;

/** Opens a page and waits until it is ready: loaded, and with what its scripts fetch. */
export async function loadPage(page: Page, url: string, options: LoadOptions): Promise<LoadedPage> {
  const start = performance.now();
  const partial: string[] = [];
  // A navigation that changes only the fragment would not load the page again.
  if (new URL(url).hash) await withTimeLimit(options.limitMs, 'leaving the last page', page.goto('about:blank'));
  using activity = watchActivity(page);
  const response = await navigate(page, url, options.limitMs);
  const remainingMs = () => Math.max(500, options.limitMs - (performance.now() - start));
  if (!(await finishesLoading(page, remainingMs()))) partial.push('the page did not finish loading');
  const loadMs = Math.round(performance.now() - start);
  if (forbidsScripts(response?.headers()['content-security-policy'] ?? ''))
    await withTimeLimit(options.scriptLimitMs, 'opening the page', page.evaluate(runTimersImmediately));
  const { settledUrl, open } = await waitUntilSettled(page, activity, options, remainingMs);
  // What keeps a page from loading is open as well.
  if (partial.length === 0 && open.length > 0) partial.push(`the page was not ready when it was tested: ${open[0]}`);
  const address = /^https?:/.test(settledUrl) ? settledUrl : page.url();
  return {
    url: page.url(),
    address,
    status: response?.status() ?? 0,
    contentType: response?.headers()['content-type'] ?? '',
    // After a redirect by script this response belongs to another page.
    source: async () =>
      response && isResponseFor(response, address) ? await response.text().catch(() => undefined) : undefined,
    partial,
    loadMs,
  };
}

function isResponseFor(response: Response, address: string): boolean {
  return response.url().replace(/#.*/, '') === address.replace(/#.*/, '');
}

async function navigate(page: Page, url: string, limitMs: number): Promise<Response | null> {
  try {
    return await page.goto(url, { waitUntil: 'domcontentloaded', timeout: limitMs });
  } catch (error) {
    const text = error instanceof Error ? error.message : '';
    if (/Download is starting/.test(text)) throw pageFailure('PAGE_DOWNLOAD', 'it is a download, not a page', error);
    // A response without content, or a crashed page process.
    if (/ERR_ABORTED/.test(text))
      throw pageFailure('PAGE_ABORTED', 'the navigation ended before a page was shown', error);
    if (/interrupted by another navigation/.test(text))
      throw pageFailure('NAVIGATED_AWAY', 'it navigated to another page', error);
    if (error instanceof Error && error.name === 'TimeoutError') {
      throw pageFailure('PAGE_TIMEOUT', `it did not load within ${limitMs / 1000} s`, error);
    }
    throw classifyBrowserError(page, error);
  }
}

async function finishesLoading(page: Page, limitMs: number): Promise<boolean> {
  try {
    await page.waitForLoadState('load', { timeout: limitMs });
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return false;
    throw classifyBrowserError(page, error);
  }
}

async function waitUntilSettled(
  page: Page,
  activity: PageActivity,
  { quietPeriodMs: quietMs, openDetails, scriptLimitMs }: LoadOptions,
  left: () => number,
): Promise<{ settledUrl: string; open: string[] }> {
  for (let tries = 0; ; tries++) {
    try {
      let [open, documents, settledUrl, opened] = [[''], 0, '', 0];
      // What is opened may fetch its content, or contain more that is closed.
      for (let round = 0; round < 2 && (round === 0 || opened > 0); round++) {
        ({ open, documents } = await activity.settle({ quietMs, timeoutMs: left() }));
        if (documents > MAX_REDIRECTS + 1) throw keepsNavigating();
        ({ settledUrl, opened } = await withTimeLimit(
          scriptLimitMs,
          'settling',
          page.evaluate(finishInPage, openDetails),
        ));
      }
      return { settledUrl, open };
    } catch (error) {
      // A redirect by script destroys the context.
      if (!isNavigationError(error) || tries >= MAX_REDIRECTS) throw classifyBrowserError(page, error);
      if (!(await finishesLoading(page, left()))) throw keepsNavigating(error);
    }
  }
}

function keepsNavigating(cause?: unknown): Failure {
  return pageFailure('NAVIGATED_AWAY', 'it keeps navigating to other pages', cause);
}

/** Runs in the page: opens what is closed, and returns the address that the page was loaded from. */
function finishInPage(openDetails: boolean): { settledUrl: string; opened: number } {
  const closed = openDetails ? document.querySelectorAll('details:not([open])') : [];
  for (const details of closed) details.setAttribute('open', '');
  return { settledUrl: performance.getEntriesByType('navigation')[0]?.name ?? '', opened: closed.length };
}

export function isNavigationError(error: unknown): boolean {
  return error instanceof Error && pageReplacedMessage.test(error.message);
}

/** Turns an error of the browser into a Failure: crash, lost browser or navigation. Other errors are returned unchanged. */
export function classifyBrowserError(page: Page, error: unknown): unknown {
  if (error instanceof Failure) return error;
  const text = error instanceof Error ? error.message : '';
  if (/crashed/i.test(text)) return pageFailure('PAGE_CRASHED', 'the page crashed the browser', error);
  if (browserEndedMessage.test(text) || page.isClosed()) {
    return pageFailure('BROWSER_GONE', 'the browser was lost', error);
  }
  if (isNavigationError(error))
    return pageFailure('NAVIGATED_AWAY', `it navigated to another page (${quote(page.url())})`, error);
  return error;
}

function pageFailure(code: string, message: string, cause: unknown): Failure {
  return new Failure('site_failed', code, message, {}, { cause });
}
