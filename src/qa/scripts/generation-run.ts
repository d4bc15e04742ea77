import * as z from 'zod';
import { Failure } from '../../platform/errors.ts';
import type { Json } from '../../platform/json.ts';
import { currentCaseStatuses } from '../artifacts/current-scripts.ts';
import { chooseWorkerCount, groupByTurn, runInParallel } from '../bulk/parallel.ts';
import { readCasePlan } from '../cases/case-plan.ts';
import { detectUseCase } from '../cases/write/detect-cases.ts';
import { serialGroups } from '../cases/write/serial-groups.ts';
import { isEndedBrowserError } from '../replay/classify-failure.ts';
import { errorMessage } from '../replay/replay-script.ts';
import type { QaRun, RunContext, RunHandler } from '../runs/run-context.ts';
import { newUsageMeter } from '../runs/usage-meter.ts';
import { evidenceOfUseCase } from '../scan/use-case-evidence.ts';
import type { QaTestCase } from '../store/qa-store.ts';
import { checkAssertionQuality, trialFromStart } from './assertion-quality/assertion-quality.ts';
import { confirmScript, verifyFirstReplay } from './assertion-quality/confirm-script.ts';
import { mutantsForSteps } from './assertion-quality/mutants.ts';
import { buildAssignment } from './case-assignment.ts';
import type { ScriptSource, ScriptState } from './model/script-states.ts';
import { scriptSteps as stepsShape } from './model/script-steps.ts';
import type { WriterOptions, WrittenScript } from './model/written-script.ts';
import { writeScript } from './record/write-script.ts';
import { readDraft, saveScript } from './save-script.ts';

export const generationPayload = z.object({
  useCaseId: z.string().nullable(),
  testCaseId: z.string().nullable(),
  /** Origin to use instead of the site of the cases. */
  baseUrl: z.string().nullable(),
  /** A script of an agent, which is validated instead of generated. */
  steps: z.json().optional(),
});
export type GenerationPayload = z.output<typeof generationPayload>;

/** The progress of each case, from which another worker can continue. */
const generationProgress = z.record(
  z.string(),
  z.object({ scriptId: z.string(), state: z.enum(['written', 'active', 'failed']), reason: z.string() }),
);
type GenerationProgress = z.output<typeof generationProgress>;

/**
 * Writes a script for each case, then plays all of them once more. The second replay comes after all scripts were
 * written and played, so that each meets the effects of the others.
 */
export const generateScripts: RunHandler = async (run, context) => {
  const payload = generationPayload.parse(run.runtime.payload);
  const done: GenerationProgress = generationProgress.safeParse(run.checkpoint).data ?? {};
  let cases = await listCasesToWrite(run, context, payload, done);
  let finished = Object.keys(done).length;
  const step = async (testCase: QaTestCase, state: GenerationProgress[string]) => {
    done[testCase.id] = state;
    context.progress(++finished, cases.length * 2, testCase.title);
    await context.checkpoint(done);
  };
  const workers = chooseWorkerCount(cases.length);
  const sideBySide = async (some: readonly QaTestCase[], work: (testCase: QaTestCase) => Promise<void>) => {
    const turns = await serialGroups(context.store, run.projectId);
    const groups = groupByTurn(some, ({ id }) => turns.get(id));
    await runInParallel(groups, workers, context.signal, async (group) => {
      for (const testCase of group) {
        context.signal.throwIfAborted();
        await work(testCase);
      }
    });
  };
  const writeAll = () =>
    sideBySide(
      cases.filter(({ id }) => !(id in done)),
      async (testCase) => step(testCase, await writeCaseScript(run, context, testCase, payload)),
    );
  await writeAll();
  if (await detectLaterPages(run, context, payload)) {
    cases = await listCasesToWrite(run, context, payload, done);
    await writeAll();
  }
  // Cases that only read come last, so that they notice which texts the other cases change.
  const written = cases.filter(({ id }) => done[id]?.state === 'written');
  for (const looks of [false, true])
    await sideBySide(
      written.filter((testCase) => isReadOnlyCase(testCase) === looks),
      async (testCase) => {
        const state = done[testCase.id];
        if (state) await step(testCase, await confirmCaseScript(run, context, testCase, state.scriptId, payload));
      },
    );
  return summariseGeneration(cases, done);
};

