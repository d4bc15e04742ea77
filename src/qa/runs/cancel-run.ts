import { setTimeout as pause } from 'node:timers/promises';
import { requireOwned } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import { requestStop } from './request-stop.ts';
import { endedStatuses } from './run-kinds.ts';
import { type CurrentRun, currentRun } from './run-status.ts';

/** A worker hears of it within a second and closes its browsers; for the rest of the time the answer says that it is told. */
const ENDS_WITHIN_MS = 5000;
const POLL_MS = 100;

/** Ends a run. One that had ended stays as it was. */
export async function cancelRun(qa: QaContext, workflowRunId: string, signal: AbortSignal): Promise<CurrentRun> {
  const row = await requireOwned(qa, qa.store.runs, 'workflowRunId', workflowRunId);
  await requestStop(qa, row);
  return waitUntilEnded(qa, row.id, signal);
}

/** Ends a workflow: what runs is cancelled, what waits never begins, and it starts no further run. */
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
