import type { Locator, Page } from 'playwright-core';
import { Failure, quote } from '../../../platform/errors.ts';
import { normalizeWords } from '../../../platform/page/act/value-comparison.ts';
import { rungToSelector } from '../../../platform/page/locate/rung-selector.ts';
import {
  type Control,
  type ControlOption,
  isField,
  type Ladder,
  type PageReading,
} from '../../../platform/page/page-model.ts';
import { findNearestName } from '../../../platform/text/nearest-name.ts';
import { cleanText } from '../../../platform/text/untrusted-text.ts';
import { listPageElements } from './page-elements.ts';

export type SelectorType = 'text' | 'id' | 'css' | 'auto';

interface SelectorCandidate {
  locator: Locator;
  selector: string;
}

/** The possible meanings of a selector, likeliest first. */
function candidatesFor(page: Page, selector: string, type: SelectorType): SelectorCandidate[] {
  const css: SelectorCandidate = { locator: page.locator(selector), selector };
  const id = selector.replace(/^#/, '');
  const byId: SelectorCandidate = { locator: page.locator(`[id=${JSON.stringify(id)}]`), selector: `#${id}` };
  switch (type) {
    case 'css':
      return [css];
    case 'id':
      return [byId];
    case 'text':
      return candidatesByText(page, selector);
    default:
      if (looksLikeSelector(selector)) return [css, ...candidatesByText(page, selector)];
      // A single word may be a text, an id without `#`, or a tag.
      return /^[\w-]+$/.test(selector)
        ? [...candidatesByText(page, selector), byId, css]
        : candidatesByText(page, selector);
  }
}

/** Whether a text is CSS or a Playwright selector rather than visible text. A single word may be either. */
export function looksLikeSelector(selector: string): boolean {
  return /^[#.[*]|>>|:(?:has|is|not|nth|text|visible|first|last)|^(?:text|role|css|xpath|id|data-\w+|internal:\w+)=|^\(?\/\/|^[a-z][\w-]*(?:[#.[:]|\s*>)/.test(
    selector,
  );
}

/** By visible text: a button or link of that name, a label, any text; exact matches first. */
function candidatesByText(page: Page, words: string): SelectorCandidate[] {
  const quoted = JSON.stringify(words);
  const named = `role=button[name=${quoted}]`;
  return [
    { locator: page.getByRole('button', { name: words, exact: true }), selector: named },
    { locator: page.getByRole('link', { name: words, exact: true }), selector: `role=link[name=${quoted}]` },
    { locator: page.getByLabel(words, { exact: true }), selector: `internal:label=${quoted}s` },
    { locator: page.getByText(words, { exact: true }), selector: `text=${quoted}` },
    { locator: page.getByRole('button', { name: words }), selector: `role=button[name=${quoted}i]` },
    { locator: page.getByText(words), selector: `text=${words}` },
  ];
}

/** The exact text of an element whose invisible characters were removed for the caller. */
async function findOriginalText(page: Page, words: string): Promise<string | undefined> {
  const texts = (await listPageElements(page)).flatMap(({ text }) => text ?? []);
  return texts.find((text) => text !== words && cleanText(text) === words);
}

export interface ResolvedSelector {
  locator: Locator;
  /** The matching selector in Playwright's syntax. */
  selector: string;
  /** Number of matches. If there are several, the only visible one is used. */
  matches: number;
}

/** The first meaning of a selector that matches one element, or one visible element. Throws if there is none. */
export async function resolveSelector(page: Page, selector: string, type: SelectorType): Promise<ResolvedSelector> {
  const many: { selector: string; count: number }[] = [];
  for (const way of candidatesFor(page, selector, type)) {
    const count = await countCandidates(way, type);
    if (count === 1) return { ...way, matches: 1 };
    if (count === 0) continue;
    const visible = way.locator.filter({ visible: true });
    if ((await visible.count()) === 1 || (await visible.evaluateAll(isOneLabel)))
      return { locator: visible.first(), selector: way.selector, matches: count };
    many.push({ selector: way.selector, count });
  }
  const [first] = many;
  const original = first ? undefined : await findOriginalText(page, selector);
  if (original !== undefined) return resolveSelector(page, original, type);
  if (!first) {
    const nothing = `No element on the page matches ${quote(selector)}. Call federalscout_get_page_info to list the elements.`;
    throw new Failure('not_found', 'ELEMENT_NOT_FOUND', nothing);
  }
  const message = `${quote(selector)} matches ${first.count} elements on the page. Use a selector that matches only one.`;
  throw new Failure('bad_input', 'ELEMENT_AMBIGUOUS', message, { matches: first.count });
}

/** In the page: several texts inside one label are one thing to click. */
function isOneLabel(elements: readonly Element[]): boolean {
  const labels = new Set(elements.map((element) => element.closest('label')));
  return labels.size === 1 && !labels.has(null);
}

/** An invalid selector is an error of the caller, unless the text has other meanings. */
async function countCandidates({ locator, selector }: SelectorCandidate, type: SelectorType): Promise<number> {
  try {
    return await locator.count();
  } catch (error) {
    if (!(error instanceof Error) || !/selector|parsing|Unexpected token|Unknown engine/i.test(error.message))
      throw error;
    if (type === 'auto') return 0;
    throw new Failure(
      'bad_input',
      'ELEMENT_NOT_FOUND',
      `${quote(selector)} is not a valid selector. Use CSS, XPath, or the text of the element.`,
    );
  }
}

/**
 * The best single selector of a control for the format's `selector`: CSS if there is one. It is never trusted alone: role and
 * name, which come first in the ladder, have to agree.
 */
export function bestSelector(ladder: Ladder): string {
  const rung = ladder.find(({ by }) => by === 'test-id') ?? ladder.find(({ by }) => by === 'id') ?? ladder[0];
  return rung ? rungToSelector(rung) : '';
}

/** A sentence with an existing selector that is close to the given one, for a click or for a value. */
export function suggestSelector(reading: PageReading, selector: string, isForValue = false): string {
  const usable = reading.controls.filter(
    ({ visible, disabled, ladder, options }) => visible && !disabled && (ladder.length > 0 || options.length > 0),
  );
  const option = isForValue ? undefined : findLikelyOption(usable, selector);
  if (option) return `Try ${bestSelector(option.ladder)} (option ${quote(option.label, 80)})`;
  const control =
    findLikelyControl(usable, selector) ??
    (isForValue ? usable.find(isField) : undefined) ??
    usable.find(({ kind, ladder }) => kind === 'submit' && ladder[0]?.by !== 'css') ??
    usable.find(({ kind }) => kind === 'submit') ??
    usable.find(({ kind }) => kind === 'button') ??
    usable[0];
  if (!control) return 'This page has no element to click.';
  const way = bestSelector(control.ladder.length > 0 ? control.ladder : (control.options[0]?.ladder ?? []));
  return `Try ${way} (${control.kind} ${quote(control.name || control.group, 80)})`;
}

/** The option of a group whose label starts with the given text. */
function findLikelyOption(controls: readonly Control[], selector: string): ControlOption | undefined {
  const words = normalizeWords(selector);
  const all = controls.flatMap(({ options }) => options).filter(({ ladder, visible }) => visible && ladder.length > 0);
  return words.length < 3 ? undefined : all.find(({ label }) => normalizeWords(label).startsWith(words));
}

function findLikelyControl(controls: readonly Control[], selector: string): Control | undefined {
  const words = normalizeWords(selector.replace(/^.*has-text\(["']?|["']?\)$|^(text|role=\w+\[name)=|["'\]]/g, ''));
  if (!words) return undefined;
  const named = controls.filter(({ name }) => name !== '');
  const including = named.find(
    ({ name }) => normalizeWords(name).includes(words) || words.includes(normalizeWords(name)),
  );
  if (including) return including;
  const ids = controls.flatMap((control) => (control.id ? [control.id] : []));
  const id = findNearestName(selector.replace(/^[#.]/, ''), ids);
  if (id) return controls.find((control) => control.id === id);
  const near = findNearestName(
    words,
    named.map(({ name }) => normalizeWords(name)),
  );
  const shared = (name: string) =>
    normalizeWords(name)
      .split(' ')
      .filter((word) => word.length > 3 && words.includes(word)).length;
  return (
    named.find(({ name }) => normalizeWords(name) === near) ??
    named.filter(({ name }) => shared(name) > 0).sort((a, b) => shared(b.name) - shared(a.name))[0]
  );
}
