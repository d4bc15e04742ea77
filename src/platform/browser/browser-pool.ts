import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { createAddressGuard } from '../network/address-guard.ts';
import { launchBrowser } from './browser-launch.ts';
import {
  forbidFiles,
  forbidPeerConnections,
  type GuardProxy,
  proxyContextOptions,
  startGuardProxy,
} from './guard-proxy.ts';
import { removeTrace } from './trace-folder.ts';

/** A browser is replaced after this many contexts, because its memory grows with each. */
const CONTEXTS_PER_BROWSER = 200;
const IDLE_MS = 5 * 60_000;

interface ContextOptions {
  /** Private addresses that the context may visit; undefined allows all (see `ToolContext.allowedPrivateAddresses`). */
  allowedPrivateAddresses: readonly string[] | undefined;
  options?: BrowserContextOptions;
  /** Closes the context with all its pages when it is aborted. */
  signal?: AbortSignal;
}

/** A separate context in the shared browser. Disposing closes it. */
export interface OpenContext extends AsyncDisposable {
  context: BrowserContext;
}

/** The browser of this process: started on first use, replaced when it dies or has served too many contexts. */
export interface BrowserPool {
  open(request: ContextOptions): Promise<OpenContext>;
  /** Removes the files of a stopped trace by its name. A trace contains every value that was entered. */
  removeTrace(name: string): Promise<void>;
  counts(): { browsers: number; contexts: number };
  close(): Promise<void>;
}

interface RunningBrowser {
  browser: Promise<Browser>;
  opened: number;
  open: number;
  /** Its last work was aborted and no context was opened since, so it is not kept for reuse. */
  isLeft: boolean;
}

export function createBrowserPool({ home }: { home: string }): BrowserPool {
  const running = new Set<RunningBrowser>();
  const proxies = new Map<string, Promise<GuardProxy>>();
  let current: RunningBrowser | undefined;
  let closed = false;
  let idle: NodeJS.Timeout | undefined;

  function start(): RunningBrowser {
    const entry: RunningBrowser = { browser: launchBrowser({ home }), opened: 0, open: 0, isLeft: false };
    const gone = () => {
      running.delete(entry);
      if (current === entry) current = undefined;
    };
    entry.browser.then((browser) => browser.on('disconnected', gone), gone);
    running.add(entry);
    return entry;
  }

  async function end(entry: RunningBrowser): Promise<void> {
    if (current === entry) current = undefined;
    const browser = await entry.browser.catch(() => undefined);
    await browser?.close();
  }

  function take(): RunningBrowser {
    if (closed) throw new Error('the browsers of this process are closed');
    clearTimeout(idle);
    current ??= start();
    const taken = current;
    taken.open++;
    taken.isLeft = false;
    if (++taken.opened >= CONTEXTS_PER_BROWSER) current = undefined;
    return taken;
  }

  function giveBack(entry: RunningBrowser): void {
    entry.open--;
    if (entry.open > 0) return;
    if (entry !== current || entry.isLeft) void end(entry);
    else idle = setTimeout(() => entry.open === 0 && void end(entry), IDLE_MS).unref();
  }

  /** A cancelled call must leave no browser process, unless other contexts use the browser. */
  function leave(entry: RunningBrowser): void {
    entry.isLeft = true;
    if (entry.open === 0) void end(entry);
  }

  async function wayOut(allowedPrivateAddresses: readonly string[]): Promise<BrowserContextOptions> {
    const key = JSON.stringify(allowedPrivateAddresses);
    let proxy = proxies.get(key);
    if (!proxy) {
      const guard = createAddressGuard(allowedPrivateAddresses);
      proxy = startGuardProxy(guard.check, guard.lookup);
      proxies.set(key, proxy);
      proxy.catch(() => proxies.delete(key));
    }
    return proxyContextOptions((await proxy).server);
  }

  async function newContext(
    { browser }: RunningBrowser,
    { allowedPrivateAddresses, options }: ContextOptions,
  ): Promise<BrowserContext> {
    const context = await (await browser).newContext({
      serviceWorkers: 'block',
      ...options,
      ...(allowedPrivateAddresses && (await wayOut(allowedPrivateAddresses))),
    });
    try {
      if (allowedPrivateAddresses) await Promise.all([forbidPeerConnections(context), forbidFiles(context)]);
      return context;
    } catch (error) {
      await context.close().catch(() => {});
      throw error;
    }
  }

  /** A browser that has just died fails the first attempt, so a second one is made in a new browser. */
  async function openIn(request: ContextOptions): Promise<{ entry: RunningBrowser; context: BrowserContext }> {
    for (let tries = 1; ; tries++) {
      const entry = take();
      try {
        return { entry, context: await newContext(entry, request) };
      } catch (error) {
        giveBack(entry);
        const browser = await entry.browser.catch(() => undefined);
        if (tries > 1 || closed || browser?.isConnected() !== false) throw error;
        if (current === entry) current = undefined;
      }
    }
  }

  return {
    async open(request) {
      if (request.signal?.aborted && current) leave(current);
      request.signal?.throwIfAborted();
      const { entry, context } = await openIn(request);
      let closing: Promise<void> | undefined;
      const close = () => {
        closing ??= context.close().catch(() => {});
        return closing;
      };
      context.once('close', () => {
        giveBack(entry);
        discardTrace(context);
      });
      const stop = () => {
        leave(entry);
        void close();
      };
      request.signal?.addEventListener('abort', stop, { once: true });
      if (request.signal?.aborted) stop();
      await closing;
      return {
        context,
        async [Symbol.asyncDispose]() {
          request.signal?.removeEventListener('abort', stop);
          await close();
        },
      };
    },
    removeTrace: (name) => removeTrace(home, name),
    counts: () => ({
      browsers: running.size,
      contexts: [...running].reduce((sum, { open }) => sum + open, 0),
    }),
    async close() {
      closed = true;
      clearTimeout(idle);
      await Promise.all([...running].map(end));
      for (const proxy of proxies.values()) (await proxy.catch(() => undefined))?.close();
    },
  };
}

/**
 * Playwright records the call stacks of every call in the process for each trace that was started and never stopped, also
 * after its context is closed.
 */
function discardTrace(context: BrowserContext): void {
  // It rejects for a closed context, after it has released the stacks.
  context.tracing.stop().catch(() => {});
}
