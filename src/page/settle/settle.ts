import type { Frame, Page, Request } from 'playwright-core';
import { requestFrame } from '../../platform/page/settle/request-frame.ts';
import type { LoadingState } from '../injected/loading-state.ts';
import { callInPage } from '../world/isolated-world.ts';
import { type OpenRequests, watchOpenRequests } from './open-requests.ts';

export interface SettleResult {
  /**
   * `ready`: the page has what a person would wait for; `navigated`: so has the document or address that replaced it; `late`: the
   * time limit came first, or the page stopped waiting for a request that may still change it.
   */
  how: 'ready' | 'navigated' | 'late';
  url: string;
  /** Documents that the main frame has asked for since the watch began, without redirects of the server. */
  documents: number;
  /** What was still open on a `late` page, in words: requests, or what the page shows. */
  open: string[];
}

export interface SettleOptions {
  /** How long nothing must change. */
  quietMs?: number;
  /** How long to wait at most. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface ActivityOptions {
  /** Requests that are not waited for. Asked again and again, since that may depend on how long they have been open. */
  ignores?: (request: Request) => boolean;
}

/** A watch on what a page asks of the network and which documents it opens. Begin it before the action that it is about. */
export interface PageActivity extends Disposable {
  settle(options?: SettleOptions): Promise<SettleResult>;
}

const QUIET_MS = 60;
const TIMEOUT_MS = 10_000;
/** How long a page that asks for nothing may be empty, say that it is loading, or keep changing, before it is taken as it is. */
const EMPTY_MS = 3_000;
const IDLE_BUSY_MS = 3_500;
const CHANGING_MS = 2_000;
/** How long fonts and animations are waited for when nothing else is open. */
const APPEARANCE_MS = 2_000;
const PROBE_MS = 40;
const PROBE_LIMIT_MS = 2_000;
const MAX_OPEN = 5;
const SAYS_LOADING = 'the page said that it was loading';

/**
 * Does something, then waits until the page is ready, as a person would.
 *
 * @example
 * const { how, open } = await actAndSettle(page, () => page.click('#save'));
 * if (how === 'late') report(`still open: ${open.join(', ')}`);
 */
export async function actAndSettle(
  page: Page,
  act: () => Promise<unknown>,
  { ignores, ...options }: SettleOptions & ActivityOptions = {},
): Promise<SettleResult> {
  const deadline = performance.now() + (options.timeoutMs ?? TIMEOUT_MS);
  using activity = watchActivity(page, ignores && { ignores });
  await act();
  return await activity.settle({ ...options, timeoutMs: Math.max(1, deadline - performance.now()) });
}

export function watchActivity(page: Page, { ignores }: ActivityOptions = {}): PageActivity {
  const before = page.url();
  const requests = watchOpenRequests(page, ignores);
  let documents = 0;
  let hasNavigated = false;
  const onRequest = (request: Request) => {
    const isDocument = request.isNavigationRequest() && requestFrame(request) === page.mainFrame();
    if (isDocument && !request.redirectedFrom()) documents++;
  };
  const onNavigation = (frame: Frame) => {
    hasNavigated ||= frame === page.mainFrame();
  };
  const crash = Promise.withResolvers<never>();
  crash.promise.catch(() => {});
  const onCrash = () => crash.reject(new Error('the page crashed'));
  page.on('request', onRequest).on('framenavigated', onNavigation).on('crash', onCrash);
  return {
    async settle(options = {}) {
      // A crashed page answers no call, not even with an error.
      const open = await Promise.race([crash.promise, waitUntilReady(page, requests, () => documents, options)]);
      const url = page.url();
      const how = open.length > 0 ? 'late' : hasNavigated || url !== before ? 'navigated' : 'ready';
      return { how, url, documents, open };
    },
    [Symbol.dispose]() {
      page.off('request', onRequest).off('framenavigated', onNavigation).off('crash', onCrash);
      requests[Symbol.dispose]();
    },
  };
}

/** Returns what was still open; nothing on a page that is ready. */
async function waitUntilReady(
  page: Page,
  requests: OpenRequests,
  documents: () => number,
  { quietMs = QUIET_MS, timeoutMs = TIMEOUT_MS, signal }: SettleOptions,
): Promise<string[]> {
  const begun = performance.now();
  const deadline = begun + timeoutMs;
  let [lastDocument, documentBegun, readySince] = [documents(), begun, Number.POSITIVE_INFINITY];
  for (let isFirst = true; ; ) {
    signal?.throwIfAborted();
    const left = deadline - performance.now();
    if (left > 0 && requests.awaited(false).length > 0) {
      await requests.nextEnd(Math.min(left, PROBE_MS));
      continue;
    }
    const state = await probe(page, isFirst, Math.max(PROBE_MS, Math.min(left, PROBE_LIMIT_MS)));
    const now = performance.now();
    if (state === 'closed') return [];
    if (documents() !== lastDocument) [lastDocument, documentBegun] = [documents(), now];
    let pauseMs = PROBE_MS;
    const waitedFor = describe(requests.awaited(true));
    let open = waitedFor.length > 0 ? waitedFor : ['the page does not respond'];
    if (state) {
      isFirst = false;
      const mayReact = state.isScripted || documents() === 0;
      const quiet = Math.min(state.quietMs, requests.quietMs());
      const idleMs = Math.min(now - documentBegun, requests.quietMs());
      open = openParts(state, idleMs, requests);
      if (open.length === 0 && mayReact && quiet < quietMs && idleMs < CHANGING_MS) {
        pauseMs = quietMs - quiet;
        open.push('the page was changing');
      }
      if (open.length > 0) readySince = Number.POSITIVE_INFINITY;
      else readySince = Math.min(readySince, now);
      const isAppearing = state.isEntering || state.areFontsLoading;
      if (open.length === 0 && !(isAppearing && now - readySince < APPEARANCE_MS))
        return [...describe(requests.overdue()), ...(state.isBusy ? [SAYS_LOADING] : [])];
    }
    if (now >= deadline) return open;
    await requests.nextEnd(Math.max(1, Math.min(pauseMs, deadline - now)));
  }
}

/** What a person would still wait for. What the page says about itself counts for a limited time after its last request. */
function openParts(state: LoadingState, idleMs: number, requests: OpenRequests): string[] {
  const open = describe(requests.awaited(state.isBusy || state.isSpinning || state.isEmpty));
  if (state.isParsing) open.push('the document was incomplete');
  if (state.isBusy && idleMs < IDLE_BUSY_MS) open.push(SAYS_LOADING);
  if (state.isEmpty && idleMs < EMPTY_MS) open.push('the main region was empty');
  return open;
}

function describe(requests: readonly Request[]): string[] {
  return requests.slice(0, MAX_OPEN).map(
    (request) =>
      `${request.method()} ${request
        .url()
        .replace(/[?#].*/s, '')
        .slice(0, 200)}`,
  );
}

async function probe(page: Page, restart: boolean, limitMs: number): Promise<LoadingState | 'closed' | undefined> {
  try {
    return await callInPage(page, 'readLoadingState', { restart }, limitMs);
  } catch (error) {
    if (page.isClosed()) return 'closed';
    throw error;
  }
}
