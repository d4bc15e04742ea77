import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { Failure } from '../../../platform/errors.ts';
import type { ScanTab } from '../crawl/scan-tab.ts';

const LOCK_TIMEOUT_MS = 15_000;

/**
 * Keeps a page to its own origin where routes do not reach: the second hop of a redirect, the sockets of workers, new windows.
 * Workers that are there are ended, and new ones do not begin (`beHeld`), since they could not be held. Throws where the
 * page does not obey. Disposing ends the document first.
 */
export async function lockOrigin(context: BrowserContext, tab: ScanTab, origin: string): Promise<AsyncDisposable> {
  const page = tab.page();
  const session = await context.newCDPSession(page);
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    const isOurs = URL.parse(request.url)?.origin === origin;
    const decided = isOurs
      ? session.send('Fetch.continueRequest', { requestId })
      : session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    // The requests of a closed page fail; that is expected.
    decided.catch(() => {});
  });
  const close = (popup: Page) => void popup.close().catch(() => {});
  context.on('page', close);
  const lock = {
    async [Symbol.asyncDispose]() {
      context.off('page', close);
      await tab.closeDocument();
      await session.detach().catch(() => {});
    },
  };
  try {
    await session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
    // A login may span several pages. The script ends with the CDP session.
    await session.send('Page.enable');
    await session.send('Page.addScriptToEvaluateOnNewDocument', { source: `(${markLocked})()` });
    await withinTimeLimit(lockFramesAndWorkers(page));
  } catch (error) {
    await lock[Symbol.asyncDispose]();
    throw error;
  }
  return lock;
}

async function lockFramesAndWorkers(page: Page): Promise<void> {
  for (const frame of page.frames())
    await frame.evaluate(markLocked).catch((error: unknown) => {
      if (!frame.isDetached()) throw error;
    });
  for (const worker of page.workers()) await worker.evaluate(() => globalThis.close()).catch(() => {});
}

async function withinTimeLimit(work: Promise<void>): Promise<void> {
  const late = async () => {
    await pause(LOCK_TIMEOUT_MS, undefined, { ref: false });
    throw new Failure(
      'site_failed',
      'LOGIN_UNSAFE',
      'The login page did not respond in time, so nothing was typed into it.',
    );
  };
  await Promise.race([work, late()]);
}

/** Runs in the page. The mark cannot be removed. */
function markLocked(): void {
  Object.defineProperty(globalThis, Symbol.for('assay.held'), { value: true });
}

/**
 * In the page, before its own scripts: in a page that is held, or a frame that it made since, no worker begins.
 */
export function blockWorkersWhileLocked(): void {
  const isLocked = (realm: Window | typeof globalThis): boolean => {
    try {
      if (Reflect.get(realm, Symbol.for('assay.held')) === true) return true;
      return realm.parent !== realm && isLocked(realm.parent);
    } catch {
      // A parent frame of another origin is not readable; it has its own mark.
      return false;
    }
  };
  const Native = globalThis.Worker;
  if (!Native) return;
  const LockedWorker = new Proxy(Native, {
    construct(target, given, made) {
      if (isLocked(globalThis)) throw new DOMException('No workers here.', 'SecurityError');
      return Reflect.construct(target, given, made);
    },
  });
  Object.defineProperty(Native.prototype, 'constructor', { value: LockedWorker });
  globalThis.Worker = LockedWorker;
}
