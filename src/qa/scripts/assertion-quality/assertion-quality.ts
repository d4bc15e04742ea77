import { actAndSettle } from '../../../page/settle/settle.ts';
import { isEndedBrowserError } from '../../replay/classify-failure.ts';
import { errorMessage } from '../../replay/replay-script.ts';
import { openSession, type ReplaySession } from '../../replay/session/replay-session.ts';
import type { SentRequest } from '../../replay/session/session-traffic.ts';
import { defaultLimits, performAction, type StepLimits } from '../../replay/steps/perform-action.ts';
import { playSteps } from '../../replay/steps/play-steps.ts';
import type { StepOutcome } from '../../replay/steps/step-outcome.ts';
import { oneLine, verifyExpectation } from '../../replay/steps/verify-expectation.ts';
import {
  isExpectation,
  isInEach,
  pathPattern,
  pathWithin,
  type ScriptAction,
  type ScriptExpectation,
  type ScriptStep,
} from '../model/script-steps.ts';
import {
  describeInterruption,
  failedScript,
  type Interruption,
  type MutantResult,
  trialReplay,
  type WriterOptions,
  type WrittenScript,
} from '../model/written-script.ts';
import { countedRoles, type PageObservation } from '../record/page-observation.ts';
import { lastActionIndex, type PageMutant } from './mutants.ts';

/** No waiting: the page has settled before it is read. */
const immediateLimits: StepLimits = { ...defaultLimits, elementMs: 2000, expectMs: 0 };

/** Checks that the expectations of a script detect every mutant of the page. */
export async function checkAssertionQuality(
  steps: ScriptStep[],
  broken: readonly PageMutant[],
  tryOn: MutantTrial,
): Promise<WrittenScript> {
  const mutants: WrittenScript['mutants'] = [];
  for (const mutant of broken) {
    const tried = await tryOn(mutant);
    if ('reason' in tried) return failedScript(steps, 'not repeatable', tried.reason, tried.picture);
    mutants.push({ name: mutant.name, ...tried });
    if (tried.noticed === 0) {
      const reason = `None of its expectations noticed that ${mutant.name}.`;
      return { steps, mutants, failure: { kind: 'too weak', reason } };
    }
  }
  return { steps, mutants };
}

/** Plays the script on a mutant: which expectations at its end fail, or why the mutant could not be tested. */
type MutantTrial = (mutant: PageMutant) => Promise<Omit<MutantResult, 'name'> | Interruption>;

/** The result of a trial. `expectNoErrors` says nothing about the page, so it need not fail. */
function mutantResult(
  { describe }: ReplaySession,
  all: readonly ScriptExpectation[],
  noticed: readonly ScriptExpectation[],
): Omit<MutantResult, 'name'> {
  const others = all.filter((one) => !noticed.includes(one) && one.do !== 'expectNoErrors');
  return { noticed: noticed.length, unnoticedBy: others.map(describe) };
}

/** The expectations that do not hold on the current page. */
async function listUnmetExpectations(
  session: ReplaySession,
  expectations: readonly ScriptExpectation[],
): Promise<ScriptExpectation[]> {
  const unmet: ScriptExpectation[] = [];
  for (const one of expectations)
    await verifyExpectation(session, one, immediateLimits).catch(() => {
      unmet.push(one);
    });
  return unmet;
}

/** Plays the script from the start and breaks the page just before the last action. */
export function trialFromStart(
  options: WriterOptions,
  steps: readonly ScriptStep[],
  last = lastActionIndex(steps),
): MutantTrial {
  return async (mutant) => {
    await using session = await openSession(options);
    let broken = false;
    const outcomes = await playSteps(session, steps, {
      ...(options.signal && { signal: options.signal }),
      soft: true,
      limits: immediateLimits,
      // Until the page is broken, expectations have their normal time limits.
      until: { position: last, limits: defaultLimits },
      // Filled fields alone change nothing; the page is read after the action that follows them.
      settleAfter: (position) => position === last || isFollowedByExpectation(steps, position),
      async before(position) {
        if (position !== last || broken) return;
        broken = true;
        await mutant.breakPage(session);
      },
    });
    const failures = outcomes.filter(({ status }) => status === 'failed');
    const early = failures.find(
      (outcome) => outcomes.indexOf(outcome) < last || isEndedBrowserError(errorMessage(outcome.error)),
    );
    if (early) return describeInterruption(session, early.error, withStepNumber(outcomes, early));
    const atTheEnd = outcomes.slice(last);
    const unmet = atTheEnd.flatMap(({ step, status }) => (isExpectation(step) && status === 'failed' ? [step] : []));
    // An action that is impossible on the broken page leaves it unchanged, and the other expectations are checked
    // against that.
    const rest = atTheEnd.flatMap(({ step, status }) => (isExpectation(step) && status === 'skipped' ? [step] : []));
    const noticed = [...unmet, ...(await listUnmetExpectations(session, rest))];
    const isUndone = outcomes[last]?.status === 'failed' && noticed.length === 0;
    const undone = isUndone ? await failureWithoutMutant(options, steps, last) : undefined;
    return undone ?? mutantResult(session, steps.slice(last).filter(isExpectation), noticed);
  };
}

