import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Json } from '../../platform/json.ts';
import type { Principal } from '../../platform/principal.ts';
import { requireProject } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import type { QaStore, RunRow, Runtime } from '../store/qa-store.ts';
import { requestStop } from './request-stop.ts';
import type { RunKind } from './run-kinds.ts';
import type { runPayload } from './run-payload.ts';

interface NewRuntime {
  projectId: string;
  kind: RunKind;
  /** Input of its runs: `run.runtime.payload`. */
  payload: Json;
  name?: string | undefined;
  useCaseId?: string | undefined;
  testCaseId?: string | undefined;
  testScriptId?: string | undefined;
  intervalSec?: number | undefined;
}

/** Creates a workflow and starts its first run. */
export async function startRuntime(
  qa: QaContext,
  { projectId, kind, payload, name, useCaseId, testCaseId, testScriptId, intervalSec }: NewRuntime,
): Promise<{ workflowRuntimeId: string; workflowRunId: string }> {
  await requireProject(qa, projectId);
  const runtime = await qa.store.runtimes.insert({
    owner: qa.owner,
    status: 'active',
    ...{ projectId, kind, payload },
    inside: qa.allowedPrivateAddresses ? [...qa.allowedPrivateAddresses] : null,
    name: name ?? null,
    useCaseId: useCaseId ?? null,
    testCaseId: testCaseId ?? null,
    testScriptId: testScriptId ?? null,
    intervalSec: intervalSec ?? null,
  });
  const run = await startQaRun(qa, runtime).catch(async (error: unknown) => {
    await qa.store.runtimes.remove(runtime.id);
    throw error;
  });
  return { workflowRuntimeId: runtime.id, workflowRunId: run.id };
}

interface RunServices {
  store: QaStore;
  jobs: Jobs;
  principal: Pick<Principal, 'issuer' | 'subject'>;
}

/** Starts another run of a workflow. */
export async function startQaRun(
  { store, jobs, principal }: RunServices,
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
  await jobs.submit(runtime.kind, principal, payload, { id: jobId, ...(notBefore !== undefined && { notBefore }) });
  // A cancellation of the workflow in the meantime did not include this run.
  const current = await store.runtimes.get(runtime.id);
  if (current?.status === 'cancelled') await requestStop({ store, jobs, principal }, run);
  return run;
}
