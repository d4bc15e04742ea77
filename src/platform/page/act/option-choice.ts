import type { ElementHandle, Locator } from 'playwright-core';
import { Failure, quote } from '../../errors.ts';
import { noteHiddenCompanions } from '../in-page/hidden-companions.ts';
import type { FoundElement } from '../locate/element-finder.ts';
import { createRestDetector, isContextLostError, PAGE_POLL_MS } from '../settle/settle.ts';
import { actionFailure } from './action-failure.ts';
import { waitForElementFacts } from './element-value.ts';
import { isValueKept, normalizeWords } from './value-comparison.ts';

interface ChoiceOptions {
  what: string;
  timeoutMs: number;
  pending?: (() => number) | undefined;
}

/** How long a list may take to open before typing key by key is tried. */
const FIRST_TRY_MS = 1_000;

interface ChosenOption {
  /** What the field holds afterwards. */
  value: string;
  /** What it may hold of what was asked for. */
  names: readonly string[];
}

/** Types into a field that proposes, waits for its proposals, and takes the one that says exactly this. */
export async function chooseFromSuggestions(
  found: FoundElement,
  text: string,
  choosing: ChoiceOptions,
): Promise<ChosenOption> {
  const { locator } = found;
  const { what, timeoutMs, pending } = choosing;
  let names = [text];
  try {
    await locator.evaluate(noteHiddenCompanions, false, { timeout: timeoutMs });
    await locator.fill(text, { timeout: timeoutMs });
    let offered = await waitForOptions(found, text, Math.min(FIRST_TRY_MS, timeoutMs), pending);
    if (offered.isDataList) return { value: await datalistValue(found, text, what), names };
    if (!offered.option && offered.texts.length === 0) {
      // Some lists listen to keys only.
      await locator.fill('', { timeout: timeoutMs });
      await locator.pressSequentially(text, { timeout: timeoutMs });
      offered = await waitForOptions(found, text, timeoutMs, pending);
    }
    if (!offered.option && (offered.isUnclear || !(await takesOwnWords(found, choosing))))
      throw optionNotTaken(what, offered);
    if (offered.option) {
      names = [text, ...(await offered.option.evaluate(linesInPage, normalizeWords(text)))];
      await clickOption(offered.option, timeoutMs);
    }
  } catch (error) {
    throw actionFailure(error, what);
  }
  const isTaken = (value: string) => names.some((name) => isValueKept(name, value));
  const now = await waitForElementFacts(found, ({ value }) => isTaken(value), Math.min(timeoutMs, 1_000));
  await locator.evaluate(noteHiddenCompanions, true, { timeout: 1_000 }).catch(() => {
    // A field that is gone has none, and holds nothing either.
  });
  return { value: now.value, names };
}

/** In the page: the lines of an option that was asked for as a whole; a field may keep only one of them. */
function linesInPage(option: Element, words: string): string[] {
  const lines = (option instanceof HTMLElement ? option.innerText : '').split('\n').map((line) => line.trim());
  const said = lines.filter(Boolean);
  const asked = words.replace(/[^\p{L}\p{N}]+/gu, '');
  return said
    .join('')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '') === asked
    ? said
    : [];
}

/** Nobody has a list of all addresses: what is proposed for one is a help, and what was typed counts. */
async function takesOwnWords({ locator }: FoundElement, { what, timeoutMs }: ChoiceOptions): Promise<boolean> {
  const auto = (await locator.getAttribute('autocomplete', { timeout: timeoutMs })) ?? '';
  return /\b(?:street|address)\b/i.test(`${what} ${auto.replaceAll('-', ' ')}`);
}

