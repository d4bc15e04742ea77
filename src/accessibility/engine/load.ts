import type { Page, Response } from 'playwright-core';
import { Failure, quote } from '../../platform/errors.ts';
import { forbidsScripts, timersAtOnce } from './scriptless.ts';
import { within } from './waiting.ts';

export interface Loaded {
  /** Where the page is now, after redirects and whatever its scripts did. */
  url: string;
  /** Where it was had from, and can be had again: scripts may show another address than that. */
  address: string;
  status: number;
  contentType: string;
  /** The HTML as it was served; undefined where the browser does not have it any more. */
  source(): Promise<string | undefined>;
  /** What was not waited for. */
  partial: string[];
  loadMs: number;
}

interface LoadOptions {
  limitMs: number;
  /** So long must a page with scripts be quiet to be settled. */
  quietMs: number;
  openDetails: boolean;
  /** So long may a page be busy with itself before it answers. */
  busyMs: number;
}

/** A ticking clock never settles; after so long the page is taken as it is. */
const LONGEST_SETTLE_MS = 2_000;

/** Opens a page and waits until it has settled: loaded, fonts in, and its scripts done with changing it. */
export async function load(page: Page, url: string, options: LoadOptions): Promise<Loaded> {
  const start = performance.now();
  const partial: string[] = [];
  // A change of the fragment alone would not load anything.
  if (new URL(url).hash) await within(options.limitMs, 'leaving the last page', page.goto('about:blank'));
  const response = await goto(page, url, options.limitMs);
  const left = () => Math.max(500, options.limitMs - (performance.now() - start));
  if (!(await reaches(page, left()))) partial.push('the page did not finish loading');
  const loadMs = Math.round(performance.now() - start);
  if (forbidsScripts(response?.headers()['content-security-policy'] ?? ''))
    await within(options.busyMs, 'opening the page', page.evaluate(timersAtOnce));
  const said = await settle(page, options, left);
  const address = /^https?:/.test(said) ? said : page.url();
  return {
    url: page.url(),
    address,
    status: response?.status() ?? 0,
    contentType: response?.headers()['content-type'] ?? '',
    // A page that went on by script has an answer of its own, which this is not.
    source: async () =>
      response && isOf(response, address) ? await response.text().catch(() => undefined) : undefined,
    partial,
    loadMs,
  };
}

function isOf(response: Response, address: string): boolean {
  return response.url().replace(/#.*/, '') === address.replace(/#.*/, '');
}

async function goto(page: Page, url: string, limitMs: number): Promise<Response | null> {
  try {
    return await page.goto(url, { waitUntil: 'domcontentloaded', timeout: limitMs });
  } catch (error) {
    const text = error instanceof Error ? error.message : '';
    if (/Download is starting/.test(text)) throw problem('PAGE_DOWNLOAD', 'it is a download, not a page', error);
    // An answer without content, or a page whose process died under it.
    if (/ERR_ABORTED/.test(text)) throw problem('PAGE_ABORTED', 'it ended before there was anything to see', error);
    if (/interrupted by another navigation/.test(text))
      throw problem('NAVIGATED_AWAY', 'it led to another page', error);
    if (error instanceof Error && error.name === 'TimeoutError') {
      throw problem('PAGE_TIMEOUT', `it did not load within ${limitMs / 1000} s`, error);
    }
    throw crashOr(page, error);
  }
}

async function reaches(page: Page, limitMs: number): Promise<boolean> {
  try {
    await page.waitForLoadState('load', { timeout: limitMs });
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return false;
    throw crashOr(page, error);
  }
}

async function settle(page: Page, { quietMs, openDetails, busyMs }: LoadOptions, left: () => number): Promise<string> {
  const limit = Math.min(LONGEST_SETTLE_MS, left());
  for (let tries = 0; ; tries++) {
    try {
      // A page that leaves us here (a redirect by script) is followed a few times, then it is an error.
      return await within(limit + busyMs, 'settling', page.evaluate(settled, { quietMs, limit, openDetails }));
    } catch (error) {
      if (!isNavigation(error) || tries >= 3) throw crashOr(page, error);
      if (!(await reaches(page, left()))) throw problem('NAVIGATED_AWAY', 'it keeps leading to other pages', error);
    }
  }
}

/** In the page; gives the address that it was had from. A form named `fonts` would stand in front of the document's own. */
async function settled({ quietMs, limit, openDetails }: { quietMs: number; limit: number; openDetails: boolean }) {
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

export function isNavigation(error: unknown): boolean {
  return (
    error instanceof Error &&
    /Execution context was destroyed|Frame was detached|because of a navigation/.test(error.message)
  );
}

/** What a browser's error means for the page at hand. */
export function crashOr(page: Page, error: unknown): unknown {
  if (error instanceof Failure) return error;
  const text = error instanceof Error ? error.message : '';
  if (/crashed/i.test(text)) return problem('PAGE_CRASHED', 'the page crashed the browser', error);
  if (/has been closed|Target closed|browser has disconnected|Connection closed/i.test(text) || page.isClosed()) {
    return problem('BROWSER_GONE', 'the browser was lost', error);
  }
  if (isNavigation(error)) return problem('NAVIGATED_AWAY', `it led to another page (${quote(page.url())})`, error);
  return error;
}

function problem(code: string, message: string, cause: unknown): Failure {
  return new Failure('site_failed', code, message, {}, { cause });
}
