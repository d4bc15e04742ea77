import type { ReplaySession } from '../../replay/session/replay-session.ts';
import { playSteps } from '../../replay/steps/play-steps.ts';
import type { StepOutcome } from '../../replay/steps/step-outcome.ts';
import { verifyExpectation } from '../../replay/steps/verify-expectation.ts';
import type { PageBeforeLastAction } from '../assertion-quality/assertion-quality.ts';
import { collectDownloads } from '../expectations/downloads.ts';
import type { ScriptExpectation } from '../model/script-steps.ts';
import { isPageUnchanged, waitForDelayedOutcome } from './delayed-outcome.ts';
import { observePage, type PageObservation } from './page-observation.ts';
import type { ObservedPoint, ScriptDraft } from './script-recorder.ts';

/** The steps of a draft in another session, with the observations at the same points. */
export interface DraftRepetition {
  points: ObservedPoint[];
  pageBefore: PageBeforeLastAction | undefined;
  /** The step that was not clean: it failed, or used a fallback locator. */
  wrong: StepOutcome | undefined;
}

/** Repeats the same steps: what both runs show is stable, and the steps are repeatable. */
export async function repeatDraft(
  session: ReplaySession,
  { steps, points, decisive }: ScriptDraft,
  isList: boolean,
  signal?: AbortSignal,
): Promise<DraftRepetition> {
  const seen: ObservedPoint[] = [];
  const last = decisive ? steps.indexOf(decisive) : steps.length - 1;
  let pageBefore: PageBeforeLastAction | undefined;
  let previous: PageObservation | undefined;
  const outcomes = await playSteps(session, steps, {
    ...(signal && { signal }),
    settleAfter: (position) => points.some(({ after }) => after === position + 1),
    async before(position) {
      const isPoint = points.some(({ after }) => after === position);
      const leadsLate = points.some(({ after, isLate }) => isLate && after === position + 1);
      if (!isPoint && position !== last && !leadsLate) return;
      let look = await observePage(session.page(), isList, session.dialogTexts());
      const [done, isLate] = [steps[position - 1], points.some((one) => one.isLate && one.after === position)];
      if (isLate && done && previous && isPageUnchanged(previous, look, done))
        look = await waitForDelayedOutcome(session, isList, previous, done);
      // A dialog before this step does not belong to the next one.
      previous = { ...look, lines: look.lines.filter(({ spoken }) => !spoken) };
      if (isPoint)
        seen.push({
          after: position,
          seen: look,
          files: await collectDownloads(session),
          requests: session.sent.length,
        });
      if (position === last) pageBefore = { seen: previous, sent: [...session.sent] };
    },
  });
  return { points: seen, pageBefore: pageBefore, wrong: findUncleanStep(outcomes) };
}

/** The step of a replay that was not clean. */
export function findUncleanStep(outcomes: readonly StepOutcome[]): StepOutcome | undefined {
  return outcomes.find(({ status, healedBy }) => status !== 'passed' || healedBy !== undefined);
}

/** The first expectation that does not hold at the end of the repetition. */
export async function findUnmetExpectation(
  session: ReplaySession,
  expectations: readonly ScriptExpectation[],
): Promise<{ step: ScriptExpectation; error: unknown } | undefined> {
  for (const step of expectations)
    try {
      await verifyExpectation(session, step);
    } catch (error) {
      return { step, error };
    }
  return undefined;
}
