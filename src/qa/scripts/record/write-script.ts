import { UNIQUE_TOKEN } from '../../cases/values/unique-token.ts';
import { openSession, type ReplaySession } from '../../replay/session/replay-session.ts';
import { captureSessionScreenshot } from '../../replay/session/session-screenshot.ts';
import type { FormEvidence } from '../../scan/use-case-evidence.ts';
import { mapStrings } from '../../secrets/secret-placeholders.ts';
import { checkAssertionQuality, trialFromStart, trialOnCurrentPage } from '../assertion-quality/assertion-quality.ts';
import { lastActionIndex, mutantsForPlan } from '../assertion-quality/mutants.ts';
import { chooseExpectations } from '../expectations/choose-expectations.ts';
import { detectLoginRejection } from '../expectations/login-rejection.ts';
import { expectArrival } from '../expectations/observed-expectations.ts';
import { withUniquePlaceholder } from '../expectations/stable-text.ts';
import type { ScriptExpectation, ScriptStep } from '../model/script-steps.ts';
import {
  describeInterruption,
  failedScript,
  type Interruption,
  type WriterOptions,
  type WrittenScript,
} from '../model/written-script.ts';
import { isListUseCase } from './page-observation.ts';
import { type CaseAssignment, recordCase } from './record-case.ts';
import { type DraftRepetition, findUnmetExpectation, repeatDraft } from './repeat-draft.ts';
import type { ObservedPoint, ScriptDraft } from './script-recorder.ts';

/**
 * Writes a script while performing the case, then performs it again in another session: what both runs show is
 * expected, and checked on the page at once. That is the first of the two clean replays that a script needs.
 */
export async function writeScript(options: WriterOptions, assignment: CaseAssignment): Promise<WrittenScript> {
  const first = await recordCaseToEnd(options, assignment);
  if ('reason' in first) return failedScript([], 'not carried out', first.reason, first.picture);
  await using session = await openSession(options);
  const repetition = await repeatDraft(session, first.draft, isListUseCase(assignment.evidence), options.signal);
  const { wrong } = repetition;
  if (wrong)
    return interruptedScript(
      'not repeatable',
      first.draft.steps,
      await describeInterruption(session, wrong.error, wrong),
    );
  const written = await writeExpectations(options, assignment, first, session, repetition);
  return { ...written, laterPages: first.draft.laterPages.map((form) => withoutRunValues(form, first.unique)) };
}

/** The text without values of this run: a form may repeat earlier input. */
function withoutRunValues(form: FormEvidence, unique: string): FormEvidence {
  const { fields, ...rest } = mapStrings(form, (text) => withUniquePlaceholder(text, unique));
  const isOwn = (text: string) => text.includes(UNIQUE_TOKEN);
  return {
    ...rest,
    fields: fields.map((field) => ({
      ...field,
      label: isOwn(field.label) ? field.key : field.label,
      options: field.options.filter(({ label, value }) => !isOwn(label) && !isOwn(value)),
    })),
  };
}

async function writeExpectations(
  options: WriterOptions,
  assignment: CaseAssignment,
  { draft, unique, sent, hadFailures }: RecordedCase,
  session: ReplaySession,
  { points, pageBefore }: DraftRepetition,
): Promise<WrittenScript> {
  const uniques: [string, string] = [unique, session.unique];
  const second = points.at(-1);
  if (!second) return failedScript(draft.steps, 'not carried out', 'The page was never observed.');
  const { baseUrl, isPrivate } = options;
  const recording = { ...assignment, ...{ draft, second, uniques, sent, hadFailures, baseUrl, isPrivate } };
  const { failure, expectations } = detectLoginRejection(recording) ?? chooseExpectations(recording);
  if (failure) return failedScript(draft.steps, failure.kind, failure.reason, await captureSessionScreenshot(session));
  const steps = assembleSteps(draft, points, uniques, options, expectations);
  const not = await findUnmetExpectation(session, expectations);
  if (not)
    return interruptedScript(
      'not repeatable',
      steps,
      await describeInterruption(session, not.error, { description: session.describe(not.step) }),
    );
  const last = draft.decisive ?? draft.steps.at(-1);
  const otherwise = trialFromStart(options, steps, last ? steps.indexOf(last) : lastActionIndex(steps));
  const trial = last ? trialOnCurrentPage(session, last, expectations, pageBefore, otherwise) : otherwise;
  return checkAssertionQuality(steps, mutantsForPlan(assignment.plan), trial);
}

function interruptedScript(
  kind: Parameters<typeof failedScript>[1],
  steps: ScriptStep[],
  { reason, picture }: Interruption,
): WrittenScript {
  return failedScript(steps, kind, reason, picture);
}

type RecordedCase = { draft: ScriptDraft; hadFailures: boolean } & Pick<ReplaySession, 'unique' | 'sent'>;

/** The last page of a form is known only after going through it, so a double click there needs a second run. */
async function recordCaseToEnd(
  options: WriterOptions,
  assignment: CaseAssignment,
): Promise<RecordedCase | Interruption> {
  const { plan } = assignment;
  if (plan.send !== 'twice' || !plan.goesOn) return recordInNewSession(options, assignment);
  const once = await recordInNewSession(options, { ...assignment, plan: { ...plan, send: 'once' } });
  return 'reason' in once ? once : recordInNewSession(options, assignment, once.draft.laterPages.length);
}

async function recordInNewSession(
  options: WriterOptions,
  assignment: CaseAssignment,
  sentTwice?: number,
): Promise<RecordedCase | Interruption> {
  await using session = await openSession(options);
  try {
    const draft = await recordCase(session, assignment, sentTwice);
    const { unique, sent, failures } = session;
    return { draft, unique, sent, hadFailures: failures.length > 0 };
  } catch (error) {
    options.signal?.throwIfAborted();
    return describeInterruption(session, error);
  }
}

/** Steps with an expectation after each page, and all expectations at the end. */
function assembleSteps(
  { steps, points }: ScriptDraft,
  second: readonly ObservedPoint[],
  uniques: [string, string],
  { baseUrl, isPrivate }: WriterOptions,
  atTheEnd: readonly ScriptExpectation[],
): ScriptStep[] {
  const onTheWay = new Map<number, ScriptExpectation[]>();
  for (const [i, point] of points.slice(0, -1).entries()) {
    const other = second[i];
    if (other)
      onTheWay.set(point.after, expectArrival(points[i - 1], point, other, uniques, { baseUrl, isPrivate, steps }));
  }
  const whole: ScriptStep[] = [];
  for (const [i, step] of steps.entries()) {
    whole.push(step);
    const expected = onTheWay.get(i + 1);
    if (expected) whole.push(...expected);
  }
  return [...whole, ...atTheEnd];
}