/** Whether the following pages of a form, which were seen in this run, led to more cases. */
async function detectLaterPages(
  run: QaRun,
  context: RunContext,
  { useCaseId, testCaseId }: GenerationPayload,
): Promise<boolean> {
  if (testCaseId !== null) return false;
  const all = await context.store.useCases.list({ projectId: run.projectId });
  const seen = all.filter(
    (one) => (useCaseId === null || one.id === useCaseId) && evidenceOfUseCase(one)?.laterPages !== undefined,
  );
  let added = 0;
  for (const useCase of seen) added += (await detectUseCase(run, context, useCase, all)).added;
  return added > 0;
}

async function listCasesToWrite(
  run: QaRun,
  { store }: RunContext,
  { useCaseId, testCaseId }: GenerationPayload,
  done: GenerationProgress,
): Promise<QaTestCase[]> {
  const match = testCaseId ? { id: testCaseId } : useCaseId ? { useCaseId } : {};
  const cases = await store.testCases.list({ projectId: run.projectId, status: currentCaseStatuses, ...match });
  if (testCaseId || useCaseId) return cases;
  const scripts = await store.testScripts.list({ projectId: run.projectId, status: 'active' });
  const covered = new Set(scripts.map((script) => script.testCaseId));
  const useCases = await store.useCases.list({ projectId: run.projectId });
  const unseen = useCases.filter((one) => evidenceOfUseCase(one)?.laterPages === undefined).map(({ id }) => id);
  /** The script was written before following pages were recorded. */
  const leadsOn = (one: QaTestCase) =>
    isHappyPath(one) && unseen.includes(one.useCaseId) && readCasePlan(one)?.goesOn === true;
  return cases.filter((one) => one.id in done || !covered.has(one.id) || leadsOn(one));
}

const isHappyPath = ({ fingerprint }: QaTestCase) => fingerprint === 'happy';

async function writeCaseScript(
  run: QaRun,
  context: RunContext,
  testCase: QaTestCase,
  { baseUrl, steps }: GenerationPayload,
): Promise<GenerationProgress[string]> {
  const source = steps === undefined ? 'generated' : 'authored';
  const options = writerOptions(context, testCase, baseUrl);
  try {
    const authoredSteps =
      steps === undefined ? undefined : stepsShape.parse(context.secrets.placeholders.restore(steps));
    const written = await retryOnEndedBrowser(context, async () => {
      if (!authoredSteps) return writeScript(options, await buildAssignment(context, testCase));
      const strong = await checkAssertionQuality(
        authoredSteps,
        mutantsForSteps(authoredSteps),
        trialFromStart(options, authoredSteps),
      );
      return strong.failure ? strong : verifyFirstReplay(options, strong);
    });
    if (isHappyPath(testCase) && !written.failure) await saveLaterPages(context, testCase, written);
    return await saveProgress(run, context, testCase, written, written.failure ? 'failed' : 'draft', source);
  } catch (error) {
    return saveProgress(run, context, testCase, interruptedScript(context, testCase, error), 'failed', source);
  } finally {
    await context.charge(options.meter, usagePart(testCase));
  }
}

/** The next detection derives cases from them. */
async function saveLaterPages(
  { store, secrets }: RunContext,
  { useCaseId }: QaTestCase,
  { laterPages }: WrittenScript,
): Promise<void> {
  const useCase = laterPages && (await store.useCases.get(useCaseId));
  if (!useCase) return;
  const known = z.record(z.string(), z.json()).parse(useCase.details);
  const pages = z.json().parse(secrets.placeholders.hide(laterPages));
  await store.useCases.update(useCaseId, { details: { ...known, laterPages: pages } });
}

function usagePart({ id, useCaseId }: QaTestCase) {
  return { useCaseId, testCaseId: id };
}

