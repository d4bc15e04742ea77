import { setTimeout as pause } from 'node:timers/promises';
import { Failure, quote } from '../../platform/errors.ts';
import type { Job, Jobs } from '../../platform/jobs/jobs.ts';
import type { Principal } from '../../platform/principal.ts';
import { requireOwned } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import type { QaStore, RunRow, Runtime } from '../store/qa-store.ts';
import { endedStatuses, type RunKind, type RunStatus, runStatuses, runStatusOfVerdict } from './run-kinds.ts';
import { runProgress } from './run-payload.ts';

/** Sources of the state of a run. */
type RunLookup = { store: QaStore; jobs: Jobs; principal: Principal };

/** The current state of a run: the job knows whether it is running, the row knows its outcome. */
export async function currentRun(lookup: RunLookup, known: RunRow) {
  const job = known.jobId === null ? undefined : await lookup.jobs.get(known.jobId, lookup.principal);
  // The run may have ended after the row was read: the row is saved before the job ends, so it is read again.
  const isOld = job !== undefined && endedStatuses.includes(job.state) && known.endedAt === null;
  const run = isOld ? ((await lookup.store.runs.get(known.id)) ?? known) : known;
  const status = job ? runStatusOfJob(job, run) : await statusWithoutJob(lookup, run);
  const reported = job && runProgress.safeParse(job.progress).data;
  const startedAt = run.startedAt ?? job?.startedAt ?? null;
  const endedAt = endedStatuses.includes(status) ? (run.endedAt ?? job?.endedAt ?? run.updatedAt) : null;
  return {
    id: run.id,
    row: run,
    status,
    progress: status === 'succeeded' ? 100 : Math.max(run.progress, reported?.percent ?? 0),
    // Progress messages are dropped once the run has ended.
    message: endedStatuses.includes(status) ? run.message : (reported?.message ?? run.message),
    error: status === 'failed' ? (run.error ?? job?.error ?? 'The run never started.') : null,
    startedAt,
    endedAt,
    updatedAt: Math.max(run.updatedAt, reported?.at ?? 0, startedAt ?? 0, endedAt ?? 0),
  };
}

export type CurrentRun = Awaited<ReturnType<typeof currentRun>>;

/** The row decides once both have ended: the job of an already ended run succeeds without work. */
function runStatusOfJob({ state, isWaitingForParts }: Job, { status, verdict, endedAt }: RunRow): RunStatus {
  if (isWaitingForParts) return 'running';
  const own = endedAt === null ? undefined : runStatuses.find((known) => known === status);
  if (endedStatuses.includes(state) && own && endedStatuses.includes(own)) return own;
  return state === 'succeeded' ? runStatusOfVerdict(verdict) : state;
}

/** A child run ends with its bulk run; a run whose job was never queued has failed. */
async function statusWithoutJob(lookup: RunLookup, run: RunRow): Promise<RunStatus> {
  const own = runStatuses.find((status) => status === run.status) ?? 'failed';
  if (endedStatuses.includes(own)) return own;
  const parent = run.parentRunId === null ? undefined : await lookup.store.runs.get(run.parentRunId);
  if (!parent) return 'failed';
  const { status } = await currentRun(lookup, parent);
  if (!endedStatuses.includes(status)) return own;
  return status === 'cancelled' ? 'cancelled' : 'failed';
}

/** The newest run of a workflow of this kind. */
export async function findLatestRun(qa: QaContext, kind: RunKind, workflowRuntimeId: string): Promise<CurrentRun> {
  const runtime = await requireRuntime(qa, kind, workflowRuntimeId);
  const run = await newestRun(qa.store, runtime);
  if (run) return currentRun(qa, run);
  const message = `The workflow ${quote(workflowRuntimeId)} has no run yet. Poll again in a few seconds.`;
  throw new Failure('not_found', 'NOT_FOUND', message, { field: 'workflowRuntimeId', workflowRuntimeId });
}

/** Finds an earlier run of a workflow, or a child run of a bulk run. */
export async function findWorkflowRun(
  qa: QaContext,
  kind: RunKind,
  { workflowRuntimeId, workflowRunId }: { workflowRuntimeId: string; workflowRunId: string },
): Promise<CurrentRun> {
  const runtime = await requireOwned(qa, qa.store.runtimes, 'workflowRuntimeId', workflowRuntimeId);
  const run = await requireOwned(qa, qa.store.runs, 'workflowRunId', workflowRunId);
  if (run.runtimeId === runtime.id && run.kind === kind) return currentRun(qa, run);
  const message = `${quote(workflowRunId)} is not a run (${kind}) of the workflow ${quote(workflowRuntimeId)}. Pass a workflowRunId that its latest-run tool returned.`;
  throw new Failure('not_found', 'NOT_FOUND', message, { field: 'workflowRunId', workflowRunId, workflowRuntimeId });
}

/** The newest run of a workflow without its child runs. */
export function newestRun(store: QaStore, { id }: Pick<Runtime, 'id'>): Promise<RunRow | undefined> {
  return store.runs.newest({ runtimeId: id, parentRunId: null });
}

/** Throws if the workflow has another kind. */
async function requireRuntime(qa: QaContext, kind: RunKind, workflowRuntimeId: string): Promise<Runtime> {
  const runtime = await requireOwned(qa, qa.store.runtimes, 'workflowRuntimeId', workflowRuntimeId);
  if (runtime.kind === kind) return runtime;
  const message = `${quote(workflowRuntimeId)} is a workflow of another kind (${runtime.kind}, not ${kind}).`;
  throw new Failure('not_found', 'NOT_FOUND', message, {
    field: 'workflowRuntimeId',
    workflowRuntimeId,
    kind: runtime.kind,
    hint: 'Poll with the latest-run tool that belongs to the tool which started the workflow.',
  });
}

const POLL_MS = 300;

/** Waits until the newest run has ended and reports progress. */
export async function waitForLatestRun(
  qa: QaContext,
  kind: RunKind,
  workflowRuntimeId: string,
  { signal, progress }: { signal: AbortSignal; progress(done: number, total?: number, message?: string): void },
): Promise<CurrentRun> {
  for (;;) {
    const run = await findLatestRun(qa, kind, workflowRuntimeId);
    if (endedStatuses.includes(run.status)) return run;
    progress(run.progress, 100, run.message ?? undefined);
    await pause(POLL_MS, undefined, { signal });
  }
}