/** An action that is impossible on the intact page too is the reason: then the expectations were never tested. */
async function failureWithoutMutant(
  options: WriterOptions,
  steps: readonly ScriptStep[],
  last: number,
): Promise<Interruption | undefined> {
  const { outcomes, picture } = await trialReplay(options, steps);
  const undone = outcomes.slice(0, last + 1).find(({ status }) => status === 'failed');
  if (!undone) return undefined;
  const { description } = withStepNumber(outcomes, undone);
  return { reason: `${description}: ${errorMessage(undone.error)}`, ...(picture && { picture }) };
}

/** Step numbers in messages start at 1. */
function withStepNumber(outcomes: readonly StepOutcome[], one: StepOutcome): Pick<StepOutcome, 'description'> {
  return { description: `Step ${outcomes.indexOf(one) + 1}, ${one.description}` };
}

/** The next step is an expectation. */
function isFollowedByExpectation(steps: readonly ScriptStep[], position: number): boolean {
  const next = steps[position + 1];
  return next !== undefined && isExpectation(next);
}

/** The page just before the last action of a script, and the requests until then. */
export interface PageBeforeLastAction {
  seen: PageObservation;
  sent: readonly SentRequest[];
}

/**
 * Reuses the page of a script that has just been played. If the last action had no effect, the page is still in its
 * earlier state. Otherwise the page is broken as it is, and the last action is repeated.
 */
export function trialOnCurrentPage(
  session: ReplaySession,
  last: ScriptAction,
  expectations: readonly ScriptExpectation[],
  pageBefore: PageBeforeLastAction | undefined,
  otherwise: MutantTrial,
): MutantTrial {
  return async (mutant) => {
    if (mutant.keepsPage && !pageBefore) return otherwise(mutant);
    if (mutant.keepsPage && pageBefore) {
      const unmet = expectations.filter((one) => !wasAlreadyTrue(pageBefore, one, session));
      return mutantResult(session, expectations, unmet);
    }
    session.sent.length = 0;
    try {
      await mutant.breakPage(session);
      await actAndSettle(session.page(), () => performAction(session, last, immediateLimits));
    } catch (error) {
      // The control of the last action no longer exists, as after a submitted form.
      return isEndedBrowserError(errorMessage(error)) ? describeInterruption(session, error) : otherwise(mutant);
    }
    const unmet = await listUnmetExpectations(session, expectations);
    // A message of the first submission may stay on the page, so the mutant is tested on a page without it.
    return unmet.length === 0 ? otherwise(mutant) : mutantResult(session, expectations, unmet);
  };
}

/** Whether an expectation held before the last action. Unknown counts as yes. */
export function wasAlreadyTrue(
  { seen, sent }: PageBeforeLastAction,
  step: ScriptExpectation,
  { fillIn, baseUrl }: Pick<ReplaySession, 'fillIn' | 'baseUrl'>,
) {
  const wasShown = (text: string) =>
    seen.lines
      .map((line) => line.text)
      .join(' ')
      .includes(oneLine(fillIn(text)));
  const wasSent = ({ method, path }: { method: string; path: string }) =>
    sent.some((one) => one.method === method && pathPattern(fillIn(path)).test(one.path));
  switch (step.do) {
    case 'expectUrl':
      return pathPattern(fillIn(step.path)).test(pathWithin(seen.url, baseUrl));
    case 'expectText':
    case 'expectDialog':
      return wasShown(step.text);
    case 'expectDownload':
      return false;
    case 'expectNoText':
      return !wasShown(step.text);
    case 'expectVisible': {
      const names = step.on.ladder.filter(({ by }) => by === 'name' || by === 'id').map(({ value }) => value);
      return names.length === 0 || seen.fields.some((field) => names.includes(field));
    }
    case 'expectCount': {
      const role = countedRoles.find((one) => one === step.role);
      return role === undefined || seen.counts[role] === step.count;
    }
    case 'expectEach':
      return seen.itemRole === step.role && isInEach(seen.items, { ...step, text: fillIn(step.text) });
    case 'expectRequest':
      return wasSent(step);
    case 'expectNoRequest':
      return step.method === '*' || !wasSent(step);
    default:
      return true;
  }
}