/** A browser that ended is no result, so the case is repeated in another one. */
async function retryOnEndedBrowser(
  { signal }: RunContext,
  carryOut: () => Promise<WrittenScript>,
): Promise<WrittenScript> {
  try {
    const written = await carryOut();
    if (!written.failure || !isEndedBrowserError(written.failure.reason)) return written;
  } catch (error) {
    signal.throwIfAborted();
    if (!isEndedBrowserError(errorMessage(error))) throw error;
  }
  return carryOut();
}

/** An error in one case is the result of that case only. */
function interruptedScript(context: RunContext, testCase: QaTestCase, error: unknown): WrittenScript {
  context.signal.throwIfAborted();
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    const reason = `The page or its browser did not respond within ${MAX_CASE_MINUTES} minutes.`;
    return { steps: [], mutants: [], failure: { kind: 'not carried out', reason } };
  }
  const isExpected = error instanceof Failure;
  if (!isExpected) context.log.warn({ err: error, testCase: testCase.id }, 'script generation failed');
  const reason =
    isExpected || isPlaywrightError(error) ? errorMessage(error) : 'Internal error; the log has the details.';
  return { steps: [], mutants: [], failure: { kind: 'not carried out', reason } };
}

/** Errors of Playwright have readable messages; other errors are bugs of this program. */
function isPlaywrightError(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === 'TimeoutError' || /^(page|browserContext|locator|frame)\./.test(error.message))
  );
}

async function confirmCaseScript(
  run: QaRun,
  context: RunContext,
  testCase: QaTestCase,
  scriptId: string,
  { baseUrl, steps }: GenerationPayload,
): Promise<GenerationProgress[string]> {
  const script = await context.store.testScripts.get(scriptId);
  if (!script) return { scriptId, state: 'failed', reason: 'The script no longer exists.' };
  const isOurs = steps === undefined;
  const source = isOurs ? 'generated' : 'authored';
  const options = writerOptions(context, testCase, baseUrl);
  try {
    let durationMs = 0;
    const written = await retryOnEndedBrowser(context, async () => {
      const played = await confirmScript(options, readDraft(run, script, context.secrets.placeholders), isOurs);
      durationMs = played.durationMs;
      return played.written;
    });
    return await saveProgress(
      run,
      context,
      testCase,
      written,
      written.failure ? 'failed' : 'active',
      source,
      durationMs,
    );
  } catch (error) {
    return saveProgress(run, context, testCase, interruptedScript(context, testCase, error), 'failed', source);
  } finally {
    await context.charge(options.meter, usagePart(testCase));
  }
}

async function saveProgress(
  run: QaRun,
  context: RunContext,
  testCase: QaTestCase,
  written: WrittenScript,
  state: ScriptState,
  source: ScriptSource,
  durationMs = 0,
): Promise<GenerationProgress[string]> {
  const scriptId = await saveScript(run, context, testCase, { ...written, durationMs, source }, state);
  if (state === 'draft') return { scriptId, state: 'written', reason: '' };
  const hasBetter = state === 'failed' && (await context.store.testScripts.get(scriptId))?.status === 'active';
  const reason = `${written.failure?.reason ?? ''}${hasBetter ? ' The active script is unchanged.' : ''}`;
  return { scriptId, state, reason };
}

/** Time limit of a case. Beyond it, the page or the browser no longer responds. */
const MAX_CASE_MINUTES = 5;

function writerOptions(context: RunContext, testCase: QaTestCase, baseUrl: string | null): WriterOptions {
  const { browsers, inside, secrets } = context;
  return {
    browsers,
    inside,
    signal: AbortSignal.any([context.signal, AbortSignal.timeout(MAX_CASE_MINUTES * 60_000)]),
    secrets,
    baseUrl: new URL(baseUrl ?? testCase.url).origin,
    isPrivate: secrets.redactor.finds,
    meter: newUsageMeter(),
  };
}

function isReadOnlyCase(testCase: QaTestCase): boolean {
  const plan = readCasePlan(testCase);
  return plan !== undefined && plan.before.length === 0 && (plan.send === 'none' || plan.kind === 'search');
}

function summariseGeneration(cases: readonly QaTestCase[], done: GenerationProgress) {
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
