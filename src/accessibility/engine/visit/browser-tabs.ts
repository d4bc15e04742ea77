import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../../../platform/browser/browser-launch.ts';
import { forbidPeerConnections, proxyContextOptions } from '../../../platform/browser/guard-proxy.ts';
import { Failure } from '../../../platform/errors.ts';
import { withTimeLimit } from '../time-limits.ts';

/** A browser context is replaced after this many pages, because its memory use grows with each page. */
const PAGES_PER_CONTEXT = 25;
/**
 * V8 flags for pages that live about half a second. Optimizing axe's hot functions again in each page costs a quarter of the
 * CPU time and pays off only after some thousand calls, as on very large pages. Browsers ignore flags that they do not know.
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
  /** Starts the browser and returns its name and version. */
  start(): Promise<string>;
  open(): BrowserTab;
  close(): Promise<void>;
}

/** A tab that holds one page at a time and is reused for the next page of the same site. */
export interface BrowserTab {
  page(site: string, size: ViewportSize): Promise<Page>;
  /** Closes the context: after a crash, or when a page hangs or cannot be left. */
  discard(): Promise<void>;
  /** Counts a visited page and closes the context after PAGES_PER_CONTEXT pages. */
  countPage(): Promise<void>;
}

interface TabPoolOptions {
  home: string;
  /** Path of the browser to start; default: the one that Assay finds. */
  browserPath?: string | undefined;
  userAgent: string;
  withAxe: boolean;
  proxy: string | undefined;
}

/** Tabs that share one browser, which is restarted after a crash. */
export function createTabPool(options: TabPoolOptions): TabPool {
  let launching: Promise<Browser> | undefined;
  let closed = false;
  const axe = options.withAxe ? readAxe() : undefined;
  // newContext awaits it and reports the error; this handler only prevents an unhandled rejection before that.
  axe?.catch(() => {});

  async function browser(): Promise<Browser> {
    const running = await launching?.catch(() => undefined);
    if (running?.isConnected()) return running;
    if (closed) throw new Error('the scan has ended');
    // Tabs that lost the same browser start one new browser together.
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
    const message = error.message.replace('ASSAY_BROWSER', 'chrome_binary_location');
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

  /** The current page, resized; undefined when it belongs to another site, is closed, or hangs. */
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

/** Answers dialogs and closes popup windows, so that neither blocks the page. */
function suppressInterruptions(context: BrowserContext, page: Page): void {
  page.on('dialog', (dialog) => {
    // Dismissing a beforeunload dialog would keep the browser on the page.
    const answer = dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss();
    answer.catch(() => {});
  });
  context.on('page', (other) => {
    if (other !== page) other.close().catch(() => {});
  });
}

/** Reads the source of axe, which runs in the page. */
export function readAxe(): Promise<string> {
  return readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
}
