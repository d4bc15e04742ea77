import type { Frame, Page, Request } from 'playwright-core';
import type { PageTarget } from '../in-page/mark-tools.ts';
import { evaluateWithTools, type InPageTools, identityRung, toPageTarget } from '../locate/element-target.ts';
import type { Ladder } from '../page-model.ts';
import { requestFrame } from '../settle/request-frame.ts';
import { isContextLostError } from '../settle/settle.ts';

interface ClickPoint {
  x: number;
  y: number;
}

/** What is noted in the page between the aim and the landing. */
export interface PendingNavigation {
  stop: AbortController;
  /** What is meant, until the click has landed. */
  aimed?: Element;
  event?: NavigateEvent;
  /** Something else had come under the mouse; it did not hear of the click. */
  hasMissed?: boolean;
}

interface FastClickOptions {
  times?: number;
  /** How long a page that the click leads to may take to answer. */
  timeoutMs: number;
}

/**
 * Clicks with the mouse on what the first rung means, where that is one element, in view, at rest and under nothing else: the
 * usual case, without bringing Playwright's own means into the page. Where the click leads to another page, that page is
 * there afterwards. False where anything is not as usual; nothing was done then.
 */
export async function fastClick(
  page: Page,
  ladder: Ladder,
  { times = 1, timeoutMs }: FastClickOptions,
): Promise<boolean> {
  const [rung] = ladder;
  const target = rung && toPageTarget(rung, identityRung(ladder));
  if (!target || target.frame.length > 0) return false;
  const frame = page.mainFrame();
  const spot = await evaluateWithTools<PageTarget, ClickPoint | null>(frame, aimInPage, target).catch(nullIfNavigating);
  if (!spot) return false;
  using ways = watchNavigation(page);
  await page.mouse.click(spot.x, spot.y, { clickCount: times });
  const stays = frame.evaluate(landingInPage, timeoutMs).catch(nullIfNavigating);
  const landed = await Promise.race([stays, ways.nowhere]);
  if (!landed) await ways.arrived;
  return landed !== 'missed';
}

/** Where a page that is led away gets to: another document, or nowhere, as with an answer without content or a download. */
function watchNavigation(page: Page): Disposable & { arrived: Promise<void>; nowhere: Promise<'hit'> } {
  const arrived = Promise.withResolvers<void>();
  const nowhere = Promise.withResolvers<'hit'>();
  const onNavigated = (frame: Frame) => {
    if (frame === page.mainFrame()) arrived.resolve();
  };
  const onFailed = (request: Request) => {
    if (request.isNavigationRequest() && requestFrame(request) === page.mainFrame()) nowhere.resolve('hit');
  };
  const onClosed = () => arrived.resolve();
  page.on('framenavigated', onNavigated).on('requestfailed', onFailed).on('close', onClosed).on('crash', onClosed);
  return {
    arrived: arrived.promise,
    nowhere: nowhere.promise,
    [Symbol.dispose]() {
      page
        .off('framenavigated', onNavigated)
        .off('requestfailed', onFailed)
        .off('close', onClosed)
        .off('crash', onClosed);
    },
  };
}

function nullIfNavigating(error: unknown): null {
  if (isContextLostError(error)) return null;
  throw error;
}

/** In the page: where to click. From then on it notes whether the page is led away. */
function aimInPage({ meant }: InPageTools, target: PageTarget): ClickPoint | null {
  const [element, ...others] = meant(target);
  if (!element || others.length > 0 || element.matches(':disabled,[aria-disabled=true]')) return null;
  if (!element.checkVisibility({ checkVisibilityCSS: true })) return null;
  // What moves is waited for, which is not for here.
  if (document.getAnimations().length > 0) return null;
  element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  const box = [...element.getClientRects()].find(({ width, height }) => width >= 1 && height >= 1);
  if (!box) return null;
  const spot = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  let top = document.elementFromPoint(spot.x, spot.y);
  for (let inner = top; inner; inner = inner.shadowRoot?.elementFromPoint(spot.x, spot.y) ?? null) top = inner;
  const lies = (inside: Element | null): boolean => {
    if (!inside) return false;
    if (inside === element || element.contains(inside)) return true;
    const root = inside.getRootNode();
    return root instanceof ShadowRoot && lies(root.host);
  };
  if (!lies(top)) return null;
  const seen: PendingNavigation = { stop: new AbortController(), aimed: element };
  Reflect.set(window, Symbol.for('assay.leaving'), seen);
  const note = (event: NavigateEvent) => {
    if (!event.destination.sameDocument && event.downloadRequest === null) seen.event = event;
  };
  const { signal } = seen.stop;
  window.navigation?.addEventListener('navigate', note, { signal });
  const heed = new AbortController();
  const onMouse = (event: Event) => {
    if (!event.isTrusted) return;
    // Only the first of several: the page may answer it by drawing itself anew.
    if (event.type === 'click') heed.abort();
    if (event.composedPath().includes(element)) return;
    seen.hasMissed = true;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const heeded = AbortSignal.any([signal, heed.signal]);
  for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
    window.addEventListener(type, onMouse, { capture: true, signal: heeded });
  return spot;
}

/** In the page: ends at once where it stays, and with the page where it is led away. */
function landingInPage(limitMs: number): Promise<'hit' | 'missed'> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    // A form is sent in a task of its own, after the click.
    port1.onmessage = () => {
      const seen: PendingNavigation | undefined = Reflect.get(window, Symbol.for('assay.leaving'));
      seen?.stop.abort();
      delete seen?.aimed;
      const event = seen?.event;
      if (seen?.hasMissed) return resolve('missed');
      if (!event || event.defaultPrevented || event.signal.aborted) return resolve('hit');
      event.signal.addEventListener('abort', () => resolve('hit'));
      setTimeout(() => resolve('hit'), limitMs);
    };
    port2.postMessage(null);
  });
}
