import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../../../platform/browser/browser-launch.ts';
import { forbidPeerConnections, proxyContextOptions } from '../../../platform/browser/guard-proxy.ts';
import { Failure } from '../../../platform/errors.ts';
import { withTimeLimit } from '../time-limits.ts';

/** After so many pages a context is made anew: what it keeps in memory grows with each. */
const PAGES_PER_CONTEXT = 25;
/**
 * A page lives for half a second here. To compile again, in each, what axe calls most costs a quarter of all the work and is
 * no gain before a function has been called some thousand times, as on very large pages. A browser that does not know these
 * goes on without.
 */
export const SHORT_LIVED_PAGES = [
  '--js-flags=--invocation-count-for-maglev=4000 --invocation-count-for-turbofan=30000',
];
const CLOSE_LIMIT_MS = 1_500;
const RESIZE_LIMIT_MS = 3_000;

interface ViewportSize {
  width: number;
  height: number;
}

export interface TabPool {
  /** Starts the browser, without which there is no scan, and tells which it is. */
  start(): Promise<string>;
  open(): BrowserTab;
  close(): Promise<void>;
}

/** One page at a time, used again for the next page of the same site. */
export interface BrowserTab {
  page(site: string, size: ViewportSize): Promise<Page>;
  /** Throws the context away: after a crash, a page that hangs, or a page that cannot be left. */
  discard(): Promise<void>;
  /** Counts a page, and recycles when it is time. */
  countPage(): Promise<void>;
}

interface TabPoolOptions {
  home: string;
  /** A program in place of the browser that is found. */
  browserPath?: string | undefined;
  userAgent: string;
  withAxe: boolean;
  proxy: string | undefined;
}

/** One browser for all tabs, started anew when it died. */
export function createTabPool(options: TabPoolOptions): TabPool {
  let launching: Promise<Browser> | undefined;
  let closed = false;
  const axe = options.withAxe ? readAxe() : undefined;
  // Whoever needs it awaits it; until then a failure is nobody's surprise.
  axe?.catch(() => {});

  async function browser(): Promise<Browser> {
    const running = await launching?.catch(() => undefined);
    if (running?.isConnected()) return running;
    if (closed) throw new Error('the scan has ended');
    // Lanes that lost the same browser start one new one between them.
    if (!launching || running === (await launching.catch(() => undefined))) launching = launch(options);
    return launching;
  }

  async function newContext(size: ViewportSize): Promise<BrowserContext> {
    const context = await (await browser()).newContext({
      userAgent: options.userAgent,
      viewport: size,
      acceptDownloads: false,
      serviceWorkers: 'block',
      ...(options.proxy && proxyContextOptions(options.proxy)),
    });
    if (options.proxy) await forbidPeerConnections(context);
    if (axe) await context.addInitScript({ content: await axe });
    return context;
  }

  return {
    async start() {
      const running = await browser();
      return `${running.browserType().name()} ${running.version()}`;
    },
    open: () => createTab(newContext),
    async close() {
      closed = true;
      const running = await launching?.catch(() => undefined);
      await withTimeLimit(CLOSE_LIMIT_MS, 'closing the browser', running?.close() ?? Promise.resolve()).catch(() => {});
    },
  };
}

async function launch({ home, browserPath }: TabPoolOptions): Promise<Browser> {
  const flags = SHORT_LIVED_PAGES;
  if (browserPath === undefined) return launchBrowser({ home, flags });
  try {
    return await launchBrowser({ home, flags, browserPath });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const message = `chrome_binary_location: ${error.message.replace('ASSAY_BROWSER names', 'it names')}`;
    throw new Failure(error.kind, error.code, message, {}, { cause: error });
  }
}

function createTab(newContext: (size: ViewportSize) => Promise<BrowserContext>): BrowserTab {
  let context: BrowserContext | undefined;
  let current: Page | undefined;
  let currentSite = '';
  let used = 0;

  async function discard(): Promise<void> {
    const old = context;
    context = undefined;
    current = undefined;
    used = 0;
    if (old) await withTimeLimit(CLOSE_LIMIT_MS, 'closing a page', old.close()).catch(() => {});
  }

  /** The page that was used last, in this size; undefined where it is another site's, or dead, or hangs. */
  async function reusablePage(site: string, { width, height }: ViewportSize): Promise<Page | undefined> {
    if (!current || currentSite !== site || current.isClosed()) return undefined;
    const now = current.viewportSize();
    if (now?.width === width && now.height === height) return current;
    const resized = withTimeLimit(RESIZE_LIMIT_MS, 'resizing', current.setViewportSize({ width, height }));
    return resized.then(
      () => current,
      () => undefined,
    );
  }

  return {
    async page(site, size) {
      const last = await reusablePage(site, size);
      if (last) return last;
      await discard();
      currentSite = site;
      context = await newContext(size);
      current = await context.newPage();
      suppressInterruptions(context, current);
      return current;
    },
    discard,
    async countPage() {
      if (++used >= PAGES_PER_CONTEXT) await discard();
    },
  };
}

/** No dialog may hold a page up, and no window may open beside it. */
function suppressInterruptions(context: BrowserContext, page: Page): void {
  page.on('dialog', (dialog) => {
    // To dismiss "leave this page?" would be to stay.
    const answer = dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss();
    answer.catch(() => {});
  });
  context.on('page', (other) => {
    if (other !== page) other.close().catch(() => {});
  });
}

let axeText: Promise<string> | undefined;

export function readAxe(): Promise<string> {
  axeText ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  return axeText;
}
