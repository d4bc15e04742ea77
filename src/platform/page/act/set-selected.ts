import { Failure } from '../../errors.ts';
import type { FoundElement } from '../locate/element-finder.ts';
import { createRestDetector, isContextLostError, PAGE_POLL_MS, waitForChange } from '../settle/settle.ts';
import { actionFailure } from './action-failure.ts';
import { waitForElementFacts } from './element-value.ts';
import { optionNotFound } from './option-choice.ts';
import { optionLabel, type PlainControl } from './set-plain-control.ts';
import { findOption, findOptionByLabel } from './value-comparison.ts';

interface SelectContext {
  what: string;
  timeoutMs: number;
  pending: (() => number) | undefined;
}

interface SelectOption {
  label: string;
  value: string;
}

interface SelectedOptions {
  readBack: string;
  /** Options that were found by what they are called: another has their value by now, or none. */
  renamed: SelectOption[];
}

/** Chooses in a list of HTML, by value or label. Where it is known what an option is called, none of another name is taken. */
export async function selectOptions(
  found: FoundElement,
  wanted: readonly string[],
  selecting: SelectContext,
  known?: PlainControl['options'],
): Promise<SelectedOptions> {
  const { what, timeoutMs } = selecting;
  const called = (options: readonly SelectOption[], each: string) =>
    findOptionByLabel(options, each, optionLabel(known, each));
  const offered = await waitForSelectOptions(found, selecting, (options) =>
    wanted.every((each) => called(options, each)),
  );
  const meant = wanted.map((each) => called(offered, each));
  if (meant.includes(undefined)) {
    const isRenamed = wanted.every((each) => findOption(offered, each));
    throw isRenamed ? optionRenamed(what, offered) : optionNotFound(what, labelsOf(offered));
  }
  const renamed = wanted.flatMap((each, i) => {
    const option = meant[i];
    return option && findOption(offered, each) !== option ? [{ value: each, label: option.label }] : [];
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
  const now = await waitForElementFacts(found, ({ value }) => value === asked, Math.min(timeoutMs, 1_000));
  if (now.value !== asked)
    throw new Failure('site_failed', 'VALUE_NOT_KEPT', `${what} did not keep its value: another option is chosen.`);
  return { readBack: now.value, renamed };
}

/** A list of months has their names, their numbers, or both; the names count first, since some pages count from 0. */
export async function selectDatePart(
  found: FoundElement,
  part: string,
  text: string,
  selecting: SelectContext,
): Promise<string> {
  const month = new Date(Date.UTC(2000, Number(text) - 1, 1));
  const names = (['long', 'short'] as const).map((style) =>
    month.toLocaleString('en', { month: style, timeZone: 'UTC' }),
  );
  const asked = [...(part === 'month' ? names : []), text, String(Number(text))];
  const meantIn = (options: readonly SelectOption[]) =>
    asked.map((each) => findOption(options, each)).find((option) => option !== undefined);
  const offered = await waitForSelectOptions(found, selecting, (options) => meantIn(options) !== undefined);
  const meant = meantIn(offered);
  if (!meant) throw optionNotFound(selecting.what, labelsOf(offered));
  return (await selectOptions(found, [meant.value], selecting)).readBack;
}

const labelsOf = (options: readonly SelectOption[]) => options.map(({ label }) => label);

/** What a list offers, as soon as what is meant is among it: some are filled only when another question is answered. */
async function waitForSelectOptions(
  found: FoundElement,
  { timeoutMs, pending }: SelectContext,
  isThere: (options: readonly SelectOption[]) => boolean,
): Promise<SelectOption[]> {
  const deadline = performance.now() + timeoutMs;
  const rest = createRestDetector(pending);
  for (let isOver = false; ; ) {
    const offered = await readSelectOptions(found);
    const left = deadline - performance.now();
    if (isThere(offered) || isOver || !pending || left <= 0) return offered;
    isOver = rest.isAtRest(await waitForChange(found.locator.page(), Math.min(left, PAGE_POLL_MS)));
  }
}

async function readSelectOptions({ locator }: FoundElement): Promise<SelectOption[]> {
  const [list = []] = await locator
    .evaluateAll((lists) =>
      lists.map((list) =>
        list instanceof HTMLSelectElement
          ? [...list.options].map(({ label, value, textContent }) => ({ label: (label || textContent).trim(), value }))
          : [],
      ),
    )
    .catch((error: unknown) => {
      if (isContextLostError(error)) return [];
      throw error;
    });
  return list;
}

/** Without saying which: it may be somebody's own. */
function optionRenamed(what: string, offered: readonly SelectOption[]): Failure {
  const { kind, message, details } = optionNotFound(what, labelsOf(offered));
  const more = 'The option of that value is called otherwise than it was, and may mean something else.';
  return new Failure(kind, 'OPTION_CHANGED', `${message} ${more}`, details);
}
