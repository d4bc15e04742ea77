import { Failure } from '../errors.ts';
import { actionFailure } from './action-failure.ts';
import { noSuchOption } from './choose.ts';
import { held } from './held.ts';
import type { Found } from './ladder.ts';
import { optionCalled, optionMeant } from './same-value.ts';
import { labelOf, type Wished } from './set-at-once.ts';
import { isLeaving, LOOK_MS, nextChange, restWatch } from './settle.ts';

interface Selecting {
  what: string;
  timeoutMs: number;
  pending: (() => number) | undefined;
}

interface Option {
  label: string;
  value: string;
}

interface Selected {
  readBack: string;
  /** Options that were found by what they are called: another has their value by now, or none. */
  renamed: Option[];
}

/** Chooses in a list of HTML, by value or label. Where it is known what an option is called, none of another name is taken. */
export async function select(
  found: Found,
  wanted: readonly string[],
  selecting: Selecting,
  known?: Wished['options'],
): Promise<Selected> {
  const { what, timeoutMs } = selecting;
  const called = (options: readonly Option[], each: string) => optionCalled(options, each, labelOf(known, each));
  const offered = await offeredBy(found, selecting, (options) => wanted.every((each) => called(options, each)));
  const meant = wanted.map((each) => called(offered, each));
  if (meant.includes(undefined)) {
    const isRenamed = wanted.every((each) => optionMeant(offered, each));
    throw isRenamed ? calledOtherwise(what, offered) : noSuchOption(what, labelsOf(offered));
  }
  const renamed = wanted.flatMap((each, i) => {
    const option = meant[i];
    return option && optionMeant(offered, each) !== option ? [{ value: each, label: option.label }] : [];
  });
  // In the order of the list, which is that in which it says what it holds.
  const chosen = offered.filter((option) => meant.includes(option)).map(({ value }) => value);
  const asked = chosen.join(', ');
  if (found.facts.value === asked && !found.facts.disabled) return { readBack: asked, renamed };
  try {
    // By value, unless two options share one.
    const isClear = chosen.every((value) => offered.filter((option) => option.value === value).length === 1);
    const labels = meant.flatMap((option) => (option ? [{ label: option.label }] : []));
    await found.locator.selectOption(isClear ? chosen : labels, { timeout: timeoutMs });
  } catch (error) {
    throw actionFailure(error, what);
  }
  const now = await held(found, ({ value }) => value === asked, Math.min(timeoutMs, 1_000));
  if (now.value !== asked)
    throw new Failure('site_failed', 'VALUE_NOT_KEPT', `${what} did not keep its value: another option is chosen.`);
  return { readBack: now.value, renamed };
}

/** A list of months has their names, their numbers, or both; the names count first, since some pages count from 0. */
export async function selectPart(found: Found, part: string, text: string, selecting: Selecting): Promise<string> {
  const month = new Date(Date.UTC(2000, Number(text) - 1, 1));
  const names = (['long', 'short'] as const).map((style) =>
    month.toLocaleString('en', { month: style, timeZone: 'UTC' }),
  );
  const asked = [...(part === 'month' ? names : []), text, String(Number(text))];
  const meantIn = (options: readonly Option[]) =>
    asked.map((each) => optionMeant(options, each)).find((option) => option !== undefined);
  const offered = await offeredBy(found, selecting, (options) => meantIn(options) !== undefined);
  const meant = meantIn(offered);
  if (!meant) throw noSuchOption(selecting.what, labelsOf(offered));
  return (await select(found, [meant.value], selecting)).readBack;
}

const labelsOf = (options: readonly Option[]) => options.map(({ label }) => label);

/** What a list offers, as soon as what is meant is among it: some are filled only when another question is answered. */
async function offeredBy(
  found: Found,
  { timeoutMs, pending }: Selecting,
  isThere: (options: readonly Option[]) => boolean,
): Promise<Option[]> {
  const deadline = performance.now() + timeoutMs;
  const rest = restWatch(pending);
  for (let isOver = false; ; ) {
    const offered = await optionsOf(found);
    const left = deadline - performance.now();
    if (isThere(offered) || isOver || !pending || left <= 0) return offered;
    isOver = rest.isAtRest(await nextChange(found.locator.page(), Math.min(left, LOOK_MS)));
  }
}

async function optionsOf({ locator }: Found): Promise<Option[]> {
  const [list = []] = await locator
    .evaluateAll((lists) =>
      lists.map((list) =>
        list instanceof HTMLSelectElement
          ? [...list.options].map(({ label, value, textContent }) => ({ label: (label || textContent).trim(), value }))
          : [],
      ),
    )
    .catch((error: unknown) => {
      if (isLeaving(error)) return [];
      throw error;
    });
  return list;
}

/** Without saying which: it may be somebody's own. */
function calledOtherwise(what: string, offered: readonly Option[]): Failure {
  const { kind, message, details } = noSuchOption(what, labelsOf(offered));
  const more = 'The option of that value is called otherwise than it was, and may mean something else.';
  return new Failure(kind, 'OPTION_CHANGED', `${message} ${more}`, details);
}
