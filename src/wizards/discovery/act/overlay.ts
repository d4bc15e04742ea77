import type { Locator } from 'playwright-core';

/** The dialog or fixed box that contains the element about to be clicked. */
export async function findOverlay(locator: Locator): Promise<Overlay> {
  const handle = await locator
    .first()
    .evaluateHandle(overlayInPage, undefined, { timeout: 1_000 })
    .catch(() => undefined);
  const isThere = (await handle?.evaluate((overlay) => overlay !== null)) ?? false;
  return {
    // A reloaded page has another overlay, which the next click closes.
    isClosed: async () => (isThere && handle ? handle.evaluate(isClosedInPage).catch(() => true) : false),
    [Symbol.asyncDispose]: async () => handle?.dispose().catch(() => {}),
  };
}

interface Overlay extends AsyncDisposable {
  isClosed(): Promise<boolean>;
}

/** In the page: the outermost overlay. */
function overlayInPage(element: Element): Element | null {
  const isOver = (one: Element) =>
    one.matches('dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true]') ||
    getComputedStyle(one).position === 'fixed';
  let outermost: Element | null = null;
  for (let at: Element | null = element; at; ) {
    if (isOver(at)) outermost = at;
    const root = at.getRootNode();
    at = at.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  }
  return outermost;
}

/** In the page: waits for a fade-out first. */
async function isClosedInPage(overlay: Element | null): Promise<boolean> {
  if (!overlay) return false;
  const fading = overlay.getAnimations().map(({ finished }) => finished);
  await Promise.race([Promise.allSettled(fading), new Promise((resolve) => setTimeout(resolve, 1_000))]);
  const { width, height, top, bottom, left, right } = overlay.getBoundingClientRect();
  const isOutside = bottom <= 0 || right <= 0 || top >= innerHeight || left >= innerWidth;
  const isSeen = overlay.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  return !overlay.isConnected || !isSeen || width * height === 0 || isOutside;
}
