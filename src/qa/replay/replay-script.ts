import * as z from 'zod';
import { Failure, systemReason } from '../../platform/errors.ts';
import type { Json } from '../../platform/json.ts';
import { unlessAborted } from '../../platform/unless-aborted.ts';
import { type LatestResult, readScriptDetails } from '../artifacts/script-details.ts';
import { type NewArtifact, saveArtifact } from '../runs/run-artifacts.ts';
import type { RunContext, RunOutcome } from '../runs/run-context.ts';
import type { TestVerdict } from '../runs/run-kinds.ts';
import type { UsageMeter } from '../runs/usage-meter.ts';
import { isExpectation, pathPattern, pathWithin, scriptSteps as stepsShape } from '../scripts/model/script-steps.ts';
import type { RunRow, TestScript } from '../store/qa-store.ts';
import { type ClassifiedFailure, classifyFailure } from './classify-failure.ts';
import { openSession, type ReplaySession, type SessionOptions } from './session/replay-session.ts';
import { startTraceRecording, type TraceRecording } from './session/trace-recording.ts';
import { playSteps } from './steps/play-steps.ts';
import type { StepOutcome } from './steps/step-outcome.ts';

type ReplayServices = Pick<
  RunContext,
  'home' | 'artifacts' | 'principal' | 'store' | 'browsers' | 'inside' | 'secrets'
> & {
  signal: AbortSignal;
};

interface ReplayAttempt {
  number: number;
  outcomes: StepOutcome[];
  failed: StepOutcome | undefined;
  classified: ClassifiedFailure | undefined;
  durationMs: number;
  console: string[];
  failedRequests: string[];
  trace: Uint8Array | undefined;
}

export interface ReplayResult extends RunOutcome {
  verdict: TestVerdict;
  durationMs: number;
  /** Number of steps that used a fallback locator. */
  healed: number;
}

/**
 * Plays a script in a new context. After a failure it plays the script once more with a full trace, which decides between
 * flaky and failed. Stores steps, pictures and page errors with the run, and traces of failed attempts. Costs are added to
 * the meter during the replay, so that an interrupted replay is counted too.
 */
export async function replayScript(
  context: ReplayServices,
  run: RunRow,
  script: TestScript,
  { baseUrl = script.url, meter }: { baseUrl?: string | undefined; meter: UsageMeter },
): Promise<ReplayResult> {
  const steps = stepsShape.parse(context.secrets.placeholders.restore(script.steps));
  const { origin } = new URL(baseUrl);
  // A replay against another origin, such as a preview, does not count in the summaries of the site.
  const isElsewhere = origin !== new URL(script.url).origin;
  const where = isElsewhere ? { baseUrl: origin } : {};
  const missing = script.secrets.find((name) => !context.secrets.list.some((known) => known.name === name));
  if (missing !== undefined) {
    const replayed = missingSecretResult(context, missing, where);
    if (!isElsewhere) await saveLatestResult(context, run, script, replayed);
    return replayed;
  }
  const refusesFiles = !steps.some((step) => step.do === 'expectDownload');
  const sessionOptions = { ...context, baseUrl: origin, meter, refusesFiles };
  const attempts = [await runAttempt(context, sessionOptions, script, steps, 1)];
  if (attempts[0]?.failed) attempts.push(await runAttempt(context, sessionOptions, script, steps, 2));
  const artifacts = await Promise.all(attempts.map((one) => saveAttempt(context, run, one, meter)));
  const replayed = judgeAttempts(attempts, artifacts, where);
  if (!isElsewhere) await saveLatestResult(context, run, script, replayed);
  return replayed;
}

/** Stores the duration of a replay for the order of a batch, and its verdict for the summaries. */
async function saveLatestResult(
  { store, secrets }: ReplayServices,
  run: RunRow,
  script: TestScript,
  replayed: ReplayResult,
): Promise<void> {
  const { verdict, failureClass, error } = replayed;
  const latest: LatestResult = {
    verdict,
    failureClass: failureClass ?? null,
    error: error === undefined ? null : secrets.redactor.text(error),
    runId: run.id,
    at: Date.now(),
    healed: replayed.healed,
  };
  // A concurrent replay may have ended, and a generation may have written another version.
  await store.transaction(async ({ testScripts }) => {
    const current = await testScripts.get(script.id);
    if (!current) return;
    const mean = current.durationMs > 0 ? (current.durationMs + replayed.durationMs) / 2 : replayed.durationMs;
    await testScripts.update(script.id, {
      ...(verdict === 'passed' && { durationMs: Math.round(mean) }),
      details: z.json().parse({ ...readScriptDetails(current), latest }),
    });
  });
}