/** Opens a list that is drawn by the page, where it is not open, and takes the option that says exactly this. */
export async function chooseFromListbox(found: FoundElement, text: string, choosing: ChoiceOptions): Promise<string> {
  const { what, timeoutMs, pending } = choosing;
  try {
    const isOpen = await found.locator.evaluate(
      (list) => list.querySelector('[role=option]')?.checkVisibility() ?? false,
    );
    if (!isOpen) await found.locator.click({ timeout: timeoutMs });
    const offered = await waitForOptions(found, text, timeoutMs, pending);
    if (!offered.option) throw optionNotTaken(what, offered);
    await clickOption(offered.option, timeoutMs);
  } catch (error) {
    throw actionFailure(error, what);
  }
  const words = normalizeWords(text);
  const isChosen = ({ value, chosen }: { value: string; chosen: string[] }) =>
    normalizeWords(value) === words || chosen.some((each) => normalizeWords(each) === words);
  const now = await waitForElementFacts(found, isChosen, Math.min(timeoutMs, 1_000));
  return isChosen(now) ? text : now.value || now.chosen.join(', ');
}

async function clickOption(option: ElementHandle<Element>, timeoutMs: number): Promise<void> {
  try {
    await option.click({ timeout: timeoutMs });
  } finally {
    await option.dispose();
  }
}

/** A data list proposes and does not insist; what it proposes exactly is taken as it spells it. */
async function datalistValue({ locator }: FoundElement, text: string, what: string): Promise<string> {
  const offered = await locator.evaluate((input) =>
    input instanceof HTMLInputElement
      ? [...(input.list?.options ?? [])].map(({ label, value, textContent }) => ({
          label: label || textContent,
          value,
        }))
      : [],
  );
  const words = normalizeWords(text);
  const meant =
    offered.find(({ value }) => normalizeWords(value) === words) ??
    offered.find(({ label }) => normalizeWords(label) === words);
  if (!meant)
    throw optionNotFound(
      what,
      offered.map(({ value }) => value),
    );
  if (meant.value !== text) await locator.fill(meant.value);
  return text;
}

interface ListedOptions {
  option?: ElementHandle<Element>;
  /** Several say what was asked for, and nobody can tell which of them is meant. */
  isUnclear: boolean;
  texts: string[];
  isDataList: boolean;
}

/** Waits until the list shows the option, or has shown others for good. */
async function waitForOptions(
  { locator }: FoundElement,
  text: string,
  limitMs: number,
  pending: ChoiceOptions['pending'],
): Promise<ListedOptions> {
  const deadline = performance.now() + limitMs;
  const rest = createRestDetector(pending);
  for (let before = ''; ; ) {
    const left = Math.max(0, deadline - performance.now());
    const offered = await readOptions(locator, text, pending ? Math.min(left, PAGE_POLL_MS) : left);
    if (offered.option || offered.isDataList) return offered;
    const now = offered.texts.join('\n');
    // Only of a list that is complete can be said that one option alone has these words as its first line.
    if (performance.now() >= deadline || rest.isAtRest(now !== before))
      return now === '' ? offered : await readOptions(locator, text, 0, true);
    before = now;
  }
}

async function readOptions(locator: Locator, text: string, limitMs: number, byLine = false): Promise<ListedOptions> {
  try {
    const search = { words: normalizeWords(text), limitMs, byLine };
    await using seen = await locator.evaluateHandle(optionsInPage, search, { timeout: limitMs + 1_000 });
    const option = (await seen.evaluateHandle((each) => each.option)).asElement();
    if (option) return { option, texts: [], isUnclear: false, isDataList: false };
    return await seen.evaluate(({ texts, isUnclear, isDataList }) => ({ texts, isUnclear, isDataList }));
  } catch (error) {
    if (isContextLostError(error)) return { texts: [], isUnclear: false, isDataList: false };
    throw error;
  }
}

/**
 * In the page: the options that can be seen, those of this list where it says which they are. Waits for the one that says
 * exactly this, unless the list is another one meanwhile.
 */
