import * as z from 'zod';
import { Failure } from '../../platform/errors.ts';
import type { Json } from '../../platform/json.ts';
import { currentCaseStatuses } from '../artifacts/current-scripts.ts';
import { chooseWorkerCount, runInParallel } from '../bulk/parallel.ts';
import { detectIn, evidenceOf } from '../cases/detect.ts';
import { planIn } from '../cases/model.ts';
import { turnsIn } from '../cases/turns.ts';
import { isOfEndedBrowser } from '../replay/classify.ts';
import { wordsOf } from '../replay/replay.ts';
import type { QaRun, RunContext, RunHandler } from '../runs/run-context.ts';
import { newUsageMeter } from '../runs/usage-meter.ts';
import type { QaTestCase } from '../store/qa-store.ts';
import { assignmentFor } from './assignment.ts';
import { confirmed, provenOnce } from './confirm.ts';
import { writeScript } from './generate.ts';
import { draftOf, keepScript, type ScriptSource, type ScriptState } from './keep.ts';
import { steps as stepsShape } from './model.ts';
import { mutantsOf } from './mutants.ts';
import { fromTheBeginning, proveStrength } from './strength.ts';
import type { Wishes, Written } from './written.ts';

export const generationPayload = z.object({
  useCaseId: z.string().nullable(),
  testCaseId: z.string().nullable(),
  /** Instead of the site that the cases were found on. */
  baseUrl: z.string().nullable(),
  /** Written by an agent: validated instead of generated. */
  steps: z.json().optional(),
});
export type GenerationPayload = z.output<typeof generationPayload>;

/** What is known of each case so far: enough for another worker to go on. */
const progressSoFar = z.record(
  z.string(),
  z.object({ scriptId: z.string(), state: z.enum(['written', 'active', 'failed']), reason: z.string() }),
);
type Progress = z.output<typeof progressSoFar>;

/**
 * Writes a script for each case, then plays all of them once more. The second play comes after all the others were
 * written and played, so what one does to the site is seen by the rest.
 */
export const generateScripts: RunHandler = async (run, place) => {
  const payload = generationPayload.parse(run.runtime.payload);
  const done: Progress = progressSoFar.safeParse(run.checkpoint).data ?? {};
  let cases = await casesOf(run, place, payload, done);
  let finished = Object.keys(done).length;
  const step = async (testCase: QaTestCase, state: Progress[string]) => {
    done[testCase.id] = state;
    place.progress(++finished, cases.length * 2, testCase.title);
    await place.checkpoint(done);
  };
  const workers = chooseWorkerCount(cases.length);
  const sideBySide = async (some: readonly QaTestCase[], work: (testCase: QaTestCase) => Promise<void>) => {
    const turns = await turnsIn(place.store, run.projectId);
    await runInParallel(some, workers, place.signal, work, ({ id }) => turns.get(id));
  };
  const writeAll = () =>
    sideBySide(
      cases.filter(({ id }) => !(id in done)),
      async (testCase) => step(testCase, await writeFor(run, place, testCase, payload)),
    );
  await writeAll();
  if (await detectLaterPages(run, place, payload)) {
    cases = await casesOf(run, place, payload, done);
    await writeAll();
  }
  // Who only looks comes last: what the others change in the meantime is seen to be no property of the site.
  const written = cases.filter(({ id }) => done[id]?.state === 'written');
  for (const looks of [false, true])
    await sideBySide(
      written.filter((testCase) => onlyLooks(testCase) === looks),
      async (testCase) => {
        const state = done[testCase.id];
        if (state) await step(testCase, await confirmFor(run, place, testCase, state.scriptId, payload));
      },
    );
  return outcomeOf(cases, done);
};

