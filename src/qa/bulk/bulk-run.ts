import { toEnvironmentFailure } from '../../platform/environment-failure.ts';
import { Failure } from '../../platform/errors.ts';
import { serialGroups } from '../cases/write/serial-groups.ts';
import { errorMessage, type ReplayResult, replayScript } from '../replay/replay-script.ts';
import type { QaRun, RunContext, RunHandler, RunOutcome } from '../runs/run-context.ts';
import { runStatusOfVerdict } from '../runs/run-kinds.ts';
import { scheduleNextRun } from '../runs/schedule-next-run.ts';
import { recordUsage, withUsageMeter } from '../runs/usage-meter.ts';
import { countVerdicts } from '../runs/verdict-counts.ts';
import type { Batch, BatchItem, RunRow } from '../store/qa-store.ts';
import { chooseWorkerCount, runInParallel } from './parallel.ts';
import { type BatchItemStatus, type BulkPayload, bulkPayload, findOrCreateBatch } from './replay-batch.ts';

const CANCEL_POLL_MS = 500;

/** Replays the scripts of a batch in parallel. Each has its own run and browser context; a failure does not stop others. */
export const replayInBulk: RunHandler = async (run, context) => {
  const payload = bulkPayload.parse(run.runtime.payload);
  const batch = await findOrCreateBatch(context.store, run, payload);
  const items = await context.store.batchItems.list({ batchId: batch.id });
  // Items that were running when a worker died are replayed.
  const open = items.filter(({ status }) => status === 'pending' || status === 'running');
  let done = items.length - open.length;
  const turns = await serialGroups(context.store, run.projectId);
  const workers = chooseWorkerCount(open.length, payload.workers ?? undefined);
  const playOne = async (item: BatchItem) => {
    await replayItem(run, context, payload, item, cancelled);
    context.progress(++done, items.length, `${done} of ${items.length} replayed`);
  };
  using cancelled = watchCancelledItems(run, context);
  let isRetried = false;
  try {
    await runInParallel(open, workers, context.signal, playOne, ({ testCaseId }) => turns.get(testCaseId));
    return await summariseOutcome(context, batch);
  } catch (error) {
    isRetried = context.isRetried(error);
    throw error;
  } finally {
    if (context.isCancelled()) await cancelOpenItems(context, batch);
    // A failed batch is followed by the next one; a batch whose worker stopped, or that is retried, has not ended.
    else if (!context.signal.aborted && !isRetried) await scheduleNextRun(run, context, payload.schedule);
  }
};

async function replayItem(
  run: QaRun,
  context: RunContext,
  payload: BulkPayload,
  item: BatchItem,
  cancelled: CancelledItems,
): Promise<void> {
  const { store } = context;
  const child = await findOrCreateChildRun(run, context, item);
  if (child.status === 'cancelled') return endItem(context, item, child);
  const startedAt = Date.now();
  await store.batchItems.update(item.id, { status: 'running' satisfies BatchItemStatus, runId: child.id, startedAt });
  const stop = cancelled.signalFor(child.id);
  const signal = AbortSignal.any([context.signal, stop]);
  try {
    const replayed = await replayOrInconclusive({ ...context, signal }, child, item, payload.baseUrl);
    await endItem(context, item, child, replayed);
  } catch (error) {
    context.signal.throwIfAborted();
    if (stop.aborted) return endItem(context, item, child);
    throw error;
  }
}

/** An error in one replay becomes the result of that script. */
async function replayOrInconclusive(
  context: RunContext,
  child: RunRow,
  item: BatchItem,
  baseUrl: string | null,
): Promise<ReplayResult> {
  try {
    const script = await context.store.testScripts.get(item.testScriptId);
    if (!script)
      throw new Failure(
        'not_found',
        'NOT_FOUND',
        `The script ${item.testScriptId} no longer exists. Call qa_test_script_list for the current scripts.`,
      );
    return await withUsageMeter(
      (usage) => recordUsage(context.store, child, usage),
      (meter) => replayScript(context, child, script, { baseUrl: baseUrl ?? undefined, meter }),
    );
  } catch (error) {
    context.signal.throwIfAborted();
    const failure = toEnvironmentFailure(error);
    if (failure !== error) context.log.error({ err: error, run: child.id }, 'unhandled error in replay');
    const message = failure
      ? errorMessage(failure.forRemoteCaller())
      : `Internal error in run ${child.id}; the log has the details.`;
    const facts = { failureClass: 'infrastructure', error: message };
    return {
      verdict: 'inconclusive',
      durationMs: 0,
      healed: 0,
      ...facts,
      result: { verdict: 'inconclusive', ...facts },
    };
  }
}

