import type { BrowserContext, Page, Request } from 'playwright-core';

/** What was not answered for so long is not about to be: whoever waits for news asks like that. */
const HANGING_MS = 5_000;

/** The page went on to another one while something was asked of it. */
export function isContextLostError(error: unknown): boolean {
  return (
    error instanceof Error &&
    /Execution context was destroyed|Frame was detached|because of a navigation|Cannot find context|navigating and changing/.test(
      error.message,
    )
  );
}

/** The requests of a context that may still change a page. Streams and beacons never end, and are not waited for. */
export function watchNetwork(context: BrowserContext) {
  /** With the time that each was begun at. */
  const open = new Map<Request, number>();
  const lost = new WeakSet<Request>();
  let earlier: readonly Request[] = [];
  const isAwaited = (type: string) => ['document', 'xhr', 'fetch', 'script', 'stylesheet'].includes(type);
  const begin = (request: Request) => {
    if (isAwaited(request.resourceType())) open.set(request, performance.now());
  };
  const end = (request: Request) => open.delete(request);
  const fail = (request: Request) => {
    lost.add(request);
    end(request);
  };
  const isReading = (request: Request) =>
    request.method() === 'GET' && ['xhr', 'fetch'].includes(request.resourceType());
  const isHanging = (request: Request) => {
    const begun = open.get(request);
    if (begun === undefined || performance.now() - begun < HANGING_MS || !isReading(request)) return false;
    return earlier.some((one) => one.url() === request.url() && (open.has(one) || lost.has(one)));
  };
  context.on('request', begin).on('requestfinished', end).on('requestfailed', fail);
  return {
    pending: () => open.size,
    /** What is only asked for, and is open before somebody does something, is no consequence of it. */
    remember() {
      earlier = [...open.keys()].filter(isReading);
    },
    /** It was open then, or is the same once more as one that was and got no answer; and it has been open for long itself. */
    isHanging,
    /** What is pending without that. */
    asking: () => [...open.keys()].filter((request) => !isHanging(request)).length,
    /** How much of it is only that. */
    hanging: () => [...open.keys()].filter(isHanging).length,
  };
}

/** Resolves at the next change of a page or any of its frames; a navigation is one. False: there was none within the limit. */
export async function waitForChange(page: Page, limitMs: number): Promise<boolean> {
  const frames = page.frames().slice(0, 10);
  const changes = frames.map((frame) => frame.evaluate(changeInPage, limitMs).catch(() => 'gone' as const));
  // A look that was begun between two pages waits in the new one, which may have nothing more to change.
  const arrival = Promise.withResolvers<'gone'>();
  const onArrival = () => arrival.resolve('gone');
  page.on('framenavigated', onArrival);
  const first = await Promise.race([...changes, arrival.promise]);
  page.off('framenavigated', onArrival);
  // What could not be watched is on its way to another page.
  if (first === 'gone' && !page.isClosed())
    await page.waitForLoadState('domcontentloaded', { timeout: limitMs }).catch(() => {});
  return first !== false;
}

/** In the page. Shadow roots are watched one by one, since changes do not cross their border. */
function changeInPage(limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (hasChanged: boolean) => {
      observer.disconnect();
      clearTimeout(timer);
      resolve(hasChanged);
    };
    const timer = setTimeout(end, limitMs, false);
    const observer = new MutationObserver(() => end(true));
    const what = { childList: true, subtree: true, attributes: true, characterData: true };
    observer.observe(document, what);
    for (const element of document.querySelectorAll('*'))
      if (element.shadowRoot) observer.observe(element.shadowRoot, what);
  });
}

/** How long a look at a page lasts that nothing happens on. */
export const PAGE_POLL_MS = 250;
const QUIET_LOOKS = 4;

/**
 * Tells when a page that is looked at again and again has come to rest: nothing has changed for several looks, and nothing is
 * asked of the network. Looks are counted and not the clock, since a busy machine is no page at rest. Without knowing what
 * is pending a page never has come to rest.
 */
export function createRestDetector(pending: (() => number) | undefined): { isAtRest(hasChanged: boolean): boolean } {
  let quiet = 0;
  return {
    isAtRest(hasChanged) {
      quiet = hasChanged || !pending || pending() > 0 ? 0 : quiet + 1;
      return quiet >= QUIET_LOOKS;
    },
  };
}
