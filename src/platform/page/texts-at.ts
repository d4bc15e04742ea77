import type { Page } from 'playwright-core';
import { cssOf, frameAt } from './marks.ts';
import type { Rung } from './model.ts';
import { selectorOf } from './rung-text.ts';

/** What stands at several places, each place by its selector, with the texts of all elements that it leads to. */
export async function textsAt(page: Page, rungs: readonly Rung[]): Promise<Map<string, string[]>> {
  const plain = rungs.flatMap((rung) => {
    const css = cssOf(rung);
    return css ? [{ css, frame: rung.frame ?? [], name: selectorOf(rung) }] : [];
  });
  const others = rungs.filter((rung) => cssOf(rung) === undefined).map(selectorOf);
  const frames = [...Map.groupBy(plain, ({ frame }) => frame.join('\n')).values()];
  const read = await Promise.all([
    ...frames.map((places) => textsIn(page, places)),
    ...others.map(async (selector) => [[selector, await page.locator(selector).allInnerTexts()] as const]),
  ]);
  return new Map(read.flat());
}

interface Place {
  css: string;
  frame: readonly string[];
  name: string;
}

async function textsIn(page: Page, places: readonly Place[]) {
  const frame = await frameAt(page, places[0]?.frame ?? []);
  const texts = await frame?.evaluate(
    textsInPage,
    places.map(({ css }) => css),
  );
  return places.map(({ name }, i) => [name, texts?.[i] ?? []] as const);
}

/** In the page, through open shadow roots. */
function textsInPage(all: readonly string[]): string[][] {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots)
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);
  const saidBy = (element: Element) =>
    element instanceof HTMLElement ? element.innerText : (element.textContent ?? '');
  return all.map((css) => roots.flatMap((root) => [...root.querySelectorAll(css)].map(saidBy)));
}
