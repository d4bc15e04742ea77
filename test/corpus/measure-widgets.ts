import type { BrowserContext, Page } from 'playwright-core';
import { type ElementHandle, findElements, readSnapshot, setValue, type ValueResult } from '../../src/page/index.ts';
import { actAndSettle } from '../../src/page/settle/settle.ts';
import { withElement } from '../../src/page/world/isolated-world.ts';
import type { CorpusLibrary, WidgetCase } from './corpus-model.ts';
import type { CorpusServer } from './corpus-server.ts';

export interface WidgetResult {
  library: string;
  widget: WidgetCase;
  /** A snapshot lists a control of it, or says why it could not classify it. */
  isFound: boolean;
  result: ValueResult;
  /** What the library reported afterwards. */
  received: unknown;
  hasArrived: boolean;
}

const PAGE_MS = 20_000;

/** Puts a value into each widget of a library, in one page, and asks the library what it received. */
export async function measureWidgets(
  context: BrowserContext,
  server: CorpusServer,
  library: CorpusLibrary,
  wanted: (name: string) => boolean = () => true,
): Promise<WidgetResult[]> {
  const page = await context.newPage();
  const results: WidgetResult[] = [];
  try {
    await actAndSettle(page, () => page.goto(server.url(library.name, 'widgets'), { timeout: PAGE_MS }));
    const found = await foundWidgets(page, library);
    for (const widget of library.widgets.filter(({ name }) => wanted(name))) {
      const [element] = await findElements(page, selectorOf(library, widget));
      if (!element) throw new Error(`${library.name} has no element ${selectorOf(library, widget)}`);
      const result = await setValue(page, { element, name: widget.name }, widget.value);
      const received = (await report(page))[widget.name];
      const isFound = found.has(widget.name);
      results.push({
        library: library.name,
        widget,
        isFound,
        result,
        received,
        hasArrived: isExpected(widget, received),
      });
    }
  } finally {
    await page.close();
  }
  return results;
}

const selectorOf = ({ selector }: CorpusLibrary, { name }: WidgetCase) => selector?.(name) ?? `[data-widget="${name}"]`;

/** The widgets that contain a control of the snapshot, or an unknown one. */
async function foundWidgets(page: Page, library: CorpusLibrary): Promise<ReadonlySet<string>> {
  const { controls, unknown } = await readSnapshot(page);
  const selectors = library.widgets.map((widget) => selectorOf(library, widget));
  const found = new Set<string>();
  for (const { element } of [...controls, ...unknown]) {
    const index = await indexOfAncestor(page, element, selectors);
    const widget = library.widgets[index];
    if (widget) found.add(widget.name);
  }
  return found;
}

/** Which selector the element or what it is shown in matches. */
async function indexOfAncestor(page: Page, element: ElementHandle, selectors: readonly string[]): Promise<number> {
  const answer = await withElement({ page }, element.split(' ').at(-1) ?? '', (cdp, objectId) =>
    cdp.send('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: `function (...selectors) {
        for (let at = this; at; at = at.parentNode ?? at.host)
          for (const [index, selector] of selectors.entries()) if (at.matches?.(selector)) return index;
        return -1;
      }`,
      arguments: selectors.map((value) => ({ value })),
      returnByValue: true,
    }),
  );
  return Number(answer?.result.value ?? -1);
}

async function report(page: Page): Promise<Record<string, unknown>> {
  return JSON.parse(await page.evaluate('JSON.stringify(window.corpusReceived())'));
}

function isExpected({ value, expected = [value] }: WidgetCase, received: unknown): boolean {
  if (expected instanceof RegExp) return expected.test(String(received));
  return expected.some((one) => JSON.stringify(one) === JSON.stringify(received));
}