async function runAttempt(
  context: ReplayServices,
  options: SessionOptions,
  script: Pick<TestScript, 'secrets'>,
  steps: Parameters<typeof playSteps>[1],
  number: number,
): Promise<ReplayAttempt> {
  const { signal } = context;
  const from = performance.now();
  await using current = await openSessionWithRetry(options, signal);
  const isSecretive = script.secrets.length > 0;
  const recording = await startRecording(current, context, { number, isSecretive });
  const outcomes = await unlessAborted(
    playSteps(current, steps, { pictures: true, together: number === 1, signal }),
    signal,
  );
  const failed = outcomes.find(({ status }) => status === 'failed');
  const { happenings } = current;
  return {
    number,
    outcomes,
    failed,
    classified:
      failed &&
      classifyFailure(failed, {
        ...failureTraces(current),
        isElsewhere: isOnOtherPage(current, outcomes, failed),
        secrets: script.secrets,
      }),
    trace: failed && (await recording?.stop()),
    durationMs: performance.now() - from,
    console: happenings.filter(({ kind }) => kind === 'console-error' || kind === 'page-error').map(({ text }) => text),
    failedRequests: current.sent
      .filter(({ status }) => status === 0 || status >= 400)
      .map(({ method, path, status }) => `${status || 'no answer'} ${method} ${path}`),
  };
}

/** A browser that ends before the first step does not count: another browser is started. */
async function openSessionWithRetry(options: SessionOptions, signal: AbortSignal): Promise<ReplaySession> {
  for (let tries = 1; ; tries++) {
    try {
      return await openSession(options);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Failure) throw error;
      if (tries > 1)
        throw new Failure('unavailable', 'BROWSER', 'The browser could not be started.', {}, { cause: error });
    }
  }
}

/**
 * Records little of the first attempt and everything of the second. A trace is on the disk without redaction until its
 * browser ends, so the recording of a first attempt must not contain secrets. The first step reports a browser that has
 * ended.
 */
async function startRecording(
  { context }: ReplaySession,
  { home, secrets }: ReplayServices,
  { number, isSecretive }: Pick<ReplayAttempt, 'number'> & { isSecretive: boolean },
): Promise<TraceRecording | undefined> {
  const light = number === 1;
  return light && isSecretive
    ? undefined
    : startTraceRecording(context, { home, redactor: secrets.redactor, light }).catch(() => undefined);
}

function failureTraces({ failures, sent, happenings }: ReplaySession) {
  return { failures, sent, happenings };
}

/** Whether the page is not the one that the script expects at the failed step. */
function isOnOtherPage(session: ReplaySession, outcomes: readonly StepOutcome[], failed: StepOutcome): boolean {
  const after = outcomes.slice(outcomes.indexOf(failed) + 1).map(({ step }) => step);
  const next = after.findIndex((step) => !isExpectation(step));
  const expected = after.slice(0, next < 0 ? undefined : next).find((step) => step.do === 'expectUrl');
  if (!expected) return false;
  const path = pathWithin(session.page().url(), session.baseUrl);
  return !pathPattern(session.fillIn(expected.path)).test(path);
}

