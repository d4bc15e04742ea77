import type { ElementHandle, Frame, Page } from 'playwright-core';
import { Failure, quote } from '../errors.ts';
import { actionFailure } from './action-failure.ts';
import { held } from './held.ts';
import type { Found } from './ladder.ts';
import { isKept, plainWords } from './same-value.ts';
import { isLeaving, nextChange } from './settle.ts';

interface Choosing {
  what: string;
  timeoutMs: number;
}

/** How long a list may take to open before typing key by key is tried. */
const FIRST_TRY_MS = 1_000;

/** Types into a field that proposes, waits for its proposals, and takes the one that says exactly this. */
export async function chooseTyped(page: Page, found: Found, text: string, choosing: Choosing): Promise<string> {
  const { locator } = found;
  const { what, timeoutMs } = choosing;
  try {
    await locator.fill(text, { timeout: timeoutMs });
    if (await hasDataList(found)) return await datalistValue(found, text, what);
    const frame = await frameOf(found);
    let offered = await options(page, frame, found, text, Math.min(FIRST_TRY_MS, timeoutMs));
    if (!offered.option && offered.texts.length === 0) {
      // Some lists listen to keys only.
      await locator.fill('', { timeout: timeoutMs });
      await locator.pressSequentially(text, { timeout: timeoutMs });
      offered = await options(page, frame, found, text, timeoutMs);
    }
    if (!offered.option) throw noSuchOption(what, offered.texts);
    await take(offered.option, timeoutMs);
  } catch (error) {
    throw actionFailure(error, what);
  }
  const now = await held(found, ({ value }) => isKept(text, value), Math.min(timeoutMs, 1_000));
  return now.value;
}

/** Opens a list that is drawn by the page, where it is not open, and takes the option that says exactly this. */
export async function chooseListed(page: Page, found: Found, text: string, choosing: Choosing): Promise<string> {
  const { what, timeoutMs } = choosing;
  try {
    const frame = await frameOf(found);
    const isOpen = await found.locator.evaluate(
      (list) => list.querySelector('[role=option]')?.checkVisibility() ?? false,
    );
    if (!isOpen) await found.locator.click({ timeout: timeoutMs });
    const offered = await options(page, frame, found, text, timeoutMs);
    if (!offered.option) throw noSuchOption(what, offered.texts);
    await take(offered.option, timeoutMs);
  } catch (error) {
    throw actionFailure(error, what);
  }
  const words = plainWords(text);
  const isChosen = ({ value, chosen }: { value: string; chosen: string[] }) =>
    plainWords(value) === words || chosen.some((each) => plainWords(each) === words);
  const now = await held(found, isChosen, Math.min(timeoutMs, 1_000));
  return isChosen(now) ? text : now.value || now.chosen.join(', ');
}

async function take(option: ElementHandle<Element>, timeoutMs: number): Promise<void> {
  try {
    await option.click({ timeout: timeoutMs });
  } finally {
    await option.dispose();
  }
}

async function frameOf({ locator }: Found): Promise<Frame> {
  const handle = await locator.elementHandle();
  const frame = await handle?.ownerFrame();
  await handle?.dispose();
  if (!frame) throw new Failure('site_failed', 'ELEMENT_GONE', 'The list went away.');
  return frame;
}

function hasDataList({ locator }: Found): Promise<boolean> {
  return locator.evaluate((input) => input instanceof HTMLInputElement && input.list !== null);
}

/** A data list proposes and does not insist; what it proposes exactly is taken as it spells it. */
async function datalistValue({ locator }: Found, text: string, what: string): Promise<string> {
  const offered = await locator.evaluate((input) =>
    input instanceof HTMLInputElement
      ? [...(input.list?.options ?? [])].map(({ label, value, textContent }) => ({
          label: label || textContent,
          value,
        }))
      : [],
  );
  const words = plainWords(text);
  const meant =
    offered.find(({ value }) => plainWords(value) === words) ??
    offered.find(({ label }) => plainWords(label) === words);
  if (!meant)
    throw noSuchOption(
      what,
      offered.map(({ value }) => value),
    );
  if (meant.value !== text) await locator.fill(meant.value);
  return text;
}

interface Offered {
  option?: ElementHandle<Element>;
  texts: string[];
}

/** Waits until the list shows the option, or has shown others for good. */
async function options(page: Page, frame: Frame, found: Found, text: string, limitMs: number): Promise<Offered> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const offered = await offeredNow(frame, found, text);
    const left = deadline - performance.now();
    if (offered.option || left <= 0) return offered;
    await nextChange(page, Math.min(left, 100));
  }
}

async function offeredNow(frame: Frame, { locator }: Found, text: string): Promise<Offered> {
  try {
    const input = await locator.elementHandle();
    await using seen = await frame.evaluateHandle(optionsInPage, { input, words: plainWords(text) });
    await input?.dispose();
    const texts = await seen.evaluate((each) => each.texts);
    const option = (await seen.evaluateHandle((each) => each.option)).asElement();
    return option ? { option, texts } : { texts };
  } catch (error) {
    if (isLeaving(error)) return { texts: [] };
    throw error;
  }
}

/** In the page: the options that can be seen, those of this list where it says which they are. */
function optionsInPage({ input, words }: { input: Element | null; words: string }) {
  const plain = (text: string) =>
    text
      .normalize('NFKC')
      .replace(/[\u2018\u2019\u201a\u2032`´]/g, "'")
      .replace(/[\u201c\u201d\u201e\u2033]/g, '"')
      .replace(/[\u2010-\u2015\u2212]/g, '-')
      .replace(/[\s\u200b\u00ad]+/g, ' ')
      .trim()
      .toLowerCase();
  const root = input?.getRootNode();
  const from = root instanceof ShadowRoot || root instanceof Document ? root : document;
  const ids = `${input?.getAttribute('aria-controls') ?? ''} ${input?.getAttribute('aria-owns') ?? ''}`.split(/\s+/);
  const own = ids.flatMap((id) => (id ? (from.getElementById(id) ?? []) : []));
  const within = own.length > 0 ? own : input?.getAttribute('role') === 'listbox' ? [input] : [from];
  const usual = '[role=option]';
  const loose =
    '[class*=suggest] li,[class*=autocomplete] li,[class*=typeahead] li,[class*=dropdown] li,[class*=results] li';
  const all = (selector: string) => within.flatMap((each) => [...each.querySelectorAll(selector)]);
  const candidates = all(usual).length > 0 ? all(usual) : [...all(loose), ...own.flatMap((list) => [...list.children])];
  const shown = candidates.filter((each) => each.checkVisibility({ checkVisibilityCSS: true }) && each !== input);
  const exact = shown.filter(
    (each) => plain(each.textContent ?? '') === words || plain(each.getAttribute('aria-label') ?? '') === words,
  );
  const texts = shown.slice(0, 50).map((each) => (each.textContent ?? '').trim().slice(0, 100));
  return { option: exact[0] ?? null, texts };
}

export function noSuchOption(what: string, offered: readonly string[]): Failure {
  const listed = offered.slice(0, 20).map((text) => quote(text, 60));
  const more = offered.length > listed.length ? ` and ${offered.length - listed.length} more` : '';
  const message =
    offered.length === 0
      ? `${what} offered no options for what was asked.`
      : `${what} has no such option. It has: ${listed.join(', ')}${more}.`;
  return new Failure('bad_input', 'NO_SUCH_OPTION', message, { options: offered });
}
