import { randomUUID } from 'node:crypto';
import type { Frame, Locator, Page } from 'playwright-core';
import { type ControlContext, type ControlContextTools, controlContextTools } from '../in-page/control-context.ts';
import { type FactsInPage, factsInPage } from '../in-page/element-facts.ts';
import { type ElementMark, type MarkTools, markTools, type PageTarget } from '../in-page/mark-tools.ts';
import { nameTools } from '../in-page/name-tools.ts';
import type { Ladder, Rung } from '../page-model.ts';
import { plainSelector, selectorToRung } from './rung-selector.ts';

/**
 * Translates a rung for functions in the page, which cost less than Playwright's: those have to be injected first, a
 * third of a megabyte per document. Undefined if only Playwright can resolve the rung.
 */
export function toPageTarget(rung: Rung, who: Rung | undefined): PageTarget | undefined {
  const way = toElementMark(rung);
  const isProof = !who || (rung.by === who.by && rung.value === who.value && rung.role === who.role);
  const proof = isProof ? null : toElementMark(who);
  return way && proof !== undefined ? { way, proof, frame: rung.frame ?? [] } : undefined;
}

/**
 * The rung that identifies the element: by role and name, or by label if the role is not in the tree. For equal names,
 * the name within a group: `role=group[name="Date of birth"] >> role=textbox[name="Year"]`.
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

/** A rung as CSS that the page understands. */
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

/** The frame at the end of a path of iframes; undefined if there is none, or more than one. */
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

/** The usual case: an iframe of the page itself, by the id or name that the browser's list of frames has too. */
function findNamedFrame(page: Page, [selector = '', ...inner]: readonly string[]): Frame | undefined {
  const [, bare, quoted] = /^(?:#([\w-]+)|iframe\[(?:id|name)="([^"\\]+)"\])$/.exec(selector) ?? [];
  const name = bare ?? quoted;
  if (name === undefined || inner.length > 0) return undefined;
  const [only, ...others] = page.frames().filter((frame) => frame.name() === name);
  return only?.parentFrame() === page.mainFrame() && others.length === 0 ? only : undefined;
}

/**
 * Runs a self-contained function in a frame, with data and with the functions that find marked elements and read their
 * facts. Another self-contained function is sent as text if needed: the reader of a field's context is long, so it is
 * sent only on request.
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

/** The context of an element; undefined if the element was removed. */
export async function readControlContext(locator: Locator, timeoutMs = 1_000): Promise<ControlContext | undefined> {
  const element = await locator.elementHandle({ timeout: timeoutMs });
  try {
    const frame = await element?.ownerFrame();
    // A function that is sent as text cannot receive an element, so the element is stored where the function finds it.
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