async function optionsInPage(
  input: Element,
  { words, limitMs, byLine }: { words: string; limitMs: number; byLine: boolean },
) {
  const plain = (text: string) =>
    text
      .normalize('NFKC')
      .replace(/[\u2018\u2019\u201a\u2032`´]/g, "'")
      .replace(/[\u201c\u201d\u201e\u2033]/g, '"')
      .replace(/[\u2010-\u2015\u2212]/g, '-')
      .replace(/[\s\u200b\u00ad]+/g, ' ')
      .trim()
      .toLowerCase();
  const root = input.getRootNode();
  const from = root instanceof ShadowRoot || root instanceof Document ? root : document;
  const usual = '[role=option]';
  const loose =
    '[class*=suggest] li,[class*=autocomplete] li,[class*=typeahead] li,[class*=dropdown] li,[class*=results] li';

  function look() {
    const ids = `${input.getAttribute('aria-controls') ?? ''} ${input.getAttribute('aria-owns') ?? ''}`.split(/\s+/);
    const own = ids.flatMap((id) => (id ? (from.getElementById(id) ?? []) : []));
    const within = own.length > 0 ? own : input.getAttribute('role') === 'listbox' ? [input] : [from];
    const all = (selector: string) => within.flatMap((each) => [...each.querySelectorAll(selector)]);
    const named = all(usual);
    const candidates = named.length > 0 ? named : [...all(loose), ...own.flatMap((list) => [...list.children])];
    const shown = [...new Set(candidates)].filter(
      (each) => each.checkVisibility({ checkVisibilityCSS: true }) && each !== input,
    );
    const linesOf = (each: Element) =>
      (each instanceof HTMLElement ? each.innerText : '').split('\n').map(plain).filter(Boolean);
    const saysSo = (each: Element) => {
      if (plain(each.textContent ?? '') === words || plain(each.getAttribute('aria-label') ?? '') === words)
        return true;
      const lines = each.childElementCount > 0 ? linesOf(each) : [];
      return lines.length > 1 && [' ', ', ', ' - '].some((sign) => lines.join(sign) === words);
    };
    const whole = shown.filter(saysSo);
    const same = whole.length > 0 || !byLine ? whole : shown.filter((each) => linesOf(each)[0] === words);
    // One within the other is the same.
    const exact = same.filter((each) => !same.some((other) => other !== each && each.contains(other)));
    const texts = shown.slice(0, 50).map((each) => (each.textContent ?? '').trim().slice(0, 100));
    return { option: exact.length === 1 ? exact[0] : null, isUnclear: exact.length > 1, texts, isDataList };
  }
  const isDataList = input instanceof HTMLInputElement && input.list !== null;
  const first = look();
  if (first.option || isDataList || limitMs <= 0) return first;
  return await new Promise<typeof first>((resolve) => {
    const end = () => {
      observer.disconnect();
      clearTimeout(timer);
      resolve(look());
    };
    const timer = setTimeout(end, limitMs);
    const observer = new MutationObserver(() => {
      if (!input.isConnected || look().option) end();
    });
    const what = { childList: true, subtree: true, attributes: true, characterData: true };
    observer.observe(document, what);
    if (from !== document) observer.observe(from, what);
  });
}

function optionNotTaken(what: string, { texts, isUnclear }: ListedOptions): Failure {
  if (!isUnclear) return optionNotFound(what, texts);
  const message = `${what} offers several options that say what was asked for; which of them is meant is not clear.`;
  return new Failure('bad_input', 'OPTION_AMBIGUOUS', message);
}

export function optionNotFound(what: string, offered: readonly string[]): Failure {
  const listed = offered.slice(0, 20).map((text) => quote(text, 60));
  const more = offered.length > listed.length ? ` and ${offered.length - listed.length} more` : '';
  const message =
    offered.length === 0
      ? `${what} offered no options for what was asked.`
      : `${what} has no such option. It has: ${listed.join(', ')}${more}.`;
  return new Failure('bad_input', 'NO_SUCH_OPTION', message, { options: offered });
}
