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

/** The ways in which a selector may be meant, likeliest first. */
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
      // A single word may be a text, an id without its mark, or a tag.
      return /^[\w-]+$/.test(selector)
        ? [...candidatesByText(page, selector), byId, css]
        : candidatesByText(page, selector);
  }
}

/** CSS or one of Playwright's selectors, rather than what a person would say. A single word may be either. */
export function looksLikeSelector(selector: string): boolean {
  return /^[#.[*]|>>|:(?:has|is|not|nth|text|visible|first|last)|^(?:text|role|css|xpath|id|data-\w+|internal:\w+)=|^\(?\/\/|^[a-z][\w-]*(?:[#.[:]|\s*>)/.test(
    selector,
  );
}

/** By the words that it shows: a button or a link of that name, its text, its label; whole before partly. */
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

/** The exact text of an element that the caller knows only without its invisible characters. */
async function findOriginalText(page: Page, words: string): Promise<string | undefined> {
  const texts = (await listPageElements(page)).flatMap(({ text }) => text ?? []);
  return texts.find((text) => text !== words && cleanText(text) === words);
}

export interface ResolvedSelector {
  locator: Locator;
  /** The way that was taken, in Playwright's syntax. */
  selector: string;
  /** More than one element matched; the only visible one was taken. */
  matches: number;
}

/** The element that a selector means now: the first way that leads to one element, or to one that can be seen. */
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
  if (!first) throw new Failure('not_found', 'ELEMENT_NOT_FOUND', `Nothing on the page matches ${quote(selector)}.`);
  const message = `${quote(selector)} matches ${first.count} elements on the page, and which one is meant is not clear.`;
  throw new Failure('bad_input', 'ELEMENT_AMBIGUOUS', message, { matches: first.count });
}

/** In the page: several words of one label, or card, are one thing to click. */
function isOneLabel(elements: readonly Element[]): boolean {
  const labels = new Set(elements.map((element) => element.closest('label')));
  return labels.size === 1 && !labels.has(null);
}

/** A selector that is none is a mistake of the caller, unless other ways to read it are left. */
async function countCandidates({ locator, selector }: SelectorCandidate, type: SelectorType): Promise<number> {
  try {
    return await locator.count();
  } catch (error) {
    if (!(error instanceof Error) || !/selector|parsing|Unexpected token|Unknown engine/i.test(error.message))
      throw error;
    if (type === 'auto') return 0;
    throw new Failure('bad_input', 'ELEMENT_NOT_FOUND', `${quote(selector)} is not a selector that can be understood.`);
  }
}

/**
 * The best single selector of a control, as an agent would write it, and as the format's `selector` is meant: CSS where there
 * is some. It is never trusted alone: role and name, which stand first in the ladder beside it, have to agree.
 */
export function bestSelector(ladder: Ladder): string {
  const rung = ladder.find(({ by }) => by === 'test-id') ?? ladder.find(({ by }) => by === 'id') ?? ladder[0];
  return rung ? rungToSelector(rung) : '';
}

/** A selector that does exist on the page and is likely what was meant, in a sentence: for a click, or for a value. */
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
  if (!control) return 'There is nothing to click on this page.';
  const way = bestSelector(control.ladder.length > 0 ? control.ladder : (control.options[0]?.ladder ?? []));
  return `Try ${way} (${control.kind} ${quote(control.name || control.group, 80)})`;
}

/** A choice of a group that is an element of its own, by some of its words. */
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
