import { requireProject } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import { countVerdicts } from '../runs/verdict-counts.ts';
import type { QaTestCase, TestScript, UseCase } from '../store/qa-store.ts';
import { createPage, type PageRequest, type ResultPage } from '../store/result-page.ts';
import { currentCaseStatuses, listCurrentScripts } from './current-scripts.ts';
import { countPassedByOracle } from './passed-by-oracle.ts';
import { type LatestResult, readScriptDetails } from './script-details.ts';

/** Counts the latest verdicts of the current scripts. */
export async function summariseResults(qa: QaContext, projectId: string) {
  await requireProject(qa, projectId);
  const [scripts, cases] = await Promise.all([
    listCurrentScripts(qa.store, { projectId }),
    qa.store.testCases.list({ projectId }),
  ]);
  const latest = scripts.map((script) => readScriptDetails(script).latest);
  const tested = new Set(scripts.map(({ testCaseId }) => testCaseId));
  const lastRunAt = Math.max(0, ...latest.map((one) => one?.at ?? 0));
  return {
    totalTests: scripts.length,
    ...countVerdicts(latest.map((one) => one?.verdict)),
    passedByOracle: countPassedByOracle(
      cases,
      scripts.map(({ testCaseId }, i) => ({ testCaseId, verdict: latest[i]?.verdict })),
    ),
    notRun: latest.filter((one) => !one).length,
    withoutScript: cases.filter(({ id, status }) => currentCaseStatuses.includes(status) && !tested.has(id)).length,
    healed: latest.filter((one) => one && one.healed > 0).length,
    byFailureClass: countBy(
      latest.flatMap((one) => (one?.verdict === 'failed' && one.failureClass ? [one.failureClass] : [])),
    ),
    lastRunAt,
  };
}

function countBy(names: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
}

export async function summariseScripts(qa: QaContext, projectId: string) {
  await requireProject(qa, projectId);
  const [scripts, cases] = await Promise.all([
    qa.store.testScripts.list({ projectId }),
    qa.store.testCases.list({ projectId, status: currentCaseStatuses }),
  ]);
  const of = (status: string) => scripts.filter((script) => script.status === status).length;
  const active = scripts.filter(({ status }) => status === 'active');
  const covered = new Set(active.map(({ testCaseId }) => testCaseId));
  const measured = active.filter(({ durationMs }) => durationMs > 0);
  const duration = measured.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return {
    totalScripts: scripts.length,
    active: of('active'),
    failed: of('failed'),
    draft: of('draft'),
    totalTestCases: cases.length,
    testCasesWithScript: cases.filter(({ id }) => covered.has(id)).length,
    testCasesWithoutScript: cases.filter(({ id }) => !covered.has(id)).length,
    failuresByKind: countBy(scripts.flatMap((script) => readScriptDetails(script).failure?.kind ?? [])),
    averageDurationMs: measured.length === 0 ? 0 : Math.round(duration / measured.length),
    totalDurationMs: duration,
  };
}

export const runSortKeys = ['lastRunAt', 'status', 'testCaseTitle'] as const;

interface TestRun {
  status: 'TEST_REPLAY_SUCCESS' | 'TEST_REPLAY_FAILED' | 'GENERATION_PENDING' | 'UNKNOWN';
  testCase: QaTestCase;
  useCase: UseCase | undefined;
  script: TestScript | undefined;
  latest: LatestResult | undefined;
}

/** Each test with its latest run. */
export async function summariseRuns(
  qa: QaContext,
  projectId: string,
  request: PageRequest & { sortBy: (typeof runSortKeys)[number]; sortOrder: 'asc' | 'desc' },
): Promise<ResultPage<TestRun>> {
  await requireProject(qa, projectId);
  const { store } = qa;
  const [cases, scripts, useCases] = await Promise.all([
    store.testCases.list({ projectId, status: currentCaseStatuses }),
    store.testScripts.list({ projectId }),
    store.useCases.list({ projectId }),
  ]);
  const scriptOf = new Map(scripts.map((script) => [script.testCaseId, script]));
  const useCaseOf = new Map(useCases.map((useCase) => [useCase.id, useCase]));
  const rows = cases.map((testCase): TestRun => {
    const script = scriptOf.get(testCase.id);
    const latest = script && readScriptDetails(script).latest;
    return {
      status: testRunStatus(script, latest),
      testCase,
      useCase: useCaseOf.get(testCase.useCaseId),
      script,
      latest,
    };
  });
  const keys: Record<(typeof runSortKeys)[number], (row: TestRun) => string | number> = {
    lastRunAt: ({ latest }) => latest?.at ?? 0,
    status: ({ status }) => status,
    testCaseTitle: ({ testCase }) => testCase.title,
  };
  const key = keys[request.sortBy];
  const direction = request.sortOrder === 'asc' ? 1 : -1;
  rows.sort((a, b) => (key(a) < key(b) ? -direction : key(a) > key(b) ? direction : 0));
  const from = (request.page - 1) * request.pageSize;
  return createPage(rows.slice(from, from + request.pageSize), rows.length, request);
}

function testRunStatus(script: TestScript | undefined, latest: LatestResult | undefined): TestRun['status'] {
  if (script?.status !== 'active') return 'GENERATION_PENDING';
  if (!latest || latest.verdict === 'inconclusive') return 'UNKNOWN';
  return latest.verdict === 'failed' ? 'TEST_REPLAY_FAILED' : 'TEST_REPLAY_SUCCESS';
}
