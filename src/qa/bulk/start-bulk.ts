import { checkBaseUrl, requireProject } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import { startRuntime } from '../runs/start-run.ts';
import { type BulkPayload, batchIdOf, checkBulkSelection, findOrCreateBatch } from './replay-batch.ts';

interface BulkRequest {
  projectId: string;
  testScriptIds?: string[] | undefined;
  testCaseIds?: string[] | undefined;
  useCaseId?: string | undefined;
  namePrefix?: string | undefined;
  limit?: number | undefined;
  name?: string | undefined;
  repeatPerTestCase: number;
  intervalSec: number;
  workers?: number | undefined;
  baseUrl?: string | undefined;
}

export async function startBulk(room: QaContext, wish: BulkRequest) {
  const { projectId, name, intervalSec, baseUrl } = wish;
  await requireProject(room, projectId);
  await checkBaseUrl(room, baseUrl);
  const payload: BulkPayload = {
    testScriptIds: wish.testScriptIds ? [...new Set(wish.testScriptIds)] : null,
    testCaseIds: wish.testCaseIds ? [...new Set(wish.testCaseIds)] : null,
    useCaseId: wish.useCaseId ?? null,
    namePrefix: wish.namePrefix ?? null,
    limit: wish.limit ?? null,
    repeat: wish.repeatPerTestCase,
    baseUrl: baseUrl ?? null,
    workers: wish.workers ?? null,
    name: name ?? null,
  };
  await checkBulkSelection(room, projectId, payload);
  const interval = intervalSec > 0 ? intervalSec : undefined;
  const started = await startRuntime(room, {
    projectId,
    kind: 'qa.bulk',
    payload: { ...payload },
    name,
    intervalSec: interval,
  });
  const run = await room.store.runs.get(started.workflowRunId);
  if (run) await findOrCreateBatch(room.store, run, payload);
  return { ...started, runBatchId: batchIdOf({ id: started.workflowRunId }) };
}