/** Whether pages that come after the first of a form, and were seen just now, have given rise to more cases. */
async function detectLaterPages(
  run: QaRun,
  place: RunContext,
  { useCaseId, testCaseId }: GenerationPayload,
): Promise<boolean> {
  if (testCaseId !== null) return false;
  const all = await place.store.useCases.list({ projectId: run.projectId });
  const seen = all.filter(
    (one) => (useCaseId === null || one.id === useCaseId) && evidenceOf(one)?.laterPages !== undefined,
  );
  let added = 0;
  for (const useCase of seen) added += (await detectIn(run, place, useCase, all)).added;
  return added > 0;
}

async function casesOf(
  run: QaRun,
  { store }: RunContext,
  { useCaseId, testCaseId }: GenerationPayload,
  done: Progress,
): Promise<QaTestCase[]> {
  const match = testCaseId ? { id: testCaseId } : useCaseId ? { useCaseId } : {};
  const cases = await store.testCases.list({ projectId: run.projectId, status: currentCaseStatuses, ...match });
  if (testCaseId || useCaseId) return cases;
  const scripts = await store.testScripts.list({ projectId: run.projectId, status: 'active' });
  const covered = new Set(scripts.map((script) => script.testCaseId));
  const useCases = await store.useCases.list({ projectId: run.projectId });
  const unseen = useCases.filter((one) => evidenceOf(one)?.laterPages === undefined).map(({ id }) => id);
  /** It was written before anybody kept what comes after the first page. */
  const leadsOn = (one: QaTestCase) => isHappy(one) && unseen.includes(one.useCaseId) && planIn(one)?.goesOn === true;
  return cases.filter((one) => one.id in done || !covered.has(one.id) || leadsOn(one));
}

const isHappy = ({ fingerprint }: QaTestCase) => fingerprint === 'happy';

async function writeFor(
  run: QaRun,
  place: RunContext,
  testCase: QaTestCase,
  { baseUrl, steps }: GenerationPayload,
): Promise<Progress[string]> {
  const source = steps === undefined ? 'generated' : 'authored';
  const wishes = wishesFor(place, testCase, baseUrl);
  try {
    const given = steps === undefined ? undefined : stepsShape.parse(place.secrets.places.restore(steps));
    const written = await inLivingBrowser(place, async () => {
      if (!given) return writeScript(wishes, await assignmentFor(place, testCase));
      const strong = await proveStrength(given, mutantsOf(given), fromTheBeginning(wishes, given));
      return strong.failure ? strong : provenOnce(wishes, strong);
    });
    if (isHappy(testCase) && !written.failure) await rememberPages(place, testCase, written);
    return await kept(run, place, testCase, written, written.failure ? 'failed' : 'draft', source);
  } catch (error) {
    return kept(run, place, testCase, brokenOff(place, testCase, error), 'failed', source);
  } finally {
    await place.charge(wishes.meter, partFor(testCase));
  }
}

/** The next detection derives cases from them. */
async function rememberPages(
  { store, secrets }: RunContext,
  { useCaseId }: QaTestCase,
  { laterPages }: Written,
): Promise<void> {
  const useCase = laterPages && (await store.useCases.get(useCaseId));
  if (!useCase) return;
  const known = z.record(z.string(), z.json()).parse(useCase.details);
  const pages = z.json().parse(secrets.places.hide(laterPages));
  await store.useCases.update(useCaseId, { details: { ...known, laterPages: pages } });
}

function partFor({ id, useCaseId }: QaTestCase) {
  return { useCaseId, testCaseId: id };
}

/** A browser that ended says nothing about the case, which is carried out once more in another. */
async function inLivingBrowser({ signal }: RunContext, carryOut: () => Promise<Written>): Promise<Written> {
  try {
    const written = await carryOut();
    if (!written.failure || !isOfEndedBrowser(written.failure.reason)) return written;
  } catch (error) {
    signal.throwIfAborted();
    if (!isOfEndedBrowser(wordsOf(error))) throw error;
  }
  return carryOut();
}

