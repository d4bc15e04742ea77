import { toEnvironmentFailure } from '../../platform/environment-failure.ts';
import { Failure } from '../../platform/errors.ts';
import { errorMessage, type ReplayResult, replayScript } from '../replay/replay-script.ts';
import type { QaRun, RunContext } from '../runs/run-context.ts';
import { runStatusOfVerdict } from '../runs/run-kinds.ts';
import { recordUsage, withUsageMeter } from '../runs/usage-meter.ts';
import type { BatchItem, QaRepositories, RunRow } from '../store/qa-store.ts';
import { type BatchItemStatus, bulkPayload } from './replay-batch.ts';
import type { ReplayUnit } from './replay-units.ts';

/** On a fleet, each part looks for itself: less often, because a running job may cost one statement a second. */
const cancelPollMs = { here: 500, fleet: 5000 };

/** Replays the scripts of a unit one after another. */
export async function replayUnit(run: QaRun, context: RunContext, { items }: ReplayUnit): Promise<void> {
  const { baseUrl } = bulkPayload.parse(run.runtime.payload);
  using cancelled = watchCancelledItems(run, context);
  for (const item of items) {
    context.signal.throwIfAborted();
    await replayItem(run, context, baseUrl, item, cancelled);
  }
}

/** Ends an item whose job has ended before it. */
export async function endWithoutResult(run: QaRun, context: RunContext, item: BatchItem): Promise<void> {
  const child = await findOrCreateChildRun(run, context, item);
  const reason = 'its worker died or lost its store several times, or an operator cancelled it';
  await endItem(context, item, child, inconclusive(`The job of this replay ended without a result: ${reason}.`));
}

async function replayItem(
  run: QaRun,
  context: RunContext,
  baseUrl: string | null,
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
    const replayed = await replayOrInconclusive({ ...context, signal }, child, item, baseUrl);
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
    // The part is tried again, perhaps by a worker whose browser and store are well.
    if (context.isFleet && context.isRetried(error)) throw error;
    const failure = toEnvironmentFailure(error);
    if (failure !== error) context.log.error({ err: error, run: child.id }, 'unhandled error in replay');
    const message = failure
      ? errorMessage(failure.forRemoteCaller())
      : `Internal error in run ${child.id}; the log has the details.`;
    return inconclusive(message);
  }
}

function inconclusive(error: string): ReplayResult {
  const facts = { verdict: 'inconclusive' as const, failureClass: 'infrastructure', error };
  return { ...facts, durationMs: 0, healed: 0, result: facts };
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
  await context.store.transaction(async (tables) => {
    const { runs, batchItems } = tables;
    // A cancellation that was confirmed to the caller is final.
    const isCancelled = !replayed || (await runs.get(child.id))?.status === 'cancelled';
    if (isCancelled) {
      await batchItems.update(item.id, { status: 'cancelled' satisfies BatchItemStatus, endedAt, runId: child.id });
      await runs.update(child.id, { status: 'cancelled', progress: 100, endedAt });
      return saveProgress(tables, item, child);
    }
    const { verdict, durationMs, result } = replayed;
    await batchItems.update(item.id, { status: verdict, ...facts, durationMs, runId: child.id });
    await runs.update(child.id, {
      ...{ verdict, progress: 100, message: verdict, ...facts },
      status: runStatusOfVerdict(verdict),
      result: redactor.texts(result),
    });
    await saveProgress(tables, item, child);
  });
}

/** Several workers may end items of one batch, so its progress is counted, in the transaction that ends an item. */
async function saveProgress(
  { batches, batchItems, runs }: QaRepositories,
  { batchId }: BatchItem,
  { parentRunId }: RunRow,
): Promise<void> {
  const batch = await batches.get(batchId);
  if (!batch || parentRunId === null) return;
  const done = batch.total - (await batchItems.count({ batchId, status: ['pending', 'running'] }));
  const progress = Math.floor((done / batch.total) * 100);
  await runs.update(parentRunId, { progress, message: `${done} of ${batch.total} replayed` });
}

interface CancelledItems extends Disposable {
  signalFor(runId: string): AbortSignal;
}

/** Aborts items that were cancelled individually through their own runs. */
function watchCancelledItems({ id }: QaRun, { store, log, isFleet }: RunContext): CancelledItems {
  const stops = new Map<string, AbortController>();
  const look = async () => {
    const rows = await store.runs.list({ parentRunId: id, status: 'cancelled' });
    for (const row of rows) stops.get(row.id)?.abort(new Error('cancelled'));
  };
  const timer = setInterval(
    () => void look().catch((error: unknown) => log.warn({ err: error }, 'cannot look for cancelled replays')),
    isFleet ? cancelPollMs.fleet : cancelPollMs.here,
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
