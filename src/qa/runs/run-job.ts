import * as z from 'zod';
import { toEnvironmentFailure } from '../../platform/environment-failure.ts';
import { Failure } from '../../platform/errors.ts';
import { awaitsParts } from '../../platform/jobs/job-parts.ts';
import type { JobHandler } from '../../platform/jobs/job-worker.ts';
import type { Json } from '../../platform/json.ts';
import { withRedactor } from '../../platform/redaction/redactor.ts';
import { presentQaError } from '../present-error.ts';
import { isCancelled, openRun, type QaWorkerServices } from './open-run.ts';
import type { QaRun, RunContext, RunHandler, RunOutcome } from './run-context.ts';
import { qaHandlers, type RunHandlers } from './run-handlers.ts';
import { endedStatuses, type RunKind, runStatusOfVerdict } from './run-kinds.ts';

/** Creates the job handler of a run kind. */
export function createRunJobHandler(
  kind: RunKind,
  work: QaWorkerServices,
  handlers: RunHandlers = qaHandlers,
): JobHandler {
  return async (job, jobContext) => {
    const { run, openContext } = await openRun(job, jobContext, work);
    // An ended run whose job starts for the first time since an operator redrove it is repeated. Otherwise the earlier worker
    // died after it saved the outcome.
    const isRedriven = job.redrives > 0 && job.attempts === 1;
    if (run.endedAt !== null && endedStatuses.includes(run.status) && !isRedriven) return run.result;
    const load = handlers[kind];
    if (!load) throw new Failure('internal', 'NO_HANDLER', `No handler is registered for job kind ${kind}.`);
    const context = await openContext();
    const resumed = { ...run, checkpoint: context.secrets.placeholders.restore(run.checkpoint) };
    return withRedactor(context.secrets.redactor, async () => executeRun(resumed, await load(), context));
  };
}

/** Executes the handler and saves the outcome. A run whose worker stopped stays open. */
async function executeRun(run: QaRun, handler: RunHandler, context: RunContext): Promise<Json | typeof awaitsParts> {
  const { store, signal } = context;
  const { redactor } = context.secrets;
  const startedAt = run.startedAt ?? Date.now();
  await store.runs.update(run.id, { status: 'running', startedAt, endedAt: null, error: null });
  let outcome: RunOutcome;
  try {
    const ended = await handler(run, context);
    if (ended === awaitsParts) return awaitsParts;
    outcome = ended;
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
  const facts = {
    status: runStatusOfVerdict(outcome.verdict),
    progress: 100,
    result,
    verdict: outcome.verdict ?? null,
    failureClass: outcome.failureClass ?? null,
    message: words(outcome.message),
    error: words(outcome.error),
    checkpoint: null,
    endedAt: Date.now(),
  };
  // A transaction, so that an earlier attempt that wakes up cannot replace the outcome of this one.
  await store.transaction(({ runs }) => runs.update(run.id, facts));
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
