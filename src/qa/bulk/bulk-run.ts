import { awaitsParts } from '../../platform/jobs/job-parts.ts';
import type { QaRun, RunContext, RunHandler, RunOutcome } from '../runs/run-context.ts';
import { BULK_PART_KIND } from '../runs/run-kinds.ts';
import { scheduleNextRun } from '../runs/schedule-next-run.ts';
import { countVerdicts } from '../runs/verdict-counts.ts';
import type { Batch } from '../store/qa-store.ts';
import type { BulkPartPayload } from './bulk-part-payload.ts';
import { chooseWorkerCount, runInParallel } from './parallel.ts';
import { type BatchItemStatus, type BulkPayload, bulkPayload, findOrCreateBatch } from './replay-batch.ts';
import { endWithoutResult, replayUnit } from './replay-items.ts';
import { listOpenUnits, type ReplayUnit } from './replay-units.ts';

/**
 * Replays the scripts of a batch in parallel: in this process or, where several machines share the store, in parts that any
 * worker runs. Each script has its own run and browser context; a failure does not stop others.
 */
export const replayInBulk: RunHandler = async (run, context) => {
  const payload = bulkPayload.parse(run.runtime.payload);
  const batch = await findOrCreateBatch(context.store, run, payload);
  let isUnfinished = false;
  try {
    context.signal.throwIfAborted();
    if (context.isFleet) isUnfinished = await replayByWorkers(run, context, batch, payload);
    else await replayHere(run, context, batch, payload);
    return isUnfinished ? awaitsParts : await summariseOutcome(context, batch);
  } catch (error) {
    isUnfinished = context.isRetried(error);
    throw error;
  } finally {
    if (context.isCancelled()) await cancelOpenItems(context, batch);
    // A failed batch is followed by the next one; a batch whose worker stopped, or that goes on later, has not ended.
    else if (!context.signal.aborted && !isUnfinished) await scheduleNextRun(run, context, payload.schedule);
  }
};

async function replayHere(run: QaRun, context: RunContext, batch: Batch, { workers }: BulkPayload): Promise<void> {
  const units = await listOpenUnits(context.store, batch);
  const count = chooseWorkerCount(units.length, workers ?? undefined);
  await runInParallel(units, count, context.signal, (unit) => replayUnit(run, context, unit));
}

/**
 * Submits a job for each unit. Returns false when all of them have ended. A unit whose job has ended without a result loses the
 * script that it was replaying, and goes on after it.
 */
async function replayByWorkers(
  run: QaRun,
  context: RunContext,
  batch: Batch,
  { workers }: BulkPayload,
): Promise<boolean> {
  for (;;) {
    const units = await listOpenUnits(context.store, batch);
    if (units.length === 0) return false;
    const atATime = workers ?? undefined;
    if ((await context.submitParts(units.map(partOf), { atATime })) > 0) return true;
    for (const { items } of units) await endWithoutResult(run, context, items[0]);
  }
}

/** Named by its first open script, so that a unit that goes on after a lost script is another part. */
function partOf({ items }: ReplayUnit) {
  const payload: BulkPartPayload = { itemIds: items.map(({ id }) => id) };
  return { name: `${items[0].position}`, kind: BULK_PART_KIND, payload };
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
