import { Failure } from '../../platform/errors.ts';
import { checkBaseUrl, invalidArgument, requireOwned, requireOwnedInProject, requireProject } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import { withLatestRun } from '../runs/list-runtimes.ts';
import { startRuntime } from '../runs/start-run.ts';
import type { QaTestCase, Runtime } from '../store/qa-store.ts';

interface GenerationWish {
  projectId: string;
  testCaseId?: string | undefined;
  useCaseId?: string | undefined;
  name?: string | undefined;
  baseUrl?: string | undefined;
}

export async function startGeneration(
  room: QaContext,
  { projectId, testCaseId, useCaseId, name, baseUrl }: GenerationWish,
) {
  const { store } = room;
  await requireProject(room, projectId);
  const testCase =
    testCaseId === undefined
      ? undefined
      : await requireOwnedInProject(room, projectId, store.testCases, 'testCaseId', testCaseId);
  if (testCase) checkCurrent(testCase);
  if (useCaseId !== undefined) await requireOwnedInProject(room, projectId, store.useCases, 'useCaseId', useCaseId);
  if (testCase && useCaseId !== undefined && testCase.useCaseId !== useCaseId)
    throw invalidArgument('useCaseId', `The test case ${testCase.id} is not of the use case ${useCaseId}.`, {
      useCaseId,
    });
  await checkBaseUrl(room, baseUrl);
  if (!testCase && (await store.testCases.count({ projectId, useCaseId })) === 0)
    throw invalidArgument('projectId', 'There is no test case: qa_workflow_start_test_case_detection derives them.', {
      projectId,
    });
  const payload = { useCaseId: useCaseId ?? null, testCaseId: testCaseId ?? null, baseUrl: baseUrl ?? null };
  return startRuntime(room, {
    projectId,
    kind: 'qa.generation',
    payload,
    name,
    useCaseId: testCase?.useCaseId ?? useCaseId,
    testCaseId,
  });
}

/** A case that was put aside gets no script. */
export function checkCurrent({ id, status }: Pick<QaTestCase, 'id' | 'status'>): void {
  if (status === 'ACTIVE' || status === 'DRAFT') return;
  throw invalidArgument('testCaseId', `The test case ${id} is ${status}, so no script is written for it.`, {
    testCaseId: id,
    status,
  });
}

/** Who wrote the script of a case that works: a generation for the whole project leaves it alone from then on. */
async function writerOf({ store }: QaContext, testCaseId: string): Promise<Runtime | undefined> {
  const script = await store.testScripts.newest({ testCaseId, status: 'active' });
  const run = script?.runId ? await store.runs.get(script.runId) : undefined;
  return run && store.runtimes.get(run.runtimeId);
}

/** The newest generation that was about this case: alone, with its use case, or with all of its project. */
export async function generationOf(room: QaContext, testCaseId: string) {
  const { store } = room;
  const testCase = await requireOwned(room, store.testCases, 'testCaseId', testCaseId);
  const { projectId, useCaseId, createdAt } = testCase;
  const kind = 'qa.generation';
  const writer = await writerOf(room, testCase.id);
  const newest = await Promise.all([
    store.runtimes.newest({ projectId, kind, testCaseId }),
    store.runtimes.newest({ projectId, kind, testCaseId: null, useCaseId }),
    writer ?? store.runtimes.newest({ projectId, kind, testCaseId: null, useCaseId: null }),
  ]);
  const about = newest
    .flatMap((runtime) => runtime ?? [])
    .filter((runtime) => runtime.createdAt >= createdAt)
    .toSorted((a, b) => b.createdAt - a.createdAt)[0];
  if (about) return withLatestRun(room, about);
  throw new Failure('not_found', 'NOT_FOUND', `No script was ever generated for the test case ${testCaseId}.`, {
    field: 'testCaseId',
    testCaseId,
  });
}
