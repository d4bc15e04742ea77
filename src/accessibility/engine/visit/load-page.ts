import type { Page, Response } from 'playwright-core';
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
  /** Time without DOM changes after which a page with scripts counts as settled. */
  quietPeriodMs: number;
  openDetails: boolean;
  /** Time that a page may be busy before it has to respond. */
  scriptLimitMs: number;
}

/** Pages with constant changes, such as a clock, are used as they are after this time. */
const MAX_SETTLE_MS = 2_000;

/** Opens a page and waits until it has settled: loaded, fonts ready, and no more DOM changes by scripts. */
export async function loadPage(page: Page, url: string, options: LoadOptions): Promise<LoadedPage> {
  const start = performance.now();
  const partial: string[] = [];
  // A navigation that changes only the fragment would not load the page again.
  if (new URL(url).hash) await withTimeLimit(options.limitMs, 'leaving the last page', page.goto('about:blank'));
  const response = await navigate(page, url, options.limitMs);
  const remainingMs = () => Math.max(500, options.limitMs - (performance.now() - start));
  if (!(await finishesLoading(page, remainingMs()))) partial.push('the page did not finish loading');
  const loadMs = Math.round(performance.now() - start);
  if (forbidsScripts(response?.headers()['content-security-policy'] ?? ''))
    await withTimeLimit(options.scriptLimitMs, 'opening the page', page.evaluate(runTimersImmediately));
  const settledUrl = await waitUntilSettled(page, options, remainingMs);
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
  { quietPeriodMs: quietMs, openDetails, scriptLimitMs: busyMs }: LoadOptions,
  left: () => number,
): Promise<string> {
  const limit = Math.min(MAX_SETTLE_MS, left());
  for (let tries = 0; ; tries++) {
    try {
      // A redirect by script destroys the context. It is followed three times, then it is an error.
      return await withTimeLimit(
        limit + busyMs,
        'settling',
        page.evaluate(settleInPage, { quietMs, limit, openDetails }),
      );
    } catch (error) {
      if (!isNavigationError(error) || tries >= 3) throw classifyBrowserError(page, error);
      if (!(await finishesLoading(page, left())))
        throw pageFailure('NAVIGATED_AWAY', 'it keeps navigating to other pages', error);
    }
  }
}

/** Runs in the page and returns the address that it was loaded from. A form named `fonts` would hide `document.fonts`. */
async function settleInPage({ quietMs, limit, openDetails }: { quietMs: number; limit: number; openDetails: boolean }) {
  const fontSet: FontFaceSet = Reflect.get(Document.prototype, 'fonts', document);
  const scripts: HTMLCollection = Reflect.get(Document.prototype, 'scripts', document);
  const openAll = () => {
    for (const details of document.querySelectorAll('details:not([open])')) details.setAttribute('open', '');
  };
  if (openDetails) openAll();
  const fonts = fontSet.ready.catch(() => undefined);
  const late = new Promise((resolve) => setTimeout(resolve, limit));
  if (scripts.length > 0 && quietMs > 0) {
    const quiet = new Promise((resolve) => {
      let timer = setTimeout(resolve, quietMs);
      const observer = new MutationObserver(() => {
        clearTimeout(timer);
        timer = setTimeout(resolve, quietMs);
      });
      const what = { childList: true, subtree: true, attributes: true, characterData: true };
      observer.observe(document, what);
      late.then(() => observer.disconnect());
    });
    await Promise.race([Promise.all([quiet, fonts]), late]);
    if (openDetails) openAll();
  } else await Promise.race([fonts, late]);
  return performance.getEntriesByType('navigation')[0]?.name ?? '';
}

export function isNavigationError(error: unknown): boolean {
  return (
    error instanceof Error &&
    /Execution context was destroyed|Frame was detached|because of a navigation/.test(error.message)
  );
}

/** Turns an error of the browser into a Failure: crash, lost browser or navigation. Other errors are returned unchanged. */
export function classifyBrowserError(page: Page, error: unknown): unknown {
  if (error instanceof Failure) return error;
  const text = error instanceof Error ? error.message : '';
  if (/crashed/i.test(text)) return pageFailure('PAGE_CRASHED', 'the page crashed the browser', error);
  if (/has been closed|Target closed|browser has disconnected|Connection closed/i.test(text) || page.isClosed()) {
    return pageFailure('BROWSER_GONE', 'the browser was lost', error);
  }
  if (isNavigationError(error))
    return pageFailure('NAVIGATED_AWAY', `it navigated to another page (${quote(page.url())})`, error);
  return error;
}

function pageFailure(code: string, message: string, cause: unknown): Failure {
  return new Failure('site_failed', code, message, {}, { cause });
}
