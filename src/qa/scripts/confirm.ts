import { Failure } from '../../platform/errors.ts';
import type { StepOutcome } from '../replay/play.ts';
import { wordsOf } from '../replay/replay.ts';
import { isExpectation, type Step } from './model.ts';
import { blemish } from './rehearse.ts';
import { tells } from './telling.ts';
import { tryOut, type Wishes, type Written } from './written.ts';

const MOST_WEAKENINGS = 3;

/** The first clean play of a script that nobody has played yet. */
export async function provenOnce(wishes: Wishes, written: Written): Promise<Written> {
  const { outcomes, picture } = await tryOut(wishes, written.steps);
  const wrong = blemish(outcomes);
  return wrong ? notClean(written, 'when played again', wrong, picture) : written;
}

/**
 * The second clean play, after all the others were played. What was only observed and no longer holds was never a property
 * of the site: it is dropped, as long as something worth expecting is left.
 */
export async function confirmed(
  wishes: Wishes,
  written: Written,
  mayWeaken: boolean,
): Promise<{ written: Written; durationMs: number }> {
  let current = written;
  for (let weakened = 0; ; weakened++) {
    const { outcomes, durationMs, picture } = await tryOut(wishes, current.steps);
    const wrong = blemish(outcomes);
    if (!wrong) return { written: { ...current, steps: withTabs(current.steps, outcomes) }, durationMs };
    const weaker = weakened < MOST_WEAKENINGS && mayWeaken ? withoutAll(current.steps, outcomes) : undefined;
    if (!weaker) return { written: notClean(current, 'when played after the others', wrong, picture), durationMs };
    current = { ...current, steps: weaker };
  }
}

/** Which steps open or close a tab shows when they are played. A file that runs by itself must be told to wait for it. */
function withTabs(steps: readonly Step[], outcomes: readonly StepOutcome[]): Step[] {
  return steps.map((step, i) => {
    if (step.do !== 'click' && step.do !== 'press') return step;
    const { opensTab, closesTab } = outcomes[i] ?? {};
    return { ...step, ...(opensTab && { opensTab }), ...(closesTab && { closesTab }) };
  });
}

/** Without all that no longer holds; undefined where something else went wrong, or too little would be left. */
function withoutAll(steps: readonly Step[], outcomes: readonly StepOutcome[]): Step[] | undefined {
  const wrong = outcomes.filter(({ status, healedBy }) => status === 'failed' || healedBy !== undefined);
  const doubtful = wrong.filter(({ step }) => isExpectation(step));
  let left: Step[] | undefined = [...steps];
  for (const one of doubtful.length > 0 ? doubtful : wrong) left = left && weakerThan(left, one);
  return left;
}

/** Without what no longer holds, or with the part of it that still does; undefined where that would be no test any more. */
function weakerThan(steps: readonly Step[], { step, error }: StepOutcome): Step[] | undefined {
  if (!('oracle' in step) || step.oracle !== 'observed') return undefined;
  if (step.do === 'expectUrl') {
    const path = error instanceof Failure ? withoutNumbers(step.path, error.details) : undefined;
    return path === undefined ? undefined : steps.map((one) => (one === step ? { ...step, path } : one));
  }
  if (step.do === 'expectDownload' && step.begins !== undefined) {
    const { begins: _, ...named } = step;
    return steps.map((one) => (one === step ? named : one));
  }
  const begins = step.do === 'expectText' && error instanceof Failure ? commonBeginning(step.text, error.details) : '';
  const shorter: Step[] = step.do === 'expectText' && begins !== '' ? [{ ...step, text: begins }] : [];
  const rest = steps.flatMap((one) => (one === step ? shorter : [one]));
  return tells(rest) ? rest : undefined;
}

/** The address of what was made, where only its number is another each time; undefined where more than that is. */
export function withoutNumbers(path: string, { found = '' }: { found?: unknown }): string | undefined {
  const [parts, others] = [path.split('/'), String(found).split('/')];
  const isSame = (part: string, i: number) =>
    part === others[i] || part === '*' || (/\d/.test(part) && /\d/.test(others[i] ?? ''));
  if (parts.length !== others.length || !parts.every(isSame)) return undefined;
  return parts.map((part, i) => (part === others[i] ? part : '*')).join('/');
}

const LEAST_BEGINNING = 6;

/** The words with which a line still begins: “Welcome,” stays, whoever is welcomed. */
export function commonBeginning(text: string, { found = '' }: { found?: unknown }): string {
  const now = String(found);
  let length = 0;
  while (length < text.length && text[length] === now[length]) length++;
  // Only whole words: what is cut in the middle of one was never a word.
  const words = length === text.length ? text : text.slice(0, length).replace(/[\p{L}\p{N}]*$/u, '');
  return words.trim().length >= LEAST_BEGINNING ? words.trim() : '';
}

function notClean(written: Written, when: string, { description, error }: StepOutcome, picture?: Uint8Array): Written {
  const why = error === undefined ? 'found in another way than when it was written' : wordsOf(error);
  const failure = { kind: 'not repeatable' as const, reason: `Not clean ${when}: ${description}: ${why}` };
  return { ...written, failure, ...(picture && { picture }) };
}
