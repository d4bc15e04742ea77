import { checkBaseUrl, ownProject } from '../access.ts';
import type { QaRoom } from '../room.ts';
import { startRuntime } from '../runs/start.ts';
import { type BulkPayload, batchFor, batchIdOf, checkSelection } from './batch.ts';

interface BulkWish {
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

export async function startBulk(room: QaRoom, wish: BulkWish) {
  const { projectId, name, intervalSec, baseUrl } = wish;
  await ownProject(room, projectId);
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
  await checkSelection(room, projectId, payload);
  const interval = intervalSec > 0 ? intervalSec : undefined;
  const started = await startRuntime(room, {
    projectId,
    kind: 'qa.bulk',
    payload: { ...payload },
    name,
    intervalSec: interval,
  });
  const run = await room.store.runs.get(started.workflowRunId);
  if (run) await batchFor(room.store, run, payload);
  return { ...started, runBatchId: batchIdOf({ id: started.workflowRunId }) };
}
