import type { Page } from 'playwright-core';
import type { Rung } from './model.ts';
import { selectorOf } from './rung-text.ts';
import { cssOf, frameOf, unionOf, type Way } from './union.ts';

/** What stands at several places, each place by its selector, with the texts of all elements that it leads to. */
export async function textsAt(page: Page, rungs: readonly Rung[]): Promise<Map<string, string[]>> {
  const plain = rungs.flatMap((rung) => {
    const css = cssOf(rung);
    return css ? [{ css, selector: css, frame: frameOf(rung), name: selectorOf(rung) }] : [];
  });
  const others = rungs.filter((rung) => cssOf(rung) === undefined).map(selectorOf);
  const frames = [...Map.groupBy(plain, ({ frame }) => frame).values()];
  const read = await Promise.all([
    ...frames.map(async (ways) => namesWith(ways, await textsIn(page, ways))),
    ...others.map(async (selector) => [[selector, await page.locator(selector).allInnerTexts()] as const]),
  ]);
  return new Map(read.flat());
}

function namesWith(ways: readonly { name: string }[], texts: readonly string[][]) {
  return ways.map(({ name }, i) => [name, texts[i] ?? []] as const);
}

function textsIn(page: Page, ways: readonly Way[]): Promise<string[][]> {
  return page.locator(unionOf(ways)).evaluateAll(
    (elements, all) =>
      all.map((css) =>
        elements
          .filter((element) => element.matches(css))
          .map((element) => (element instanceof HTMLElement ? element.innerText : (element.textContent ?? ''))),
      ),
    ways.map(({ css }) => css),
  );
}
