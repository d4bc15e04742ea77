import { ownItem } from '../access.ts';
import { percent } from '../artifacts/summaries.ts';
import type { QaRoom } from '../room.ts';
import { endedStatuses } from '../runs/kinds.ts';
import { currentRun } from '../runs/status.ts';
import type { Batch, BatchItem } from '../store/store.ts';
import { type ItemStatus, itemStatuses } from './batch.ts';

const MOST_FAILURES = 50;

/** A batch as it stands, under the names that different clients look for. */
export async function describeBatch(room: QaRoom, runBatchId: string) {
  const batch = await ownItem(room, room.store.batches, 'runBatchId', runBatchId);
  const { shown, run, total, ...counts } = await summarise(room, batch);
  const failed = shown.filter(({ status }) => status === 'failed' || status === 'inconclusive' || status === 'flaky');
  const scripts = await room.store.testScripts.list({
    id: failed.slice(0, MOST_FAILURES).map(({ item }) => item.testScriptId),
  });
  const names = new Map(scripts.map(({ id, name }) => [id, name]));
  return {
    runBatchId,
    projectId: batch.projectId,
    ...(batch.name !== null && { name: batch.name }),
    status: run?.status ?? ('failed' as const),
    totalScripts: total,
    ...counts,
    passRate: percent(counts.passed, counts.passed + counts.failed + counts.cancelled),
    successCount: counts.passed,
    failedCount: counts.failed,
    canceledCount: counts.cancelled,
    runningCount: counts.running,
    pendingCount: counts.pending,
    failures: failed.slice(0, MOST_FAILURES).map(({ item, status }) => ({
      testScriptId: item.testScriptId,
      ...(item.runId !== null && { workflowRunId: item.runId }),
      name: names.get(item.testScriptId) ?? '',
      verdict: status,
      ...(item.failureClass !== null && { failureClass: item.failureClass }),
      ...(item.error !== null && { error: item.error }),
    })),
    failuresLeftOut: Math.max(0, failed.length - MOST_FAILURES),
  };
}

/** A batch in numbers that always add up. Flaky scripts passed in the end; inconclusive ones did not pass. */
async function summarise(room: QaRoom, batch: Batch) {
  const items = await room.store.batchItems.list({ batchId: batch.id });
  const row = await room.store.runs.get(batch.runId);
  const run = row && (await currentRun(room, row));
  const isOver = !run || endedStatuses.includes(run.status);
  const statusOf = ({ status }: BatchItem): ItemStatus => {
    const own = itemStatuses.find((known) => known === status) ?? 'failed';
    if (!isOver || (own !== 'pending' && own !== 'running')) return own;
    // The run has ended without it: by a cancellation, or because it failed as a whole.
    return run?.status === 'failed' ? 'inconclusive' : 'cancelled';
  };
  const shown = items.map((item) => ({ item, status: statusOf(item) }));
  const of = (...statuses: ItemStatus[]) => shown.filter(({ status }) => statuses.includes(status)).length;
  return {
    shown,
    run,
    total: items.length,
    passed: of('passed', 'flaky'),
    failed: of('failed', 'inconclusive'),
    cancelled: of('cancelled'),
    running: of('running'),
    pending: of('pending'),
    flaky: of('flaky'),
    inconclusive: of('inconclusive'),
  };
}
