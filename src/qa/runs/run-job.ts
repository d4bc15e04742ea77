import * as z from 'zod';
import type { ArtifactStore } from '../../platform/artifacts/artifact-store.ts';
import { toEnvironmentFailure } from '../../platform/environment-failure.ts';
import { Failure } from '../../platform/errors.ts';
import type { JobContext, JobHandler } from '../../platform/jobs/job-worker.ts';
import type { Json } from '../../platform/json.ts';
import { withRedactor } from '../../platform/redaction/redactor.ts';
import { loadSecretKeys } from '../../platform/secrets/secret-keys.ts';
import { createSecretVault } from '../../platform/secrets/secret-vault.ts';
import type { PlatformServices } from '../../platform/services.ts';
import { presentQaError } from '../present-error.ts';
import { openProjectSecrets } from '../secrets/project-secrets.ts';
import { qaSettings } from '../settings.ts';
import { createQaStore, type QaStore } from '../store/qa-store.ts';
import { saveArtifact } from './run-artifacts.ts';
import type { QaRun, RunContext, RunHandler, RunOutcome } from './run-context.ts';
import { qaHandlers, type RunHandlers } from './run-handlers.ts';
import { endedStatuses, type RunKind, runStatusOfVerdict } from './run-kinds.ts';
import { runPayload } from './run-payload.ts';
import { recordUsage } from './usage-meter.ts';

/** Address in the payload of a run. */
const urlPayload = z.object({ url: z.string() });

type QaWorkerServices = Omit<PlatformServices, 'self'>;

/** Creates the job handler of a run kind. */
export function createRunJobHandler(
  kind: RunKind,
  work: QaWorkerServices,
  handlers: RunHandlers = qaHandlers,
): JobHandler {
  return async (job, jobContext) => {
    const payload = runPayload.parse(job.payload);
    const store = createQaStore(await work.store());
    const run = await loadRun(store, payload.runId);
    // An ended run whose job starts for the first time since an operator redrove it is repeated. Otherwise the earlier worker
    // died after it saved the outcome.
    const isRedriven = job.redrives > 0 && job.attempts === 1;
    if (run.endedAt !== null && endedStatuses.includes(run.status) && !isRedriven) return run.result;
    const load = handlers[kind];
    if (!load) throw new Failure('internal', 'NO_HANDLER', `No handler is registered for job kind ${kind}.`);
    const context = await openRunContext(
      run,
      { ...work, store, artifacts: await work.artifacts() },
      payload,
      jobContext,
    );
    const resumed = { ...run, checkpoint: context.secrets.placeholders.restore(run.checkpoint) };
    return withRedactor(context.secrets.redactor, async () => executeRun(resumed, await load(), context));
  };
}

async function loadRun(store: QaStore, runId: string): Promise<QaRun> {
  const run = await store.runs.get(runId);
  const runtime = run && (await store.runtimes.get(run.runtimeId));
  const project = run && (await store.projects.get(run.projectId));
  if (run && runtime && project) return { ...run, runtime, project };
  throw new Failure('not_found', 'NO_RUN', `The run ${runId} no longer exists: its project was deleted.`);
}

type OpenedServices = Omit<QaWorkerServices, 'store' | 'artifacts'> & { store: QaStore; artifacts: ArtifactStore };

async function openRunContext(
  run: QaRun,
  { home, setting, store, artifacts, jobs, browsers, log }: OpenedServices,
  { issuer, subject }: z.output<typeof runPayload>,
  { signal, progress, isRetried }: JobContext,
): Promise<RunContext> {
  const vault = async () => createSecretVault(await loadSecretKeys(home, setting(qaSettings.secretKey)));
  const open = [run.project.url, urlPayload.safeParse(run.runtime.payload).data?.url];
  const secrets = await openProjectSecrets(
    store,
    vault,
    run.projectId,
    open.filter((url) => typeof url === 'string'),
  );
  const { redactor } = secrets;
  return {
    ...{ home, store, artifacts, jobs, browsers, secrets, setting, vault, signal, isRetried },
    principal: { issuer, subject },
    inside: run.runtime.inside ?? undefined,
    log: log.child({ run: run.id, kind: run.kind }),
    isCancelled: () => isCancelled(signal),
    progress(done, total, message) {
      const percent = total ? Math.min(100, Math.max(0, Math.floor((done / total) * 100))) : 0;
      progress({ percent, message: message === undefined ? null : redactor.text(message), at: Date.now() });
    },
    async checkpoint(value) {
      // Secrets in it are stored by name, because addresses in it are visited again.
      await store.runs.update(run.id, { checkpoint: secrets.placeholders.hide(value) });
    },
    saveArtifact: (artifact) =>
      saveArtifact({ artifacts, principal: { issuer, subject }, store, redactor }, run, artifact),
    charge: (usage, part) => recordUsage(store, { ...run, ...part }, usage),
  };
}

/** The abort reason distinguishes a cancellation from a stopping worker. */
function isCancelled(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason instanceof Error && signal.reason.message === 'cancelled';
}

/** Executes the handler and saves the outcome. A run whose worker stopped stays open. */
async function executeRun(run: QaRun, handler: RunHandler, context: RunContext): Promise<Json> {
  const { store, signal } = context;
  const { redactor } = context.secrets;
  const startedAt = run.startedAt ?? Date.now();
  await store.runs.update(run.id, { status: 'running', startedAt, endedAt: null, error: null });
  let outcome: RunOutcome;
  try {
    outcome = await handler(run, context);
    signal.throwIfAborted();
  } catch (error) {
    if (isCancelled(signal))
      await store.runs.update(run.id, { status: 'cancelled', checkpoint: null, endedAt: Date.now() });
    if (signal.aborted || context.isRetried(error)) throw error;
    const failure = presentableFailure(error, run, context);
    await store.runs.update(run.id, {
      status: 'failed',
      error: failure.message,
      result: presentQaError(failure).structured,
      checkpoint: null,
      endedAt: Date.now(),
    });
    throw failure;
  }
  const words = (text: string | undefined) => (text === undefined ? null : redactor.text(text));
  const result = redactor.texts(outcome.result);
  await store.runs.update(run.id, {
    status: runStatusOfVerdict(outcome.verdict),
    progress: 100,
    result,
    verdict: outcome.verdict ?? null,
    failureClass: outcome.failureClass ?? null,
    message: words(outcome.message),
    error: words(outcome.error),
    checkpoint: null,
    endedAt: Date.now(),
  });
  return result;
}

/** The failure with secrets redacted; unexpected errors become an internal failure with the run id. */
function presentableFailure(error: unknown, run: QaRun, { log, secrets: { redactor } }: RunContext): Failure {
  const typed = toEnvironmentFailure(error);
  if (typed) {
    if (typed !== error) log.error({ err: error }, 'system error in run');
    // Drops undefined values.
    const details = z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(typed.details)));
    const { message, ...clean } = redactor.texts({ ...details, message: typed.remoteMessage });
    return new Failure(typed.kind, typed.code, message, clean);
  }
  log.error({ err: error }, 'unhandled error in run');
  return new Failure(
    'internal',
    'INTERNAL',
    `Internal error in run ${run.id}; the log has the details. Report this id to the operator of the server.`,
  );
}
