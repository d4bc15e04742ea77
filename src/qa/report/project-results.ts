import { currentCaseStatuses } from '../artifacts/current-scripts.ts';
import { countPassedByOracle } from '../artifacts/passed-by-oracle.ts';
import { type LatestResult, readScriptDetails } from '../artifacts/script-details.ts';
import { measureSuite, recentReplays, type SuiteHistory } from '../history/suite-history.ts';
import { testVerdicts } from '../runs/run-kinds.ts';
import { describeUniqueToken } from '../runs/unique-token-text.ts';
import { countVerdicts } from '../runs/verdict-counts.ts';
import type { QaProject, QaStore, QaTestCase, RunRow, TestScript, UseCase } from '../store/qa-store.ts';
import { countHealedSteps, readReplayErrors } from './replay-details.ts';
import type { ReportDocument, ReportedTest } from './report-document.ts';
import { computeHealth } from './suite-health.ts';

const MAX_HISTORY = 20;

/** Results of a project: each test and the totals. */
export interface ProjectResults extends Pick<ReportDocument, 'numbers' | 'health' | 'requirements'> {
  /** Tests without their steps; those that need attention come first. */
  tests: ReportedTest[];
  suite: SuiteHistory;
  /** Time of the last run of any test. */
  lastRunAt: number | undefined;
}

/** Reads the results of a project, or of the tests that one batch replayed. */
export async function readProjectResults(
  store: QaStore,
  { id: projectId }: QaProject,
  { now, runBatchId }: { now: number; runBatchId?: string | null | undefined },
): Promise<ProjectResults> {
  const [cases, scripts, useCases, runs, requirements] = await Promise.all([
    // A batch includes cases that were retired since.
    store.testCases.list({ projectId, ...(!runBatchId && { status: currentCaseStatuses }) }),
    store.testScripts.list({ projectId }),
    store.useCases.list({ projectId }),
    recentReplays(store, projectId, now),
    readRequirements(store, projectId),
  ]);
  const suite = await measureSuite(store, projectId, { now, runs });
  const titles = new Map(useCases.map((useCase) => [useCase.id, useCase]));
  const byScript = Map.groupBy(runs, ({ testScriptId }) => testScriptId);
  const outcomes = runBatchId ? await readBatchOutcomes(store, runBatchId) : undefined;
  // The active script of a case takes precedence.
  const ordered = scripts.toSorted((a, b) => Number(a.status === 'active') - Number(b.status === 'active'));
  const scriptOf = new Map(ordered.map((script) => [script.testCaseId, script]));
  const tests = cases.flatMap((testCase) => {
    const script = scriptOf.get(testCase.id);
    if (outcomes && !(script && outcomes.has(script.id))) return [];
    const history = byScript.get(script?.id ?? '') ?? [];
    const active = script?.status === 'active' || outcomes ? script : undefined;
    const latest = outcomes ? outcomes.get(script?.id ?? '')?.latest : active && readScriptDetails(active).latest;
    const run = outcomes?.get(script?.id ?? '')?.run ?? history.find(({ id }) => id === latest?.runId);
    const useCase = titles.get(testCase.useCaseId);
    return [describeTest(testCase, { useCase, script: active, latest, run, history, failed: script })];
  });
  tests.sort((a, b) => attentionWeight(b) - attentionWeight(a));
  const numbers = countResults(tests);
  const times = tests.flatMap(({ runAt }) => (runAt === null ? [] : [Date.parse(runAt)]));
  const lastRunAt = times.length > 0 ? times.reduce((a, b) => Math.max(a, b)) : suite.lastRunAt;
  const health = computeHealth({
    passed: numbers.passed,
    failed: numbers.failed,
    flakeRate: suite.flakeRate,
    requirements,
    lastRunAt,
    now,
  });
  return { tests, suite, requirements, numbers, health, lastRunAt };
}

type BatchOutcome = { latest: LatestResult | undefined; run: RunRow | undefined };