async function saveAttempt(
  context: ReplayServices,
  run: RunRow,
  attempt: ReplayAttempt,
  meter: UsageMeter,
): Promise<Record<string, string>> {
  const { redactor } = context.secrets;
  const { projectId, owner, id: runId } = run;
  const keepFile = async (file: NewArtifact): Promise<string> => {
    try {
      const { id, fileSize } = await saveArtifact({ ...context, redactor }, run, file);
      meter.bytes += fileSize;
      return id;
    } catch (error) {
      throw new Failure('unavailable', 'NOT_KEPT', `The evidence cannot be saved: ${systemReason(error)}.`);
    }
  };
  const ids = new Map<Uint8Array, string>();
  for (const { picture } of attempt.outcomes) {
    if (!picture || ids.has(picture)) continue;
    const name = `attempt-${attempt.number}-${String(ids.size + 1).padStart(3, '0')}.jpg`;
    ids.set(picture, await keepFile({ kind: 'screenshot', name, contentType: 'image/jpeg', data: picture }));
  }
  const rows = attempt.outcomes.map((outcome, position) => ({
    ...{ projectId, owner, runId, position },
    attempt: attempt.number,
    action: outcome.step.do,
    description: redactor.text(outcome.description),
    status: outcome.status,
    healed: outcome.healedBy === undefined ? 0 : 1,
    error: outcome.error === undefined ? null : redactor.text(errorMessage(outcome.error)),
    durationMs: Math.round(outcome.durationMs),
    artifactId: (outcome.picture && ids.get(outcome.picture)) ?? null,
    details: outcome.healedBy === undefined ? {} : { healedBy: outcome.healedBy },
  }));
  // Another worker may replay the same run: only the one that holds the job stores its steps.
  await context.store.transaction(async ({ stepResults }) => {
    await stepResults.removeAll({ runId, attempt: attempt.number });
    await stepResults.insertAll(rows);
  });
  const kept: Record<string, string> = {};
  if (attempt.trace) {
    const name = `attempt-${attempt.number}-trace.zip`;
    kept['trace'] = await keepFile({ kind: 'trace', name, contentType: 'application/zip', data: attempt.trace });
  }
  const last = attempt.outcomes.findLast(({ picture }) => picture)?.picture;
  const screenshot = last && ids.get(last);
  return { ...kept, ...(screenshot && { screenshot }) };
}

function judgeAttempts(
  attempts: ReplayAttempt[],
  artifacts: Record<string, string>[],
  where: { baseUrl?: string },
): ReplayResult {
  const last = attempts.at(-1);
  const [first] = attempts;
  // A browser that ended, or a short outage of the site, is no result of the test.
  const isFlaky =
    last?.failed === undefined && first?.failed !== undefined && first.classified?.failureClass !== 'infrastructure';
  const { classified, failed } = last ?? {};
  const verdict: TestVerdict = !failed
    ? isFlaky
      ? 'flaky'
      : 'passed'
    : classified?.failureClass === 'infrastructure'
      ? 'inconclusive'
      : 'failed';
  const about = failed ? last : isFlaky ? first : undefined;
  const error = about?.failed && errorMessage(about.failed.error);
  return {
    verdict,
    healed: last?.outcomes.filter(({ healedBy }) => healedBy !== undefined).length ?? 0,
    durationMs: Math.round(first?.durationMs ?? 0),
    ...(about?.classified && { failureClass: about.classified.failureClass }),
    ...(error && { error }),
    result: {
      verdict,
      ...where,
      durationMs: Math.round(first?.durationMs ?? 0),
      steps: countSteps(last?.outcomes ?? []),
      healed: listHealedSteps(last?.outcomes ?? []),
      ...(about?.failed && {
        failedStep: { position: about.outcomes.indexOf(about.failed), description: about.failed.description },
      }),
      ...(about?.classified && { failureClass: about.classified.failureClass, reason: about.classified.reason }),
      attempts: attempts.map((one, i) => ({
        attempt: one.number,
        passed: !one.failed,
        durationMs: Math.round(one.durationMs),
        ...(one.failed && { error: errorMessage(one.failed.error) }),
        consoleErrors: one.console.slice(0, 20),
        failedRequests: one.failedRequests.slice(0, 20),
        artifacts: artifacts[i] ?? {},
      })),
    },
  };
}

function countSteps(outcomes: readonly StepOutcome[]): Json {
  const of = (status: StepOutcome['status']) => outcomes.filter((outcome) => outcome.status === status).length;
  return { total: outcomes.length, passed: of('passed'), failed: of('failed'), skipped: of('skipped') };
}

function listHealedSteps(outcomes: readonly StepOutcome[]): Json {
  return outcomes.flatMap(({ healedBy, step, description }, position) => {
    if (healedBy === undefined || !('on' in step)) return [];
    const used = step.on.ladder[healedBy];
    return [{ position, description, usedInstead: used ? `${used.by} ${used.value}` : 'another locator' }];
  });
}

function missingSecretResult({ secrets }: ReplayServices, name: string, where: { baseUrl?: string }): ReplayResult {
  let message = `The secret ${name} no longer exists.`;
  try {
    secrets.value(name);
  } catch (error) {
    message = errorMessage(error);
  }
  const failureClass = 'infrastructure';
  const result = { verdict: 'inconclusive', ...where, failureClass, reason: message, secretName: name };
  return { verdict: 'inconclusive', durationMs: 0, healed: 0, failureClass, error: message, result };
}

/** Removes the call log that Playwright appends. */
export function errorMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split(/\n\s*Call log:/)[0]?.slice(0, 1000) ?? '';
}
