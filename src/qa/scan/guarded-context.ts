import type { BrowserContext, Page, Route } from 'playwright-core';
import type { BrowserRoom, OpenContext } from '../../platform/browser/room.ts';

/** More than this, pictures and all, is no page to read. */
const MOST_PAGE_BYTES = 30_000_000;
/** Of the page itself less will do: its text has to be taken apart. */
const MOST_DOCUMENT_BYTES = 5_000_000;

export interface GuardedContext extends AsyncDisposable {
  context: BrowserContext;
  /** Requests that would have changed something, and were not sent. */
  withheld(): number;
  /** While this runs, and at no other time, something may be sent to the site: the login. */
  letSend<Result>(act: () => Promise<Result>): Promise<Result>;
}

/** A context that only reads: whatever is not a GET is not sent, and the page never leaves the site. */
export async function openGuarded(
  browsers: BrowserRoom,
  { origin, inside, signal }: { origin: string; inside: readonly string[] | undefined; signal: AbortSignal },
): Promise<GuardedContext> {
  const opened: OpenContext = await browsers.open({
    inside,
    signal,
    options: { viewport: { width: 1280, height: 900 }, acceptDownloads: false, reducedMotion: 'reduce' },
  });
  const { context } = opened;
  let withheld = 0;
  let maySend = false;
  const pass = async (route: Route) => {
    const request = route.request();
    const isReading = ['GET', 'HEAD', 'OPTIONS'].includes(request.method());
    const isOurs = URL.parse(request.url())?.origin === origin;
    if (!isReading && !(maySend && isOurs)) {
      withheld++;
      return route.abort('blockedbyclient');
    }
    const leaves = request.isNavigationRequest() && request.frame().parentFrame() === null && !isOurs;
    return leaves || request.resourceType() === 'media' ? route.abort('blockedbyclient') : route.continue();
  };
  await context.addInitScript(leaveNothingBehind);
  // A page that closes takes its open requests with it.
  await context.route('**/*', (route) => void pass(route).catch(() => {}));
  await context.routeWebSocket('**/*', (socket) => void socket.close());
  return {
    context,
    withheld: () => withheld,
    async letSend(act) {
      maySend = true;
      try {
        return await act();
      } finally {
        maySend = false;
      }
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

/** In the page, before its own scripts: what outlives a page is sent where nobody can hold it back. */
function leaveNothingBehind(): void {
  const send = globalThis.fetch;
  Object.defineProperty(Navigator.prototype, 'sendBeacon', { value: () => true });
  globalThis.fetch = (input, init) =>
    input instanceof Request && input.keepalive
      ? send(new Request(input, { ...init, keepalive: false }))
      : send(input, init?.keepalive ? { ...init, keepalive: false } : init);
  Reflect.deleteProperty(globalThis, 'SharedWorker');
}

/** Watches how much a page takes in. */
export interface ByteLimit {
  /** Begins to count anew; resolves, if ever, when it was too much. */
  exceeded(): Promise<void>;
}

/** Stops whatever pours more into the page than can be read. */
export async function limitBytes(context: BrowserContext, page: Page): Promise<ByteLimit> {
  const documents = new Set<string>();
  let bytes = { page: 0, document: 0 };
  let over = Promise.withResolvers<void>();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable', { maxTotalBufferSize: 1_000_000, maxResourceBufferSize: 1_000_000 });
  const add = (more: number, isDocument: boolean) => {
    bytes.page += more;
    if (isDocument) bytes.document += more;
    if (bytes.page <= MOST_PAGE_BYTES && bytes.document <= MOST_DOCUMENT_BYTES) return;
    over.resolve();
    session.send('Page.stopLoading').catch(() => {});
  };
  session.on('Network.requestWillBeSent', ({ requestId, type }) => {
    if (type === 'Document') documents.add(requestId);
  });
  session.on('Network.dataReceived', ({ requestId, dataLength }) => add(dataLength, documents.has(requestId)));
  // Some say beforehand how much they will send.
  page.on('response', (response) => {
    const promised = Number(response.headers()['content-length'] ?? 0);
    if (promised > MOST_PAGE_BYTES) add(promised, false);
  });
  return {
    exceeded() {
      bytes = { page: 0, document: 0 };
      documents.clear();
      over = Promise.withResolvers();
      return over.promise;
    },
  };
}
