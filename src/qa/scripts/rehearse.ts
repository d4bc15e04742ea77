import { play, type StepOutcome } from '../replay/play.ts';
import type { Stage } from '../replay/stage.ts';
import { verify } from '../replay/verify.ts';
import { arrivedFiles } from './files.ts';
import { isUnchanged, lateOutcome } from './late-outcome.ts';
import type { Expectation } from './model.ts';
import { type Observation, observe } from './observe.ts';
import type { Draft, Point } from './pen.ts';
import type { Eve } from './strength.ts';

/** The steps of a draft in another session, and what was seen there at the same points. */
export interface Rehearsal {
  points: Point[];
  eve: Eve | undefined;
  /** The step that was not clean: it failed, or was found in another way than the best. */
  wrong: StepOutcome | undefined;
}

/** The same steps once more: what is seen both times is stable, and the steps can be repeated. */
export async function rehearse(
  stage: Stage,
  { steps, points, decisive }: Draft,
  isList: boolean,
  signal?: AbortSignal,
): Promise<Rehearsal> {
  const seen: Point[] = [];
  const last = decisive ? steps.indexOf(decisive) : steps.length - 1;
  let eve: Eve | undefined;
  let previous: Observation | undefined;
  const outcomes = await play(stage, steps, {
    ...(signal && { signal }),
    settleAfter: (position) => points.some(({ after }) => after === position + 1),
    async before(position) {
      const isPoint = points.some(({ after }) => after === position);
      const leadsLate = points.some(({ after, isLate }) => isLate && after === position + 1);
      if (!isPoint && position !== last && !leadsLate) return;
      let look = await observe(stage.page(), isList, stage.spoken());
      const [done, isLate] = [steps[position - 1], points.some((one) => one.isLate && one.after === position)];
      if (isLate && done && previous && isUnchanged(previous, look, done))
        look = await lateOutcome(stage, isList, previous, done);
      // What was said in a dialog before it is none of the next step's.
      previous = { ...look, lines: look.lines.filter(({ spoken }) => !spoken) };
      if (isPoint)
        seen.push({ after: position, seen: look, files: await arrivedFiles(stage), requests: stage.sent.length });
      if (position === last) eve = { seen: previous, sent: [...stage.sent] };
    },
  });
  return { points: seen, eve, wrong: blemish(outcomes) };
}

/** What of a play was not clean. */
export function blemish(outcomes: readonly StepOutcome[]): StepOutcome | undefined {
  return outcomes.find(({ status, healedBy }) => status !== 'passed' || healedBy !== undefined);
}

/** The first expectation that does not hold where the rehearsal has ended. */
export async function unmet(
  stage: Stage,
  expectations: readonly Expectation[],
): Promise<{ step: Expectation; error: unknown } | undefined> {
  for (const step of expectations)
    try {
      await verify(stage, step);
    } catch (error) {
      return { step, error };
    }
  return undefined;
}
