import { detailsOf } from '../artifacts/latest.ts';
import { percent } from '../artifacts/summaries.ts';
import { measureSuite, recentReplays } from '../history/suite.ts';
import type { Project, QaStore, RunRow, StepResult, TestCase, TestScript, UseCase } from '../store/store.ts';
import type { ReportDocument, ReportedTest } from './document.ts';
import { healthOf } from './health.ts';
import { runFacts } from './run-facts.ts';

/** Tests that are reported one by one; the worst first. */
const MOST_TESTS = 1000;
const MOST_HISTORY = 20;

/** Reads the results of a project once, and makes the document that all renderers share. */
export async function collectReport(
  store: QaStore,
  project: Project,
  { reportId, now = Date.now() }: { reportId: string; now?: number },
): Promise<ReportDocument> {
  const projectId = project.id;
  const [cases, scripts, useCases, runs, suite] = await Promise.all([
    store.testCases.list({ projectId }),
    store.testScripts.list({ projectId }),
    store.useCases.list({ projectId }),
    recentReplays(store, projectId, now),
    measureSuite(store, projectId, now),
  ]);
  const titles = new Map(useCases.map((useCase) => [useCase.id, useCase]));
  const byScript = Map.groupBy(runs, ({ testScriptId }) => testScriptId);
  const activeOf = new Map(
    scripts.filter(({ status }) => status === 'active').map((script) => [script.testCaseId, script]),
  );
  const all = cases.map((testCase) => {
    const script = activeOf.get(testCase.id);
    return describeTest(testCase, script, titles.get(testCase.useCaseId), byScript.get(script?.id ?? '') ?? []);
  });
  all.sort((a, b) => weight(b) - weight(a));
  const tests = all.slice(0, MOST_TESTS);
  await addSteps(store, tests);
  const requirements = await requirementsOf(store, projectId);
  const numbers = count(all);
  return {
    schema: 'assay.qa-report',
    version: 1,
    reportId,
    generatedAt: new Date(now).toISOString(),
    project: { id: project.id, name: project.name, url: project.url, description: project.description },
    numbers,
    health: healthOf({
      passed: numbers.passed + numbers.flaky,
      failed: numbers.failed,
      flakeRate: suite.flakeRate,
      requirements,
      lastRunAt: suite.lastRunAt,
      now,
    }),
    requirements,
    tests,
    leftOut: all.length - tests.length,
  };
}

function describeTest(
  testCase: TestCase,
  script: TestScript | undefined,
  useCase: UseCase | undefined,
  runs: readonly RunRow[],
): ReportedTest {
  const latest = script && detailsOf(script).latest;
  const run = runs.find(({ id }) => id === latest?.runId);
  return {
    testCaseId: testCase.id,
    testScriptId: script?.id ?? null,
    title: testCase.title,
    useCaseId: testCase.useCaseId,
    useCase: useCase?.title ?? '',
    category: testCase.category,
    priority: testCase.priority,
    oracle: testCase.oracle,
    expected: testCase.expectedResult,
    verdict: latest?.verdict ?? (script ? 'not_run' : 'no_script'),
    failureClass: latest?.failureClass ?? null,
    error: latest?.error ?? null,
    healed: latest?.healed ?? 0,
    durationMs: run?.startedAt && run.endedAt ? run.endedAt - run.startedAt : script?.durationMs || null,
    runAt: latest ? new Date(latest.at).toISOString() : null,
    runId: latest?.runId ?? null,
    history: runs
      .slice(0, MOST_HISTORY)
      .flatMap(({ verdict }) => verdict ?? [])
      .reverse(),
    steps: [],
    ...runFacts(run),
  };
}

/** The steps of the last attempt of each test's latest run. */
async function addSteps(store: QaStore, tests: ReportedTest[]): Promise<void> {
  const runIds = tests.flatMap(({ runId }) => runId ?? []);
  const steps = Map.groupBy(await store.stepResults.list({ runId: runIds }), ({ runId }) => runId);
  for (const test of tests) test.steps = lastAttempt(steps.get(test.runId ?? '') ?? []).map(describeStep);
}

function lastAttempt(steps: readonly StepResult[]): StepResult[] {
  const last = Math.max(0, ...steps.map(({ attempt }) => attempt));
  return steps.filter(({ attempt }) => attempt === last);
}

function describeStep({ action, description, status, healed, error, durationMs, artifactId }: StepResult) {
  return { action, description, status, healed: healed === 1, error, durationMs, picture: artifactId };
}

async function requirementsOf(store: QaStore, projectId: string): Promise<ReportDocument['requirements']> {
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

function count(tests: readonly ReportedTest[]): ReportDocument['numbers'] {
  const of = (...verdicts: ReportedTest['verdict'][]) =>
    tests.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const [passed, flaky, failed] = [of('passed'), of('flaky'), of('failed')];
  return {
    tests: tests.length,
    passed,
    failed,
    flaky,
    inconclusive: of('inconclusive'),
    notRun: of('not_run', 'no_script'),
    healed: tests.filter(({ healed }) => healed > 0).length,
    passRate: percent(passed + flaky, passed + flaky + failed),
    durationMs: tests.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0),
  };
}

/** What needs people most stands first. */
function weight({ verdict, priority, failureClass, healed }: ReportedTest): number {
  const byVerdict = { failed: 100, inconclusive: 60, flaky: 50, not_run: 20, passed: 10, no_script: 5 };
  const byClass = failureClass === 'product defect' ? 20 : 0;
  return (
    byVerdict[verdict] + byClass + (healed > 0 ? 5 : 0) + (priority === 'HIGH' ? 2 : priority === 'MEDIUM' ? 1 : 0)
  );
}