/** What goes wrong with one case is that case's outcome, and none of the others'. */
function brokenOff(place: RunContext, testCase: QaTestCase, error: unknown): Written {
  place.signal.throwIfAborted();
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    const reason = `The page or its browser did not answer: it was given up after ${MOST_MINUTES} minutes.`;
    return { steps: [], mutants: [], failure: { kind: 'not carried out', reason } };
  }
  const isExpected = error instanceof Failure;
  if (!isExpected) place.log.warn({ err: error, testCase: testCase.id }, 'a script could not be written');
  const reason = isExpected || isOfBrowser(error) ? wordsOf(error) : 'Internal error; the log has the details.';
  return { steps: [], mutants: [], failure: { kind: 'not carried out', reason } };
}

/** Playwright's errors say what happened in words for people; others are about our own code. */
function isOfBrowser(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === 'TimeoutError' || /^(page|browserContext|locator|frame)\./.test(error.message))
  );
}

async function confirmFor(
  run: QaRun,
  place: RunContext,
  testCase: QaTestCase,
  scriptId: string,
  { baseUrl, steps }: GenerationPayload,
): Promise<Progress[string]> {
  const script = await place.store.testScripts.get(scriptId);
  if (!script) return { scriptId, state: 'failed', reason: 'The script is gone.' };
  const isOurs = steps === undefined;
  const source = isOurs ? 'generated' : 'authored';
  const wishes = wishesFor(place, testCase, baseUrl);
  try {
    let durationMs = 0;
    const written = await inLivingBrowser(place, async () => {
      const played = await confirmed(wishes, draftOf(run, script, place.secrets.places), isOurs);
      durationMs = played.durationMs;
      return played.written;
    });
    return await kept(run, place, testCase, written, written.failure ? 'failed' : 'active', source, durationMs);
  } catch (error) {
    return kept(run, place, testCase, brokenOff(place, testCase, error), 'failed', source);
  } finally {
    await place.charge(wishes.meter, partFor(testCase));
  }
}

async function kept(
  run: QaRun,
  place: RunContext,
  testCase: QaTestCase,
  written: Written,
  state: ScriptState,
  source: ScriptSource,
  durationMs = 0,
): Promise<Progress[string]> {
  const scriptId = await keepScript(run, place, testCase, { ...written, durationMs, source }, state);
  if (state === 'draft') return { scriptId, state: 'written', reason: '' };
  const hasBetter = state === 'failed' && (await place.store.testScripts.get(scriptId))?.status === 'active';
  const reason = `${written.failure?.reason ?? ''}${hasBetter ? ' The script that is active stays as it was.' : ''}`;
  return { scriptId, state, reason };
}

/** No case takes so long, unless its page or the browser has ceased to answer. */
const MOST_MINUTES = 5;

function wishesFor(place: RunContext, testCase: QaTestCase, baseUrl: string | null): Wishes {
  const { browsers, inside, secrets } = place;
  return {
    browsers,
    inside,
    signal: AbortSignal.any([place.signal, AbortSignal.timeout(MOST_MINUTES * 60_000)]),
    secrets,
    baseUrl: new URL(baseUrl ?? testCase.url).origin,
    isPrivate: secrets.redactor.finds,
    meter: newUsageMeter(),
  };
}

function onlyLooks(testCase: QaTestCase): boolean {
  const plan = planIn(testCase);
  return plan !== undefined && plan.before.length === 0 && (plan.send === 'none' || plan.kind === 'search');
}

function outcomeOf(cases: readonly QaTestCase[], done: Progress) {
  const all = cases.flatMap(({ id, title }) => {
    const state = done[id];
    return state
      ? [
          {
            testCaseId: id,
            title,
            testScriptId: state.scriptId,
            status: state.state,
            ...(state.reason && { reason: state.reason }),
          },
        ]
      : [];
  });
  const active = all.filter(({ status }) => status === 'active').length;
  const failed = all.length - active;
  const result: Json = { testCases: all.length, active, failed, scripts: all.slice(0, 200) };
  if (all.length > 0 && active === 0)
    return { result, verdict: 'failed' as const, error: all[0]?.reason ?? 'No script could be written.' };
  return { result };
}
