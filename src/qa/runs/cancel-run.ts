import { setTimeout as pause } from 'node:timers/promises';
import { requireOwned } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import { requestStop } from './request-stop.ts';
import { endedStatuses } from './run-kinds.ts';
import { type CurrentRun, currentRun } from './run-status.ts';

/** Time to wait for the end of a cancelled run; a worker usually needs less than a second. */
const ENDS_WITHIN_MS = 5000;
const POLL_MS = 100;

/** Cancels a run. A run that has ended keeps its status. */
export async function cancelRun(qa: QaContext, workflowRunId: string, signal: AbortSignal): Promise<CurrentRun> {
  const row = await requireOwned(qa, qa.store.runs, 'workflowRunId', workflowRunId);
  await requestStop(qa, row);
  return waitUntilEnded(qa, row.id, signal);
}

/** Cancels a workflow with its running and queued runs; it starts no further run. */
export async function cancelRuntime(qa: QaContext, workflowRuntimeId: string, signal: AbortSignal) {
  const { store } = qa;
  const runtime = await requireOwned(qa, store.runtimes, 'workflowRuntimeId', workflowRuntimeId);
  await store.runtimes.update(runtime.id, { status: 'cancelled' });
  const all = await store.runs.list({ runtimeId: runtime.id, parentRunId: null });
  const current = await Promise.all(all.map((row) => currentRun(qa, row)));
  const unfinished = current.filter(({ status }) => !endedStatuses.includes(status));
  for (const { row } of unfinished) await requestStop(qa, row);
  return Promise.all(unfinished.map(({ id }) => waitUntilEnded(qa, id, signal)));
}

async function waitUntilEnded(qa: QaContext, runId: string, signal: AbortSignal): Promise<CurrentRun> {
  const until = performance.now() + ENDS_WITHIN_MS;
  for (;;) {
    const row = await requireOwned(qa, qa.store.runs, 'workflowRunId', runId);
    const run = await currentRun(qa, row);
    if (endedStatuses.includes(run.status) || performance.now() > until) return run;
    await pause(POLL_MS, undefined, { signal });
  }
}
