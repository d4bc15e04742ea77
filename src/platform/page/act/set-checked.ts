import type { ElementHandle, JSHandle } from 'playwright-core';
import type { FoundElement } from '../locate/element-finder.ts';
import { actionFailure } from './action-failure.ts';
import { waitForElementFacts } from './element-value.ts';

/** Sets a radio button, checkbox or switch, where it is not set already. The answer: whether it is as asked now. */
export async function setChecked(
  found: FoundElement,
  wanted: boolean,
  { what, timeoutMs }: { what: string; timeoutMs: number },
): Promise<boolean> {
  if (found.facts.checked === wanted) return true;
  const target = await clickable(found, timeoutMs);
  if (target) {
    try {
      await target.click({ timeout: timeoutMs });
    } catch (error) {
      throw actionFailure(error, what);
    } finally {
      await target.dispose();
    }
    const now = await waitForElementFacts(found, ({ checked }) => checked === wanted, Math.min(timeoutMs, 1_000));
    if (now.checked === wanted) return true;
  }
  // Nothing that a mouse could hit: the page's own scripts must take a click from nobody.
  await found.locator.dispatchEvent('click', {}, { timeout: timeoutMs });
  return (
    (await waitForElementFacts(found, ({ checked }) => checked === wanted, Math.min(timeoutMs, 1_000))).checked ===
    wanted
  );
}

async function clickable(found: FoundElement, timeoutMs: number): Promise<ElementHandle<Element> | undefined> {
  const handle: JSHandle<Element | null> = await found.locator.evaluateHandle(targetInPage, undefined, {
    timeout: timeoutMs,
  });
  const element = handle.asElement();
  if (element) return element;
  await handle.dispose();
  return undefined;
}

/** In the page: what a person would click to set it: itself, its label, or the card around it. */
function targetInPage(input: Element): Element | null {
  const isSeen = (element: Element) => {
    if (!element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) return false;
    const box = element.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && box.right + scrollX > 0 && box.bottom + scrollY > 0;
  };
  const topOf = (element: Element) => {
    const box = element.getBoundingClientRect();
    const root = element.getRootNode();
    const from = root instanceof ShadowRoot ? root : document;
    return from.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  };
  const isOnTop = (element: Element) => {
    const top = topOf(element);
    // Outside of the window there is nothing to ask; the click scrolls there first.
    return top === null || element.contains(top);
  };
  if (isSeen(input) && isOnTop(input)) return input;
  const labels = input instanceof HTMLInputElement ? [...(input.labels ?? [])] : [];
  const label = labels.find((each) => isSeen(each));
  // Transparent, it may lie over its own label, and takes the clicks that are meant for that.
  if (label && topOf(label) === input) return input;
  // A click on a link within a label would lead away.
  if (label) return label.querySelector('a,button') ? null : label;
  return isSeen(input) ? input : null;
}
