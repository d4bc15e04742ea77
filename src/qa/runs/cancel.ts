import { setTimeout as pause } from 'node:timers/promises';
import { ownItem } from '../access.ts';
import type { QaRoom } from '../room.ts';
import { endedStatuses } from './kinds.ts';
import { type CurrentRun, currentRun } from './status.ts';
import { tellToStop } from './tell-to-stop.ts';

/** A worker hears of it within a second and closes its browsers; for the rest of the time the answer says that it is told. */
const ENDS_WITHIN_MS = 5000;
const POLL_MS = 100;

/** Ends a run. One that had ended stays as it was. */
export async function cancelRun(room: QaRoom, workflowRunId: string, signal: AbortSignal): Promise<CurrentRun> {
  const row = await ownItem(room, room.store.runs, 'workflowRunId', workflowRunId);
  await tellToStop(room, row);
  return untilEnded(room, row.id, signal);
}

/** Ends a workflow: what runs is cancelled, what waits never begins, and it starts no further run. */
export async function cancelRuntime(room: QaRoom, workflowRuntimeId: string, signal: AbortSignal) {
  const { store } = room;
  const runtime = await ownItem(room, store.runtimes, 'workflowRuntimeId', workflowRuntimeId);
  await store.runtimes.update(runtime.id, { status: 'cancelled' });
  const all = await store.runs.list({ runtimeId: runtime.id, parentRunId: null });
  const current = await Promise.all(all.map((row) => currentRun(room, row)));
  const unfinished = current.filter(({ status }) => !endedStatuses.includes(status));
  for (const { row } of unfinished) await tellToStop(room, row);
  return Promise.all(unfinished.map(({ id }) => untilEnded(room, id, signal)));
}

async function untilEnded(room: QaRoom, runId: string, signal: AbortSignal): Promise<CurrentRun> {
  const until = performance.now() + ENDS_WITHIN_MS;
  for (;;) {
    const row = await ownItem(room, room.store.runs, 'workflowRunId', runId);
    const run = await currentRun(room, row);
    if (endedStatuses.includes(run.status) || performance.now() > until) return run;
    await pause(POLL_MS, undefined, { signal });
  }
}
