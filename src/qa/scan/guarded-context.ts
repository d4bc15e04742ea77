import type { BrowserContext, Request, Route } from 'playwright-core';
import type { BrowserPool, OpenContext } from '../../platform/browser/browser-pool.ts';
import { trackClosedShadowRoots } from '../../platform/page/capture/private-text.ts';
import { requestFrame } from '../../platform/page/settle/request-frame.ts';
import { soundsLikeChange } from './addresses.ts';
import { beHeld, holdIn } from './hold-in.ts';
import type { Tab } from './visit.ts';

/** Lets the site be sent something while the work runs. */
export type Send = <Result>(work: () => Promise<Result>) => Promise<Result>;

export interface GuardedContext extends AsyncDisposable {
  context: BrowserContext;
  /** Requests that would have changed something, or carried a secret to another site, and were not sent. */
  withheld(): number;
  /** Requests to other sites that were not sent because a secret was in the page. */
  heldIn(): number;
  /**
   * For the time that a secret is in the page. Nothing leaves it for another origin, whoever asks and however; and the site
   * itself is sent something only by `send`. In the end the document is gone, and whatever its scripts remember with it.
   */
  keepIn<Result>(tab: Tab, act: (send: Send) => Promise<Result>): Promise<Result>;
  /** While this runs the page stays where it is, and asks for nothing whose address sounds as if it changed something. */
  stayPut<Result>(act: () => Promise<Result>): Promise<Result>;
}

interface GuardWishes {
  origin: string;
  inside: readonly string[] | undefined;
  signal: AbortSignal;
  /** Whether a text holds a secret that opens something, however it is written. */
  isSecret(text: string): boolean;
}

/** A context that only reads: whatever is not a GET is not sent, and the page never leaves the site. */
export async function openGuarded(
  browsers: BrowserPool,
  { origin, inside, signal, isSecret }: GuardWishes,
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
  function refusal(request: Request): 'blockedbyclient' | 'aborted' | undefined {
    const url = URL.parse(request.url());
    const isOurs = url?.origin === origin;
    const place = placeOf(request);
    if (state.isHeld && (!isOurs || place.origin !== origin)) {
      counts.heldIn++;
      return 'blockedbyclient';
    }
    const isReading = ['GET', 'HEAD', 'OPTIONS'].includes(request.method());
    const carries = !isOurs && isSecret(textOf(request));
    const isPush = state.isStill && (place.isWholePage || (url !== null && soundsLikeChange(url)));
    if ((!isReading && !(state.maySend && isOurs)) || carries || isPush) {
      counts.withheld++;
      return place.isWholePage ? 'aborted' : 'blockedbyclient';
    }
    return (place.isWholePage && !isOurs) || request.resourceType() === 'media' ? 'blockedbyclient' : undefined;
  }

  /** A frame of another origin has its own; one without an address shares that of the page around it. */
  function placeOf(request: Request): { origin: string; isWholePage: boolean } {
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
    const why = refusal(route.request());
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

  await context.addInitScript(leaveNothingBehind);
  await context.addInitScript(beHeld);
  await context.addInitScript(trackClosedShadowRoots);
  // A page that closes takes its open requests with it.
  await context.route('**/*', (route) => void pass(route).catch(() => {}));
  await context.routeWebSocket('**/*', (socket) => void socket.close());
  return {
    context,
    withheld: () => counts.withheld,
    heldIn: () => counts.heldIn,
    stayPut: (act) => during('isStill', act),
    keepIn: (tab, act) =>
      during('isHeld', async () => {
        await using _held = await holdIn(context, tab, origin);
        return await act((work) => during('maySend', work));
      }),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

function textOf(request: Request): string {
  return [request.url(), ...Object.values(request.headers()), request.postData() ?? ''].join('\n');
}

/**
 * In the page, before its own scripts. Chromium lets about one in sixty requests that start while a document is replaced pass
 * without interception, so no script of the page is called when its document ends, and no request outlives it.
 */
function leaveNothingBehind(): void {
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
