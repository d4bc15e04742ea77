import { readable } from '../runs/readable.ts';
import type { Project, QaStore, StepResult } from '../store/store.ts';
import type { ReportDocument, ReportedTest } from './document.ts';
import { readResults } from './results.ts';

/** Tests that are reported one by one, the worst first; and those of them with their steps. */
const MOST_TESTS = 10_000;
const MOST_WITH_STEPS = 500;

/** Reads the results of a project once, and makes the document that all renderers share. */
export async function collectReport(
  store: QaStore,
  project: Project,
  { reportId, runBatchId = null, now = Date.now() }: { reportId: string; runBatchId?: string | null; now?: number },
): Promise<ReportDocument> {
  const { tests: all, numbers, health, requirements } = await readResults(store, project, { now, runBatchId });
  const tests = all.slice(0, MOST_TESTS);
  await addSteps(store, tests.slice(0, MOST_WITH_STEPS));
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
    description: readable(description),
    status,
    healed: healed === 1,
    error: error === null ? null : readable(error),
    durationMs,
    picture: artifactId,
  };
}
