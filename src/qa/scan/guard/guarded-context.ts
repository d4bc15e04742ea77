import type { BrowserContext, Request, Route } from 'playwright-core';
import type { BrowserPool, OpenContext } from '../../../platform/browser/browser-pool.ts';
import { trackClosedShadowRoots } from '../../../platform/page/capture/private-text.ts';
import { requestFrame } from '../../../platform/page/settle/request-frame.ts';
import type { ScanTab } from '../crawl/scan-tab.ts';
import { isStateChangingUrl } from '../site-urls.ts';
import { blockWorkersWhileLocked, lockOrigin } from './origin-lock.ts';

/** Allows requests that change something while the work runs. */
export type AllowSending = <Result>(work: () => Promise<Result>) => Promise<Result>;

export interface GuardedContext extends AsyncDisposable {
  context: BrowserContext;
  /** Number of blocked requests that would have changed something or sent a secret to another site. */
  blockedRequests(): number;
  /** Number of requests to other sites that the origin lock blocked. */
  blockedByOriginLock(): number;
  /**
   * Runs `act` while a secret is in the page. No request leaves for another origin, and the site itself gets writing requests
   * only during `send`. Afterwards the document is closed, with everything that its scripts have stored in memory.
   */
  withOriginLock<Result>(tab: ScanTab, act: (send: AllowSending) => Promise<Result>): Promise<Result>;
  /** Blocks navigation, and requests whose URL suggests a change, while the work runs. */
  withoutNavigation<Result>(act: () => Promise<Result>): Promise<Result>;
}

interface GuardOptions {
  origin: string;
  inside: readonly string[] | undefined;
  signal: AbortSignal;
  /** Whether a text holds a credential in any encoding. */
  isSecret(text: string): boolean;
}

/** Opens a browser context that only reads: it sends only GET requests and never leaves the site. */
export async function openGuardedContext(
  browsers: BrowserPool,
  { origin, inside, signal, isSecret }: GuardOptions,
): Promise<GuardedContext> {
  const opened: OpenContext = await browsers.open({
    allowedPrivateAddresses: inside,
    signal,
    options: { viewport: { width: 1280, height: 900 }, acceptDownloads: false, reducedMotion: 'reduce' },
  });
  const { context } = opened;
  const counts = { withheld: 0, heldIn: 0 };
  const state = { isHeld: false, maySend: false, isStill: false };

  /** Error code for a blocked request; `aborted` keeps the current page. Undefined if the request may pass. */
  function blockReason(request: Request): 'blockedbyclient' | 'aborted' | undefined {
    const url = URL.parse(request.url());
    const isOurs = url?.origin === origin;
    const source = requestSource(request);
    if (state.isHeld && (!isOurs || source.origin !== origin)) {
      counts.heldIn++;
      return 'blockedbyclient';
    }
    const isReading = ['GET', 'HEAD', 'OPTIONS'].includes(request.method());
    const carries = !isOurs && isSecret(requestText(request));
    const isPush = state.isStill && (source.isWholePage || (url !== null && isStateChangingUrl(url)));
    if ((!isReading && !(state.maySend && isOurs)) || carries || isPush) {
      counts.withheld++;
      return source.isWholePage ? 'aborted' : 'blockedbyclient';
    }
    return (source.isWholePage && !isOurs) || request.resourceType() === 'media' ? 'blockedbyclient' : undefined;
  }

  /** Origin of the frame that sends a request. A frame without a URL has the origin of its page. */
  function requestSource(request: Request): { origin: string; isWholePage: boolean } {
    const frame = requestFrame(request);
    // Requests of workers have no frame, so their origin is unknown.
    if (!frame) return { origin: '', isWholePage: false };
    const own = URL.parse(frame.url());
    return {
      origin: own && /^https?:$/.test(own.protocol) ? own.origin : origin,
      isWholePage: request.isNavigationRequest() && frame.parentFrame() === null,
    };
  }

  async function pass(route: Route): Promise<void> {
    const why = blockReason(route.request());
    return why ? route.abort(why) : route.continue();
  }

  async function during<Result>(name: keyof typeof state, act: () => Promise<Result>): Promise<Result> {
    state[name] = true;
    try {
      return await act();
    } finally {
      state[name] = false;
    }
  }

  await context.addInitScript(suppressUnloadHandlers);
  await context.addInitScript(blockWorkersWhileLocked);
  await context.addInitScript(trackClosedShadowRoots);
  // Requests of a closing page fail; that is expected.
  await context.route('**/*', (route) => void pass(route).catch(() => {}));
  await context.routeWebSocket('**/*', (socket) => void socket.close());
  return {
    context,
    blockedRequests: () => counts.withheld,
    blockedByOriginLock: () => counts.heldIn,
    withoutNavigation: (act) => during('isStill', act),
    withOriginLock: (tab, act) =>
      during('isHeld', async () => {
        await using _lock = await lockOrigin(context, tab, origin);
        return await act((work) => during('maySend', work));
      }),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

function requestText(request: Request): string {
  return [request.url(), ...Object.values(request.headers()), request.postData() ?? ''].join('\n');
}

/**
 * In the page, before its own scripts. Chromium lets about one in sixty requests that start while a document is replaced pass
 * without interception, so no script of the page is called when its document ends, and no request outlives it.
 */
function suppressUnloadHandlers(): void {
  for (const type of ['beforeunload', 'pagehide', 'unload', 'visibilitychange', 'freeze'])
    globalThis.addEventListener(type, (event) => event.stopImmediatePropagation(), { capture: true });
  const send = globalThis.fetch;
  Object.defineProperty(Navigator.prototype, 'sendBeacon', { value: () => true });
  globalThis.fetch = (input, init) =>
    input instanceof Request && input.keepalive
      ? send(new Request(input, { ...init, keepalive: false }))
      : send(input, init?.keepalive ? { ...init, keepalive: false } : init);
  // Requests of these APIs cannot be intercepted.
  for (const name of ['SharedWorker', 'RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport'])
    Reflect.deleteProperty(globalThis, name);
}