async function findOrCreateChildRun(run: QaRun, { store }: RunContext, item: BatchItem): Promise<RunRow> {
  const known = item.runId ? await store.runs.get(item.runId) : undefined;
  if (known) return known;
  const { projectId, owner, runtimeId } = run;
  const script = await store.testScripts.get(item.testScriptId);
  return store.runs.insert({
    ...{ projectId, owner, runtimeId, progress: 0, result: null, checkpoint: null },
    kind: 'qa.replay',
    parentRunId: run.id,
    batchId: item.batchId,
    status: 'running',
    useCaseId: script?.useCaseId ?? null,
    testCaseId: item.testCaseId,
    testScriptId: item.testScriptId,
    startedAt: Date.now(),
  });
}

/** Saves the result of an item; without a result it was cancelled. */
async function endItem(context: RunContext, item: BatchItem, child: RunRow, replayed?: ReplayResult): Promise<void> {
  const { redactor } = context.secrets;
  const endedAt = Date.now();
  const facts = {
    failureClass: replayed?.failureClass ?? null,
    error: replayed?.error === undefined ? null : redactor.text(replayed.error),
    endedAt,
  };
  await context.store.transaction(async ({ runs, batchItems }) => {
    // A cancellation that was confirmed to the caller is final.
    const isCancelled = !replayed || (await runs.get(child.id))?.status === 'cancelled';
    if (isCancelled) {
      await batchItems.update(item.id, { status: 'cancelled' satisfies BatchItemStatus, endedAt, runId: child.id });
      await runs.update(child.id, { status: 'cancelled', progress: 100, endedAt });
      return;
    }
    const { verdict, durationMs, result } = replayed;
    await batchItems.update(item.id, { status: verdict, ...facts, durationMs, runId: child.id });
    await runs.update(child.id, {
      ...{ verdict, progress: 100, message: verdict, ...facts },
      status: runStatusOfVerdict(verdict),
      result: redactor.texts(result),
    });
  });
}

interface CancelledItems extends Disposable {
  signalFor(runId: string): AbortSignal;
}

/** Aborts items that were cancelled individually through their own runs. */
function watchCancelledItems({ id }: QaRun, { store, log }: RunContext): CancelledItems {
  const stops = new Map<string, AbortController>();
  const look = async () => {
    const rows = await store.runs.list({ parentRunId: id, status: 'cancelled' });
    for (const row of rows) stops.get(row.id)?.abort(new Error('cancelled'));
  };
  const timer = setInterval(
    () => void look().catch((error: unknown) => log.warn({ err: error }, 'cannot look for cancelled replays')),
    CANCEL_POLL_MS,
  );
  return {
    signalFor(runId) {
      const stop = new AbortController();
      stops.set(runId, stop);
      return stop.signal;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

async function cancelOpenItems({ store }: RunContext, { id, runId }: Batch): Promise<void> {
  const endedAt = Date.now();
  await store.batchItems.updateAll(
    { batchId: id, status: ['pending', 'running'] },
    { status: 'cancelled' satisfies BatchItemStatus, endedAt },
  );
  await store.runs.updateAll({ parentRunId: runId, status: ['queued', 'running'] }, { status: 'cancelled', endedAt });
}

async function summariseOutcome({ store }: RunContext, { id }: Batch): Promise<RunOutcome> {
  const items = await store.batchItems.list({ batchId: id });
  const counts = {
    total: items.length,
    ...countVerdicts(items.map(({ status }) => status)),
    cancelled: items.filter(({ status }) => status === 'cancelled').length,
  };
  const result = { runBatchId: id, ...counts };
  const message = `${counts.passed} of ${counts.total} passed`;
  if (counts.cancelled > 0 && counts.cancelled === counts.total) return { result, message, verdict: 'inconclusive' };
  if (counts.failed + counts.inconclusive === 0)
    return { result, message, verdict: counts.flaky > 0 ? 'flaky' : 'passed' };
  const classes = [
    ...new Set(items.flatMap(({ failureClass, status }) => (failureClass && status !== 'flaky' ? [failureClass] : []))),
  ];
  const worst = ['product defect', 'stale script', 'infrastructure'].find((one) => classes.includes(one));
  return {
    result,
    message,
    verdict: counts.failed > 0 ? 'failed' : 'inconclusive',
    ...(worst && { failureClass: worst }),
    error: describeFailures(counts),
  };
}

function describeFailures({
  failed,
  inconclusive,
  total,
}: {
  failed: number;
  inconclusive: number;
  total: number;
}): string {
  const parts = [failed > 0 && `${failed} failed`, inconclusive > 0 && `${inconclusive} inconclusive`];
  return `Of ${total} scripts ${parts.filter(Boolean).join(', ')}.`;
}
