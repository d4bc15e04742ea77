import { randomUUID } from 'node:crypto';
import type { Frame, Locator, Page } from 'playwright-core';
import { type ControlContext, type ControlContextTools, controlContextTools } from '../in-page/control-context.ts';
import { type FactsInPage, factsInPage } from '../in-page/element-facts.ts';
import { type ElementMark, type MarkTools, markTools, type PageTarget } from '../in-page/mark-tools.ts';
import { nameTools } from '../in-page/name-tools.ts';
import type { Ladder, Rung } from '../page-model.ts';
import { plainSelector, selectorToRung } from './rung-selector.ts';

/**
 * Where a rung leads, for a look with the page's own means. Playwright's would have to be brought into the page first, a third
 * of a megabyte for each document. Undefined where only they can follow it.
 */
export function toPageTarget(rung: Rung, who: Rung | undefined): PageTarget | undefined {
  const way = toElementMark(rung);
  const isProof = !who || (rung.by === who.by && rung.value === who.value && rung.role === who.role);
  const proof = isProof ? null : toElementMark(who);
  return way && proof !== undefined ? { way, proof, frame: rung.frame ?? [] } : undefined;
}

/**
 * The rung that says who the element is. A label is what a name is made of, where the role is not in the tree. Where several
 * elements have the same name, it is the name within a group: `role=group[name="Date of birth"] >> role=textbox[name="Year"]`.
 */
export function identityRung(ladder: Ladder): Rung | undefined {
  return (
    ladder.find(({ by }) => by === 'role') ??
    ladder.find(({ by }) => by === 'label') ??
    ladder.find(({ by, value }) => by === 'selector' && /^role=.+ >> role=[a-z]+\[name=[^>]+$/.test(value))
  );
}

function toElementMark(rung: Rung): ElementMark | undefined {
  const none = { css: null, label: null, chain: null };
  const css = rungToCss(rung);
  if (css !== undefined) return { ...none, css };
  if (rung.by === 'label') return { ...none, label: rung.value };
  const steps =
    rung.by === 'role' ? [rung] : rung.by === 'selector' ? rung.value.split(' >> ').map(selectorToRung) : [];
  const chain = steps.flatMap(({ by, role, value }) => (by === 'role' && role ? [{ role, name: value }] : []));
  return chain.length > 0 && chain.length === steps.length ? { ...none, chain } : undefined;
}

/** A rung as CSS that the page itself understands. */
export function rungToCss(rung: Rung): string | undefined {
  const isPlain = ['id', 'name', 'test-id', 'placeholder'].includes(rung.by);
  if (
    isPlain ||
    (['css', 'selector'].includes(rung.by) && /^(?:[a-z]*\[[a-z-]+="[^"\\>]*"\]|[a-z]*\.[\w-]+)$/.test(rung.value))
  )
    return plainSelector(rung);
  return undefined;
}

export type InPageTools = MarkTools & Partial<Pick<ControlContextTools, 'aroundOf'>> & { factsOf: FactsInPage };

/** The frame at the end of a path of iframes; undefined where it is not there, or not beyond doubt. */
export async function findFrame(page: Page, path: readonly string[]): Promise<Frame | undefined> {
  if (path.length === 0) return page.mainFrame();
  const known = findNamedFrame(page, path);
  if (known) return known;
  const found = await page.locator(path.join(' >> internal:control=enter-frame >> ')).elementHandles();
  try {
    const [only, ...others] = found;
    return only && others.length === 0 ? ((await only.contentFrame()) ?? undefined) : undefined;
  } finally {
    await Promise.all(found.map((each) => each.dispose()));
  }
}

/** The usual case: an iframe of the page itself, by its id or name, which the browser's list of frames has too. */
function findNamedFrame(page: Page, [selector = '', ...inner]: readonly string[]): Frame | undefined {
  const [, bare, quoted] = /^(?:#([\w-]+)|iframe\[(?:id|name)="([^"\\]+)"\])$/.exec(selector) ?? [];
  const name = bare ?? quoted;
  if (name === undefined || inner.length > 0) return undefined;
  const [only, ...others] = page.frames().filter((frame) => frame.name() === name);
  return only?.parentFrame() === page.mainFrame() && others.length === 0 ? only : undefined;
}

/**
 * Runs a function in a frame that stands alone, with data, the means to find what is marked, and to read its facts; and with
 * another function that stands alone, by its text, where it needs one. What looks around a field is long, and is sent along
 * only where it is wanted.
 */
export function evaluateWithTools<Data, Result, More = undefined>(
  frame: Frame,
  work: (tools: InPageTools, data: Data, more: More) => Result | Promise<Result>,
  data: Data,
  { more, around = false }: { more?: string; around?: boolean } = {},
): Promise<Result> {
  const tools = `{ ...(${markTools})(names), ...${around ? `(${controlContextTools})(names)` : '{}'}, factsOf: ${factsInPage} }`;
  return frame.evaluate<Result>(`((names) => (${work})(${tools}, ${JSON.stringify(data)}, ${more}))((${nameTools})())`);
}

/** What stands around an element; undefined where it is not there any more. */
export async function readControlContext(locator: Locator, timeoutMs = 1_000): Promise<ControlContext | undefined> {
  const element = await locator.elementHandle({ timeout: timeoutMs });
  try {
    const frame = await element?.ownerFrame();
    // The text of functions cannot be given an element, so it is left where they find it, apart from those of others.
    const key = `assay.${randomUUID()}`;
    await element?.evaluate((each, name) => Reflect.set(window, Symbol.for(name), each), key);
    return await frame?.evaluate<ControlContext>(`((key) => {
      const element = window[key];
      delete window[key];
      return (${controlContextTools})((${nameTools})()).aroundOf(element);
    })(Symbol.for(${JSON.stringify(key)}))`);
  } finally {
    await element?.dispose();
  }
}
