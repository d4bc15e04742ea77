import type { StepOutcome } from '../replay/play.ts';
import { wordsOf } from '../replay/replay.ts';
import { tryOut, type Wishes, type Written } from './generate.ts';
import type { Step } from './model.ts';

const MOST_WEAKENINGS = 3;

/** What of a play was not clean: a step that failed, or was found in another way than the best. */
function blemish(outcomes: readonly StepOutcome[]): StepOutcome | undefined {
  return outcomes.find(({ status, healedBy }) => status !== 'passed' || healedBy !== undefined);
}

/** The first of the two clean plays that a script needs. */
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
    if (!wrong) return { written: current, durationMs };
    const rest = current.steps.filter((step) => step !== wrong.step);
    if (!mayWeaken || weakened === MOST_WEAKENINGS || !canDrop(wrong.step, rest))
      return { written: notClean(current, 'when played after the others', wrong, picture), durationMs };
    current = { ...current, steps: rest };
  }
}

function canDrop(step: Step, rest: readonly Step[]): boolean {
  const isObserved = 'oracle' in step && step.oracle === 'observed' && step.do !== 'expectUrl';
  return isObserved && rest.some(({ do: what }) => what === 'expectText' || what === 'expectInvalid');
}

function notClean(written: Written, when: string, { description, error }: StepOutcome, picture?: Uint8Array): Written {
  const why = error === undefined ? 'found in another way than when it was written' : wordsOf(error);
  const failure = { kind: 'not repeatable' as const, reason: `Not clean ${when}: ${description}: ${why}` };
  return { ...written, failure, ...(picture && { picture }) };
}
