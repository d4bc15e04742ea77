import type { Page } from 'playwright-core';
import { type SeenTools, seenTools } from './in-page/seen.ts';
import { cssOf, frameAt } from './marks.ts';
import type { Rung } from './model.ts';
import { selectorOf } from './rung-text.ts';

/** What is seen at several places, each place by its selector, with the texts of all elements that it leads to. */
export async function textsAt(page: Page, rungs: readonly Rung[]): Promise<Map<string, string[]>> {
  const plain = rungs.flatMap((rung) => {
    const css = cssOf(rung);
    return css ? [{ css, frame: rung.frame ?? [], name: selectorOf(rung) }] : [];
  });
  const others = rungs.filter((rung) => cssOf(rung) === undefined).map(selectorOf);
  const frames = [...Map.groupBy(plain, ({ frame }) => frame.join('\n')).values()];
  const read = await Promise.all([
    ...frames.map((places) => textsIn(page, places)),
    ...others.map(async (selector) => [[selector, await textsBy(page, selector)] as const]),
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
  const all = JSON.stringify(places.map(({ css }) => css));
  const texts = await frame?.evaluate<string[][]>(`(${textsInPage})((${seenTools})(), ${all})`);
  return places.map(({ name }, i) => [name, texts?.[i] ?? []] as const);
}

function textsBy(page: Page, selector: string): Promise<string[]> {
  return page.locator(selector).evaluateAll<string[], void>(`(elements) => (${seenAmong})((${seenTools})(), elements)`);
}

/** In the page. */
function seenAmong({ isSeen, linesOf }: SeenTools, elements: readonly Element[]): string[] {
  return elements.filter(isSeen).map(linesOf);
}

/** In the page, through open shadow roots. */
function textsInPage({ isSeen, linesOf }: SeenTools, all: readonly string[]): string[][] {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots)
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);
  return all.map((css) => roots.flatMap((root) => [...root.querySelectorAll(css)].filter(isSeen).map(linesOf)));
}
