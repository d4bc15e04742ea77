import { countPassedByOracle } from '../artifacts/passed-by-oracle.ts';
import { requireOwned } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import { endedStatuses } from '../runs/run-kinds.ts';
import { currentRun } from '../runs/run-status.ts';
import { describeUniqueToken } from '../runs/unique-token-text.ts';
import { countVerdicts } from '../runs/verdict-counts.ts';
import type { Batch, BatchItem } from '../store/qa-store.ts';
import { type BatchItemStatus, batchItemStatuses } from './replay-batch.ts';

const MAX_FAILURES = 50;

/** The current state of a batch, under the key names of all client versions. */
export async function summariseBatch(qa: QaContext, runBatchId: string) {
  const batch = await requireOwned(qa, qa.store.batches, 'runBatchId', runBatchId);
  const { shown, run, isOver, total, ...counts } = await countItems(qa, batch);
  const failed = shown.filter(({ status }) => status === 'failed' || status === 'inconclusive' || status === 'flaky');
  const scripts = await qa.store.testScripts.list({
    id: failed.slice(0, MAX_FAILURES).map(({ item }) => item.testScriptId),
  });
  const names = new Map(scripts.map(({ id, name }) => [id, name]));
  return {
    runBatchId,
    projectId: batch.projectId,
    ...(batch.name !== null && { name: batch.name }),
    status: run?.status ?? ('failed' as const),
    totalScripts: total,
    ...counts,
    // Computed only at the end: clients poll a running batch, and a project may have many cases.
    ...(isOver && {
      passedByOracle: await countOracles(qa, batch, shown),
      healed: await countHealedScripts(qa, shown),
    }),
    successCount: counts.passed,
    // Clients that use these names know no inconclusive outcome.
    failedCount: counts.failed + counts.inconclusive,
    canceledCount: counts.cancelled,
    runningCount: counts.running,
    pendingCount: counts.pending,
    failures: failed.slice(0, MAX_FAILURES).map(({ item, status }) => ({
      testScriptId: item.testScriptId,
      ...(item.runId !== null && { workflowRunId: item.runId }),
      name: names.get(item.testScriptId) ?? '',
      verdict: status,
      ...(item.failureClass !== null && { failureClass: item.failureClass }),
      ...(item.error !== null && { error: describeUniqueToken(item.error) }),
    })),
    failuresLeftOut: Math.max(0, failed.length - MAX_FAILURES),
  };
}

type ItemWithStatus = { item: BatchItem; status: BatchItemStatus };

async function countOracles({ store }: QaContext, { projectId }: Batch, shown: readonly ItemWithStatus[]) {
  const cases = await store.testCases.list({ projectId });
  return countPassedByOracle(
    cases,
    shown.map(({ item, status }) => ({ testCaseId: item.testCaseId, verdict: status })),
  );
}

/** Number of passed scripts in which a fallback locator was used. */
async function countHealedScripts({ store }: QaContext, shown: readonly ItemWithStatus[]): Promise<number> {
  const passed = shown.filter(({ status }) => status === 'passed' || status === 'flaky');
  const healed = await store.stepResults.list({ runId: passed.flatMap(({ item }) => item.runId ?? []), healed: 1 });
  return new Set(healed.map(({ runId }) => runId)).size;
}

/** Counts the items of a batch by status; the counts add up at any time. */
async function countItems(qa: QaContext, batch: Batch) {
  const items = await qa.store.batchItems.list({ batchId: batch.id });
  const row = await qa.store.runs.get(batch.runId);
  const run = row && (await currentRun(qa, row));
  const isOver = !run || endedStatuses.includes(run.status);
  const statusOf = ({ status }: BatchItem): BatchItemStatus => {
    const own = batchItemStatuses.find((known) => known === status) ?? 'failed';
    if (!isOver || (own !== 'pending' && own !== 'running')) return own;
    // The run ended before this item: it was cancelled or failed as a whole.
    return run?.status === 'failed' ? 'inconclusive' : 'cancelled';
  };
  const shown = items.map((item): ItemWithStatus => ({ item, status: statusOf(item) }));
  const of = (wanted: BatchItemStatus) => shown.filter(({ status }) => status === wanted).length;
  return {
    shown,
    run,
    isOver,
    total: items.length,
    ...countVerdicts(shown.map(({ status }) => status)),
    cancelled: of('cancelled'),
    running: of('running'),
    pending: of('pending'),
  };
}
