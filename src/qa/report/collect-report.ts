import { describeUniqueToken } from '../runs/unique-token-text.ts';
import type { QaProject, QaStore, StepResult } from '../store/qa-store.ts';
import { readProjectResults } from './project-results.ts';
import type { ReportDocument, ReportedTest } from './report-document.ts';

/** Limits of the document: tests, worst first, and tests with their steps. */
const MAX_TESTS = 10_000;
const MAX_TESTS_WITH_STEPS = 500;

/** Reads the results of a project and creates the document that all renderers use. */
export async function collectQaReport(
  store: QaStore,
  project: QaProject,
  { reportId, runBatchId = null, now = Date.now() }: { reportId: string; runBatchId?: string | null; now?: number },
): Promise<ReportDocument> {
  const { tests: all, numbers, health, requirements } = await readProjectResults(store, project, { now, runBatchId });
  const tests = all.slice(0, MAX_TESTS);
  await addSteps(store, tests.slice(0, MAX_TESTS_WITH_STEPS));
  return {
    schema: 'assay.qa-report',
    version: 1,
    reportId,
    generatedAt: new Date(now).toISOString(),
    project: { id: project.id, name: project.name, url: project.url, description: project.description },
    runBatchId,
    ...{ numbers, health, requirements, tests },
    leftOut: all.length - tests.length,
  };
}

/** The steps of the last attempt of each test's latest run. */
async function addSteps(store: QaStore, tests: readonly ReportedTest[]): Promise<void> {
  const runIds = tests.flatMap(({ runId }) => runId ?? []);
  const steps = Map.groupBy(await store.stepResults.list({ runId: runIds }), ({ runId }) => runId);
  for (const test of tests) test.steps = lastAttempt(steps.get(test.runId ?? '') ?? []).map(describeStep);
}

function lastAttempt(steps: readonly StepResult[]): StepResult[] {
  const last = Math.max(0, ...steps.map(({ attempt }) => attempt));
  return steps.filter(({ attempt }) => attempt === last);
}

function describeStep({ action, description, status, healed, error, durationMs, artifactId }: StepResult) {
  return {
    action,
    description: describeUniqueToken(description),
    status,
    healed: healed === 1,
    error: error === null ? null : describeUniqueToken(error),
    durationMs,
    picture: artifactId,
  };
}
