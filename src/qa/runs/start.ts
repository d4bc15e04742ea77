import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Json } from '../../platform/json.ts';
import type { Principal } from '../../platform/principal.ts';
import { ownProject } from '../access.ts';
import type { QaRoom } from '../room.ts';
import type { QaStore, RunRow, Runtime } from '../store/store.ts';
import type { runPayload } from './job.ts';
import type { RunKind } from './kinds.ts';
import { tellToStop } from './tell-to-stop.ts';

interface NewRuntime {
  projectId: string;
  kind: RunKind;
  /** What its runs are told: `run.runtime.payload`. */
  payload: Json;
  name?: string | undefined;
  useCaseId?: string | undefined;
  testCaseId?: string | undefined;
  testScriptId?: string | undefined;
  intervalSec?: number | undefined;
}

/** Makes a workflow and starts its first run. */
export async function startRuntime(
  room: QaRoom,
  { projectId, kind, payload, name, useCaseId, testCaseId, testScriptId, intervalSec }: NewRuntime,
): Promise<{ workflowRuntimeId: string; workflowRunId: string }> {
  await ownProject(room, projectId);
  const runtime = await room.store.runtimes.insert({
    owner: room.owner,
    status: 'active',
    ...{ projectId, kind, payload },
    inside: room.insideAddresses ? [...room.insideAddresses] : null,
    name: name ?? null,
    useCaseId: useCaseId ?? null,
    testCaseId: testCaseId ?? null,
    testScriptId: testScriptId ?? null,
    intervalSec: intervalSec ?? null,
  });
  const run = await startRun(room, runtime).catch(async (error: unknown) => {
    await room.store.runtimes.remove(runtime.id);
    throw error;
  });
  return { workflowRuntimeId: runtime.id, workflowRunId: run.id };
}

interface Starter {
  store: QaStore;
  jobs: Jobs;
  principal: Pick<Principal, 'issuer' | 'subject'>;
}

/** One more run of a workflow. */
export async function startRun(
  { store, jobs, principal }: Starter,
  runtime: Runtime,
  notBefore?: number,
): Promise<RunRow> {
  const { projectId, owner, useCaseId, testCaseId, testScriptId } = runtime;
  const jobId = randomUUID();
  const run = await store.runs.insert({
    ...{ projectId, owner, useCaseId, testCaseId, testScriptId, jobId },
    runtimeId: runtime.id,
    kind: runtime.kind,
    status: 'queued',
    progress: 0,
    result: null,
    checkpoint: null,
  });
  const { issuer, subject } = principal;
  const payload: z.output<typeof runPayload> = { runId: run.id, issuer, subject };
  await jobs.submit(runtime.kind, principal, payload, jobId, notBefore);
  // Whoever cancelled the workflow in this moment has not seen the run.
  const current = await store.runtimes.get(runtime.id);
  if (current?.status === 'cancelled') await tellToStop({ store, jobs, principal }, run);
  return run;
}
