import { checkBaseUrl, invalidArgument, requireProject } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import { parseRunSchedule } from '../runs/run-schedule.ts';
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
  schedule?: string | undefined;
  workers?: number | undefined;
  baseUrl?: string | undefined;
}

export async function startBulk(qa: QaContext, request: BulkRequest) {
  const { projectId, name, intervalSec, baseUrl } = request;
  const schedule = request.schedule === undefined ? null : parseRunSchedule(request.schedule, new Date());
  if (schedule && intervalSec > 0)
    throw invalidArgument('schedule', `Pass schedule or intervalSec, not both: intervalSec is ${intervalSec}.`);
  await requireProject(qa, projectId);
  await checkBaseUrl(qa, baseUrl);
  const payload: BulkPayload = {
    testScriptIds: request.testScriptIds ? [...new Set(request.testScriptIds)] : null,
    testCaseIds: request.testCaseIds ? [...new Set(request.testCaseIds)] : null,
    useCaseId: request.useCaseId ?? null,
    namePrefix: request.namePrefix ?? null,
    limit: request.limit ?? null,
    repeat: request.repeatPerTestCase,
    baseUrl: baseUrl ?? null,
    workers: request.workers ?? null,
    name: name ?? null,
    schedule,
  };
  await checkBulkSelection(qa, projectId, payload);
  const interval = intervalSec > 0 ? intervalSec : undefined;
  const started = await startRuntime(qa, {
    projectId,
    kind: 'qa.bulk',
    payload: { ...payload },
    name,
    intervalSec: interval,
  });
  const run = await qa.store.runs.get(started.workflowRunId);
  if (run) await findOrCreateBatch(qa.store, run, payload);
  return { ...started, runBatchId: batchIdOf({ id: started.workflowRunId }) };
}
