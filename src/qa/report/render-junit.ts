import { type JunitCase, renderJunitXml } from '../../platform/reports/junit.ts';
import { countResults } from './project-results.ts';
import type { ReportDocument, ReportedTest } from './report-document.ts';

/** One suite per use case, one case per test. Inconclusive tests are errors, not failures. */
export function renderQaJunit({ project, tests }: ReportDocument): string {
  const suites = [...Map.groupBy(tests, ({ useCase }) => useCase)].map(([name, list]) => ({
    name,
    cases: list.map(junitCase),
    properties: oracleProperties(list),
  }));
  return renderJunitXml(project.name, suites);
}

function oracleProperties(tests: readonly ReportedTest[]): Record<string, number> {
  const { specified, observed } = countResults(tests).passedByOracle;
  return { 'passed.specified': specified, 'passed.observed': observed };
}

function junitCase(test: ReportedTest): JunitCase {
  const steps = test.steps.map(
    ({ status, description, healed, error }) =>
      `${status}${healed ? ' (healed)' : ''}: ${description}${error === null ? '' : `: ${error}`}`,
  );
  return {
    classname: test.useCase,
    name: test.title,
    seconds: test.durationMs === null ? undefined : test.durationMs / 1000,
    outcome: junitOutcome(test),
    properties: { oracle: test.oracle },
    output: [
      ...(test.verdict === 'flaky' ? ['Flaky: passed only on retry.'] : []),
      ...steps,
      ...test.consoleErrors,
      ...test.failedRequests,
    ].join('\n'),
  };
}

function junitOutcome({ verdict, error, failureClass, expected }: ReportedTest): JunitCase['outcome'] {
  switch (verdict) {
    case 'failed':
      return {
        element: 'failure',
        type: failureClass ?? 'failed',
        message: error ?? 'failed',
        body: `Expected: ${expected}`,
      };
    case 'inconclusive':
      return { element: 'error', type: failureClass ?? 'infrastructure', message: error ?? 'inconclusive' };
    case 'not_run':
    case 'no_script':
      return { element: 'skipped', message: verdict === 'not_run' ? 'not run yet' : 'no script yet' };
    default:
      return undefined;
  }
}