/** The results of a batch by script; of repeated runs the worst counts. */
async function readBatchOutcomes(store: QaStore, batchId: string): Promise<Map<string, BatchOutcome>> {
  const [items, runs] = await Promise.all([
    store.batchItems.list({ batchId }),
    store.runs.list({ batchId, kind: 'qa.replay' }),
  ]);
  const worst = ['failed', 'inconclusive', 'flaky', 'passed'];
  const ended = runs.filter(({ verdict }) => verdict !== null);
  const byScript = Map.groupBy(
    ended.toSorted((a, b) => worst.indexOf(a.verdict ?? '') - worst.indexOf(b.verdict ?? '')),
    ({ testScriptId }) => testScriptId ?? '',
  );
  return new Map(
    items.map(({ testScriptId }) => {
      const run = byScript.get(testScriptId)?.[0];
      return [testScriptId, { run, latest: run && latestResultOf(run) }];
    }),
  );
}

function latestResultOf(run: RunRow): LatestResult {
  const { id: runId, failureClass, error } = run;
  const verdict = testVerdicts.find((known) => known === run.verdict) ?? 'inconclusive';
  return { verdict, failureClass, error, runId, at: run.endedAt ?? run.updatedAt, healed: countHealedSteps(run) };
}

interface TestRecords {
  useCase: UseCase | undefined;
  script: TestScript | undefined;
  latest: LatestResult | undefined;
  run: RunRow | undefined;
  /** The newest first. */
  history: readonly RunRow[];
  /** The script, active or not: an inactive one has the reason. */
  failed: TestScript | undefined;
}

function describeTest(
  testCase: QaTestCase,
  { useCase, script, latest, run, history, failed }: TestRecords,
): ReportedTest {
  const whyNoScript = script || !failed ? undefined : readScriptDetails(failed).failure?.reason;
  const said = latest?.error ?? whyNoScript;
  return {
    testCaseId: testCase.id,
    testScriptId: script?.id ?? null,
    title: describeUniqueToken(testCase.title),
    useCaseId: testCase.useCaseId,
    useCase: useCase?.title ?? '',
    category: testCase.category,
    priority: testCase.priority,
    oracle: testCase.oracle,
    expected: describeUniqueToken(testCase.expectedResult),
    verdict: latest?.verdict ?? (script ? 'not_run' : 'no_script'),
    failureClass: latest?.failureClass ?? null,
    error: said === undefined ? null : describeUniqueToken(said),
    healed: latest?.healed ?? 0,
    durationMs: run?.startedAt && run.endedAt ? run.endedAt - run.startedAt : script?.durationMs || null,
    runAt: latest ? new Date(latest.at).toISOString() : null,
    runId: latest?.runId ?? null,
    history: history
      .slice(0, MAX_HISTORY)
      .flatMap(({ verdict }) => verdict ?? [])
      .reverse(),
    steps: [],
    ...readReplayErrors(run),
  };
}

async function readRequirements(store: QaStore, projectId: string): Promise<ReportDocument['requirements']> {
  const [requirements, gaps, useCases] = await Promise.all([
    store.requirements.list({ projectId }),
    store.gaps.list({ projectId }),
    store.useCases.list({ projectId }),
  ]);
  const answered = new Set(useCases.flatMap((useCase) => useCase.requirements));
  return {
    total: requirements.length,
    covered: requirements.filter(({ id }) => answered.has(id)).length,
    gaps: gaps.map(({ ref, text, reason }) => ({ ref, text, reason })),
  };
}

/** Counts results in the same way as the summaries. */
export function countResults(tests: readonly ReportedTest[]): ReportDocument['numbers'] {
  const cases = tests.map(({ testCaseId: id, oracle }) => ({ id, oracle }));
  return {
    tests: tests.length,
    ...countVerdicts(tests.map(({ verdict }) => verdict)),
    passedByOracle: countPassedByOracle(cases, tests),
    notRun: tests.filter(({ verdict }) => verdict === 'not_run' || verdict === 'no_script').length,
    healed: tests.filter(({ healed }) => healed > 0).length,
    durationMs: tests.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0),
  };
}

/** Sort weight: tests that need attention come first. */
function attentionWeight({ verdict, priority, failureClass, healed }: ReportedTest): number {
  const byVerdict = { failed: 100, inconclusive: 60, flaky: 50, not_run: 20, passed: 10, no_script: 5 };
  const byClass = failureClass === 'product defect' ? 20 : 0;
  return (
    byVerdict[verdict] + byClass + (healed > 0 ? 5 : 0) + (priority === 'HIGH' ? 2 : priority === 'MEDIUM' ? 1 : 0)
  );
}
