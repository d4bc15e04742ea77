import { Failure } from '../../platform/errors.ts';
import { checkBaseUrl, invalidArgument, requireOwned, requireOwnedInProject, requireProject } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import { withLatestRun } from '../runs/list-runtimes.ts';
import { startRuntime } from '../runs/start-run.ts';
import type { QaTestCase, Runtime } from '../store/qa-store.ts';

interface GenerationRequest {
  projectId: string;
  testCaseId?: string | undefined;
  useCaseId?: string | undefined;
  name?: string | undefined;
  baseUrl?: string | undefined;
}

export async function startGeneration(
  qa: QaContext,
  { projectId, testCaseId, useCaseId, name, baseUrl }: GenerationRequest,
) {
  const { store } = qa;
  await requireProject(qa, projectId);
  const testCase =
    testCaseId === undefined
      ? undefined
      : await requireOwnedInProject(qa, projectId, store.testCases, 'testCaseId', testCaseId);
  if (testCase) requireCurrentCase(testCase);
  if (useCaseId !== undefined) await requireOwnedInProject(qa, projectId, store.useCases, 'useCaseId', useCaseId);
  if (testCase && useCaseId !== undefined && testCase.useCaseId !== useCaseId)
    throw invalidArgument(
      'useCaseId',
      `The test case ${testCase.id} does not belong to the use case ${useCaseId}. Omit one of the two ids.`,
      {
        useCaseId,
      },
    );
  await checkBaseUrl(qa, baseUrl);
  if (!testCase && (await store.testCases.count({ projectId, useCaseId })) === 0)
    throw invalidArgument(
      'projectId',
      'The project has no test case. Derive test cases with qa_workflow_start_test_case_detection.',
      {
        projectId,
      },
    );
  const payload = { useCaseId: useCaseId ?? null, testCaseId: testCaseId ?? null, baseUrl: baseUrl ?? null };
  return startRuntime(qa, {
    projectId,
    kind: 'qa.generation',
    payload,
    name,
    useCaseId: testCase?.useCaseId ?? useCaseId,
    testCaseId,
  });
}

/** A rejected case gets no script. */
export function requireCurrentCase({ id, status }: Pick<QaTestCase, 'id' | 'status'>): void {
  if (status === 'ACTIVE' || status === 'DRAFT') return;
  throw invalidArgument(
    'testCaseId',
    `The test case ${id} is ${status}, so no script is written for it. Call qa_test_case_list for current cases.`,
    {
      testCaseId: id,
      status,
    },
  );
}

/** Author of the script of a working case: a generation for the whole project leaves such scripts unchanged. */
async function findWritingRuntime({ store }: QaContext, testCaseId: string): Promise<Runtime | undefined> {
  const script = await store.testScripts.newest({ testCaseId, status: 'active' });
  const run = script?.runId ? await store.runs.get(script.runId) : undefined;
  return run && store.runtimes.get(run.runtimeId);
}

/** The newest generation of this case: for it alone, for its use case, or for the whole project. */
export async function findLatestGeneration(qa: QaContext, testCaseId: string) {
  const { store } = qa;
  const testCase = await requireOwned(qa, store.testCases, 'testCaseId', testCaseId);
  const { projectId, useCaseId, createdAt } = testCase;
  const kind = 'qa.generation';
  const writer = await findWritingRuntime(qa, testCase.id);
  const newest = await Promise.all([
    store.runtimes.newest({ projectId, kind, testCaseId }),
    store.runtimes.newest({ projectId, kind, testCaseId: null, useCaseId }),
    writer ?? store.runtimes.newest({ projectId, kind, testCaseId: null, useCaseId: null }),
  ]);
  const about = newest
    .flatMap((runtime) => runtime ?? [])
    .filter((runtime) => runtime.createdAt >= createdAt)
    .toSorted((a, b) => b.createdAt - a.createdAt)[0];
  if (about) return withLatestRun(qa, about);
  throw new Failure(
    'not_found',
    'NOT_FOUND',
    `No script was generated for the test case ${testCaseId} yet. Start with qa_workflow_start_test_script_generation.`,
    {
      field: 'testCaseId',
      testCaseId,
    },
  );
}
