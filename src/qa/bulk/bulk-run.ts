import { typedFailure } from '../../platform/environment-failure.ts';
import { Failure } from '../../platform/errors.ts';
import { turnsIn } from '../cases/turns.ts';
import { type Replayed, replayScript, wordsOf } from '../replay/replay.ts';
import { charge, metered } from '../runs/costs.ts';
import type { Run, RunHandler, RunOutcome, RunPlace } from '../runs/handler.ts';
import { statusOfVerdict } from '../runs/kinds.ts';
import { startRun } from '../runs/start.ts';
import { countVerdicts } from '../runs/verdict-counts.ts';
import type { Batch, BatchItem, RunRow } from '../store/store.ts';
import { type BulkPayload, batchFor, bulkPayload, type ItemStatus } from './batch.ts';
import { parallel, workersFor } from './parallel.ts';

const LOOK_FOR_CANCELLED_MS = 500;

/** Plays the scripts of a batch side by side. Each has a run and a context of its own, and none stops the others. */
export const replayInBulk: RunHandler = async (run, place) => {
  const payload = bulkPayload.parse(run.runtime.payload);
  const batch = await batchFor(place.store, run, payload);
  const items = await place.store.batchItems.list({ batchId: batch.id });
  // What a worker was at when it died is played anew.
  const open = items.filter(({ status }) => status === 'pending' || status === 'running');
  let done = items.length - open.length;
  const turns = await turnsIn(place.store, run.projectId);
  const workers = workersFor(open.length, payload.workers ?? undefined);
  const playOne = async (item: BatchItem) => {
    await playItem(run, place, payload, item, cancelled);
    place.progress(++done, items.length, `${done} of ${items.length} replayed`);
  };
  using cancelled = cancelledParts(run, place);
  try {
    await parallel(open, workers, place.signal, playOne, ({ testCaseId }) => turns.get(testCaseId));
    return await outcomeOf(place, batch);
  } finally {
    if (place.isCancelled()) await cancelRest(place, batch);
    // A batch that came to nothing is no reason to skip the next; one whose worker was stopped has not ended.
    else if (!place.signal.aborted) await scheduleNext(run, place);
  }
};

async function playItem(
  run: Run,
  place: RunPlace,
  payload: BulkPayload,
  item: BatchItem,
  cancelled: Cancelled,
): Promise<void> {
  const { store } = place;
  const child = await childRun(run, place, item);
  if (child.status === 'cancelled') return endItem(place, item, child);
  const startedAt = Date.now();
  await store.batchItems.update(item.id, { status: 'running' satisfies ItemStatus, runId: child.id, startedAt });
  const stop = cancelled.signalFor(child.id);
  const signal = AbortSignal.any([place.signal, stop]);
  try {
    const replayed = await replayOne({ ...place, signal }, child, item, payload.baseUrl);
    await endItem(place, item, child, replayed);
  } catch (error) {
    place.signal.throwIfAborted();
    if (stop.aborted) return endItem(place, item, child);
    throw error;
  }
}

/** What goes wrong with one script is that script's outcome. */
async function replayOne(place: RunPlace, child: RunRow, item: BatchItem, baseUrl: string | null): Promise<Replayed> {
  try {
    const script = await place.store.testScripts.get(item.testScriptId);
    if (!script) throw new Failure('not_found', 'NOT_FOUND', `The script ${item.testScriptId} is gone.`);
    return await metered(
      (usage) => charge(place.store, child, usage),
      (meter) => replayScript(place, child, script, { baseUrl: baseUrl ?? undefined, meter }),
    );
  } catch (error) {
    place.signal.throwIfAborted();
    const failure = typedFailure(error);
    if (failure !== error) place.log.error({ err: error, run: child.id }, 'unhandled error in replay');
    const message = failure
      ? wordsOf(failure.forRemoteCaller())
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

async function childRun(run: Run, { store }: RunPlace, item: BatchItem): Promise<RunRow> {
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

/** Without an outcome it was cancelled. */
async function endItem(place: RunPlace, item: BatchItem, child: RunRow, replayed?: Replayed): Promise<void> {
  const { redactor } = place.secrets;
  const endedAt = Date.now();
  const facts = {
    failureClass: replayed?.failureClass ?? null,
    error: replayed?.error === undefined ? null : redactor.text(replayed.error),
    endedAt,
  };
  await place.store.transaction(async ({ runs, batchItems }) => {
    // Whoever was told that it is cancelled will not find it passed.
    const isCancelled = !replayed || (await runs.get(child.id))?.status === 'cancelled';
    if (isCancelled) {
      await batchItems.update(item.id, { status: 'cancelled' satisfies ItemStatus, endedAt, runId: child.id });
      await runs.update(child.id, { status: 'cancelled', progress: 100, endedAt });
      return;
    }
    const { verdict, durationMs, result } = replayed;
    await batchItems.update(item.id, { status: verdict, ...facts, durationMs, runId: child.id });
    await runs.update(child.id, {
      ...{ verdict, progress: 100, message: verdict, ...facts },
      status: statusOfVerdict(verdict),
      result: redactor.texts(result),
    });
  });
}

interface Cancelled extends Disposable {
  signalFor(runId: string): AbortSignal;
}

/** Parts of the batch that were cancelled one by one, through their own runs. */
function cancelledParts({ id }: Run, { store, log }: RunPlace): Cancelled {
  const stops = new Map<string, AbortController>();
  const look = async () => {
    const rows = await store.runs.list({ parentRunId: id, status: 'cancelled' });
    for (const row of rows) stops.get(row.id)?.abort(new Error('cancelled'));
  };
  const timer = setInterval(
    () => void look().catch((error: unknown) => log.warn({ err: error }, 'cannot look for cancelled replays')),
    LOOK_FOR_CANCELLED_MS,
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

async function cancelRest({ store }: RunPlace, { id, runId }: Batch): Promise<void> {
  const endedAt = Date.now();
  await store.batchItems.updateAll(
    { batchId: id, status: ['pending', 'running'] },
    { status: 'cancelled' satisfies ItemStatus, endedAt },
  );
  await store.runs.updateAll({ parentRunId: runId, status: ['queued', 'running'] }, { status: 'cancelled', endedAt });
}

async function outcomeOf({ store }: RunPlace, { id }: Batch): Promise<RunOutcome> {
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
    error: errorOf(counts),
  };
}

function errorOf({ failed, inconclusive, total }: { failed: number; inconclusive: number; total: number }): string {
  const parts = [failed > 0 && `${failed} failed`, inconclusive > 0 && `${inconclusive} came to no verdict`];
  return `Of ${total} scripts ${parts.filter(Boolean).join(', ')}.`;
}

/** A workflow with an interval goes on until it is cancelled. */
async function scheduleNext(run: Run, place: RunPlace): Promise<void> {
  const { intervalSec, id } = run.runtime;
  if (!intervalSec || intervalSec < 0) return;
  const runtime = await place.store.runtimes.get(id);
  if (runtime?.status !== 'active') return;
  const jobs = await place.jobs();
  // By the clock of the database, as whoever takes the next job compares it.
  const job = run.jobId === null ? undefined : await jobs.get(run.jobId, place.principal);
  if (job?.startedAt === undefined) throw new Error(`the run ${run.id} has no job that has started`);
  const notBefore = job.startedAt + intervalSec * 1000;
  await startRun({ store: place.store, jobs, principal: place.principal }, runtime, notBefore);
}
