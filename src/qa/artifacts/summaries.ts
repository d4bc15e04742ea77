import { ownProject } from '../access.ts';
import type { QaRoom } from '../room.ts';
import { countVerdicts } from '../runs/verdict-counts.ts';
import { type Page, type PageRequest, pageFrom } from '../store/page.ts';
import type { TestCase, TestScript, UseCase } from '../store/store.ts';
import { CURRENT_CASES, currentScripts } from './current-scripts.ts';
import { detailsOf, type Latest } from './latest.ts';
import { passedByOracle } from './passed-by-oracle.ts';

/** The latest verdict of each test that can be run. */
export async function resultsSummary(room: QaRoom, projectId: string) {
  await ownProject(room, projectId);
  const [scripts, cases] = await Promise.all([
    currentScripts(room.store, { projectId }),
    room.store.testCases.list({ projectId }),
  ]);
  const latest = scripts.map((script) => detailsOf(script).latest);
  const tested = new Set(scripts.map(({ testCaseId }) => testCaseId));
  const lastRunAt = Math.max(0, ...latest.map((one) => one?.at ?? 0));
  return {
    totalTests: scripts.length,
    ...countVerdicts(latest.map((one) => one?.verdict)),
    passedByOracle: passedByOracle(
      cases,
      scripts.map(({ testCaseId }, i) => ({ testCaseId, verdict: latest[i]?.verdict })),
    ),
    notRun: latest.filter((one) => !one).length,
    withoutScript: cases.filter(({ id, status }) => CURRENT_CASES.includes(status) && !tested.has(id)).length,
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

export async function scriptsSummary(room: QaRoom, projectId: string) {
  await ownProject(room, projectId);
  const [scripts, cases] = await Promise.all([
    room.store.testScripts.list({ projectId }),
    room.store.testCases.list({ projectId, status: CURRENT_CASES }),
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
    failuresByKind: countBy(scripts.flatMap((script) => detailsOf(script).failure?.kind ?? [])),
    averageDurationMs: measured.length === 0 ? 0 : Math.round(duration / measured.length),
    totalDurationMs: duration,
  };
}

export const runOrders = ['lastRunAt', 'status', 'testCaseTitle'] as const;

interface TestRun {
  status: 'TEST_REPLAY_SUCCESS' | 'TEST_REPLAY_FAILED' | 'GENERATION_PENDING' | 'UNKNOWN';
  testCase: TestCase;
  useCase: UseCase | undefined;
  script: TestScript | undefined;
  latest: Latest | undefined;
}

/** Each test with its latest run. */
export async function runsSummary(
  room: QaRoom,
  projectId: string,
  request: PageRequest & { sortBy: (typeof runOrders)[number]; sortOrder: 'asc' | 'desc' },
): Promise<Page<TestRun>> {
  await ownProject(room, projectId);
  const { store } = room;
  const [cases, scripts, useCases] = await Promise.all([
    store.testCases.list({ projectId, status: CURRENT_CASES }),
    store.testScripts.list({ projectId }),
    store.useCases.list({ projectId }),
  ]);
  const scriptOf = new Map(scripts.map((script) => [script.testCaseId, script]));
  const useCaseOf = new Map(useCases.map((useCase) => [useCase.id, useCase]));
  const rows = cases.map((testCase): TestRun => {
    const script = scriptOf.get(testCase.id);
    const latest = script && detailsOf(script).latest;
    return { status: statusOf(script, latest), testCase, useCase: useCaseOf.get(testCase.useCaseId), script, latest };
  });
  const keys: Record<(typeof runOrders)[number], (row: TestRun) => string | number> = {
    lastRunAt: ({ latest }) => latest?.at ?? 0,
    status: ({ status }) => status,
    testCaseTitle: ({ testCase }) => testCase.title,
  };
  const key = keys[request.sortBy];
  const direction = request.sortOrder === 'asc' ? 1 : -1;
  rows.sort((a, b) => (key(a) < key(b) ? -direction : key(a) > key(b) ? direction : 0));
  const from = (request.page - 1) * request.pageSize;
  return pageFrom(rows.slice(from, from + request.pageSize), rows.length, request);
}

function statusOf(script: TestScript | undefined, latest: Latest | undefined): TestRun['status'] {
  if (script?.status !== 'active') return 'GENERATION_PENDING';
  if (!latest || latest.verdict === 'inconclusive') return 'UNKNOWN';
  return latest.verdict === 'failed' ? 'TEST_REPLAY_FAILED' : 'TEST_REPLAY_SUCCESS';
}
