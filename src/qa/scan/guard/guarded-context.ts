import type { BrowserContext, Request, Route } from 'playwright-core';
import type { BrowserPool, OpenContext } from '../../../platform/browser/browser-pool.ts';
import { trackClosedShadowRoots } from '../../../platform/page/capture/private-text.ts';
import { requestFrame } from '../../../platform/page/settle/request-frame.ts';
import type { ScanTab } from '../crawl/scan-tab.ts';
import { isStateChangingUrl } from '../site-urls.ts';
import { blockWorkersWhileLocked, lockOrigin } from './origin-lock.ts';

/** Lets the site be sent something while the work runs. */
export type AllowSending = <Result>(work: () => Promise<Result>) => Promise<Result>;

export interface GuardedContext extends AsyncDisposable {
  context: BrowserContext;
  /** Requests that would have changed something, or carried a secret to another site, and were not sent. */
  blockedRequests(): number;
  /** Requests to other sites that were not sent because a secret was in the page. */
  blockedByOriginLock(): number;
  /**
   * For the time that a secret is in the page. Nothing leaves it for another origin, whoever asks and however; and the site
   * itself is sent something only by `send`. In the end the document is gone, and whatever its scripts remember with it.
   */
  withOriginLock<Result>(tab: ScanTab, act: (send: AllowSending) => Promise<Result>): Promise<Result>;
  /** While this runs the page stays where it is, and asks for nothing whose address sounds as if it changed something. */
  withoutNavigation<Result>(act: () => Promise<Result>): Promise<Result>;
}

interface GuardOptions {
  origin: string;
  inside: readonly string[] | undefined;
  signal: AbortSignal;
  /** Whether a text holds a secret that opens something, however it is written. */
  isSecret(text: string): boolean;
}

/** A context that only reads: whatever is not a GET is not sent, and the page never leaves the site. */
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

  /** Why a request is not sent: as a failure, or as if nobody had asked for it, so that the page stays. */
  function blockReason(request: Request): 'blockedbyclient' | 'aborted' | undefined {
    const url = URL.parse(request.url());
    const isOurs = url?.origin === origin;
    const place = requestSource(request);
    if (state.isHeld && (!isOurs || place.origin !== origin)) {
      counts.heldIn++;
      return 'blockedbyclient';
    }
    const isReading = ['GET', 'HEAD', 'OPTIONS'].includes(request.method());
    const carries = !isOurs && isSecret(requestText(request));
    const isPush = state.isStill && (place.isWholePage || (url !== null && isStateChangingUrl(url)));
    if ((!isReading && !(state.maySend && isOurs)) || carries || isPush) {
      counts.withheld++;
      return place.isWholePage ? 'aborted' : 'blockedbyclient';
    }
    return (place.isWholePage && !isOurs) || request.resourceType() === 'media' ? 'blockedbyclient' : undefined;
  }

  /** A frame of another origin has its own; one without an address shares that of the page around it. */
  function requestSource(request: Request): { origin: string; isWholePage: boolean } {
    const frame = requestFrame(request);
    // Something that has no page: nobody knows where it belongs.
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
  // A page that closes takes its open requests with it.
  await context.route('**/*', (route) => void pass(route).catch(() => {}));
  await context.routeWebSocket('**/*', (socket) => void socket.close());
  return {
    context,
    blockedRequests: () => counts.withheld,
    blockedByOriginLock: () => counts.heldIn,
    withoutNavigation: (act) => during('isStill', act),
    withOriginLock: (tab, act) =>
      during('isHeld', async () => {
        await using _held = await lockOrigin(context, tab, origin);
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
  // Nobody sees what these send.
  for (const name of ['SharedWorker', 'RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport'])
    Reflect.deleteProperty(globalThis, name);
}
