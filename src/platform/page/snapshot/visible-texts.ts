import type { Page } from 'playwright-core';
import { type VisibleTextTools, visibleTextTools } from '../in-page/visible-text.ts';
import { findFrame, rungToCss } from '../locate/element-target.ts';
import { rungToSelector } from '../locate/rung-selector.ts';
import type { Rung } from '../page-model.ts';

/** What is seen at several places, each place by its selector, with the texts of all elements that it leads to. */
export async function readTextsAt(page: Page, rungs: readonly Rung[]): Promise<Map<string, string[]>> {
  const plain = rungs.flatMap((rung) => {
    const css = rungToCss(rung);
    return css ? [{ css, frame: rung.frame ?? [], name: rungToSelector(rung) }] : [];
  });
  const others = rungs.filter((rung) => rungToCss(rung) === undefined).map(rungToSelector);
  const frames = [...Map.groupBy(plain, ({ frame }) => frame.join('\n')).values()];
  const read = await Promise.all([
    ...frames.map((selectors) => textsIn(page, selectors)),
    ...others.map(async (selector) => [[selector, await textsBy(page, selector)] as const]),
  ]);
  return new Map(read.flat());
}

interface TextSelector {
  css: string;
  frame: readonly string[];
  name: string;
}

async function textsIn(page: Page, selectors: readonly TextSelector[]) {
  const frame = await findFrame(page, selectors[0]?.frame ?? []);
  const all = JSON.stringify(selectors.map(({ css }) => css));
  const texts = await frame?.evaluate<string[][]>(`(${textsInPage})((${visibleTextTools})(), ${all})`);
  return selectors.map(({ name }, i) => [name, texts?.[i] ?? []] as const);
}

function textsBy(page: Page, selector: string): Promise<string[]> {
  return page
    .locator(selector)
    .evaluateAll<string[], void>(`(elements) => (${seenAmong})((${visibleTextTools})(), elements)`);
}

/** In the page. */
function seenAmong({ isSeen, linesOf }: VisibleTextTools, elements: readonly Element[]): string[] {
  return elements.filter(isSeen).map(linesOf);
}

/** In the page, through open shadow roots. */
function textsInPage({ isSeen, linesOf }: VisibleTextTools, all: readonly string[]): string[][] {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots)
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);
  return all.map((css) => roots.flatMap((root) => [...root.querySelectorAll(css)].filter(isSeen).map(linesOf)));
}
