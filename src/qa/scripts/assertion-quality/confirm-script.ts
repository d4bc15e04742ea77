import { Failure } from '../../../platform/errors.ts';
import { errorMessage } from '../../replay/replay-script.ts';
import type { StepOutcome } from '../../replay/steps/step-outcome.ts';
import { isExpectation, type ScriptStep } from '../model/script-steps.ts';
import { trialReplay, type WriterOptions, type WrittenScript } from '../model/written-script.ts';
import { findUncleanStep } from '../record/repeat-draft.ts';
import { assertsOutcome } from './outcome-assertion.ts';

const MAX_WEAKENINGS = 3;

/** Replays a new script for the first time; it must pass without healing. */
export async function verifyFirstReplay(options: WriterOptions, written: WrittenScript): Promise<WrittenScript> {
  const { outcomes, picture } = await trialReplay(options, written.steps);
  const wrong = findUncleanStep(outcomes);
  return wrong ? notRepeatableScript(written, 'when replayed', wrong, picture) : written;
}

/**
 * The second clean replay, after all other scripts were played. An observed expectation that no longer holds was never
 * a property of the site, so it is removed if enough expectations are left.
 */
export async function confirmScript(
  options: WriterOptions,
  written: WrittenScript,
  mayWeaken: boolean,
): Promise<{ written: WrittenScript; durationMs: number }> {
  let current = written;
  for (let weakened = 0; ; weakened++) {
    const { outcomes, durationMs, picture } = await trialReplay(options, current.steps);
    const wrong = findUncleanStep(outcomes);
    if (!wrong) return { written: { ...current, steps: withTabFlags(current.steps, outcomes) }, durationMs };
    const weaker =
      weakened < MAX_WEAKENINGS && mayWeaken ? withoutFailedObservations(current.steps, outcomes) : undefined;
    if (!weaker)
      return {
        written: notRepeatableScript(current, 'when replayed after the other scripts', wrong, picture),
        durationMs,
      };
    current = { ...current, steps: weaker };
  }
}

/** Marks the steps that opened or closed a tab during the replay, because an exported test has to wait for the tab. */
function withTabFlags(steps: readonly ScriptStep[], outcomes: readonly StepOutcome[]): ScriptStep[] {
  return steps.map((step, i) => {
    if (step.do !== 'click' && step.do !== 'press') return step;
    const { opensTab, closesTab } = outcomes[i] ?? {};
    return { ...step, ...(opensTab && { opensTab }), ...(closesTab && { closesTab }) };
  });
}

/** The script without expectations that no longer hold; undefined if something else failed or too few are left. */
function withoutFailedObservations(
  steps: readonly ScriptStep[],
  outcomes: readonly StepOutcome[],
): ScriptStep[] | undefined {
  const wrong = outcomes.filter(({ status, healedBy }) => status === 'failed' || healedBy !== undefined);
  const doubtful = wrong.filter(({ step }) => isExpectation(step));
  let left: ScriptStep[] | undefined = [...steps];
  for (const one of doubtful.length > 0 ? doubtful : wrong) left = left && weakenStep(left, one);
  return left;
}

/** The expectations that still hold, shortened if only a part does; undefined if nothing testable is left. */
function weakenStep(steps: readonly ScriptStep[], { step, error }: StepOutcome): ScriptStep[] | undefined {
  if (!('oracle' in step) || step.oracle !== 'observed') return undefined;
  if (step.do === 'expectUrl') {
    const path = error instanceof Failure ? wildcardNumbers(step.path, error.details) : undefined;
    return path === undefined ? undefined : steps.map((one) => (one === step ? { ...step, path } : one));
  }
  if (step.do === 'expectDownload' && step.begins !== undefined) {
    const { begins: _, ...named } = step;
    return steps.map((one) => (one === step ? named : one));
  }
  const begins = step.do === 'expectText' && error instanceof Failure ? commonPrefix(step.text, error.details) : '';
  const shorter: ScriptStep[] = step.do === 'expectText' && begins !== '' ? [{ ...step, text: begins }] : [];
  const rest = steps.flatMap((one) => (one === step ? shorter : [one]));
  return assertsOutcome(rest) ? rest : undefined;
}

/** The address of a created record with its number as a wildcard; undefined if more than the number differs. */
export function wildcardNumbers(path: string, { found = '' }: { found?: unknown }): string | undefined {
  const [parts, others] = [path.split('/'), String(found).split('/')];
  const isSame = (part: string, i: number) =>
    part === others[i] || part === '*' || (/\d/.test(part) && /\d/.test(others[i] ?? ''));
  if (parts.length !== others.length || !parts.every(isSame)) return undefined;
  return parts.map((part, i) => (part === others[i] ? part : '*')).join('/');
}

const MIN_PREFIX_LENGTH = 6;

/** The common prefix in whole words: “Welcome,” stays when the name changes. */
export function commonPrefix(text: string, { found = '' }: { found?: unknown }): string {
  const now = String(found);
  let length = 0;
  while (length < text.length && text[length] === now[length]) length++;
  // Ends at a word boundary, because a part of a word is no stable text.
  const words = length === text.length ? text : text.slice(0, length).replace(/[\p{L}\p{N}]*$/u, '');
  return words.trim().length >= MIN_PREFIX_LENGTH ? words.trim() : '';
}

function notRepeatableScript(
  written: WrittenScript,
  when: string,
  { description, error }: StepOutcome,
  picture?: Uint8Array,
): WrittenScript {
  const why = error === undefined ? 'found by another locator than when it was recorded' : errorMessage(error);
  const failure = { kind: 'not repeatable' as const, reason: `Not repeatable ${when}: ${description}: ${why}` };
  return { ...written, failure, ...(picture && { picture }) };
}
