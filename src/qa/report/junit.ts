import { type JunitCase, junitXml } from '../../platform/junit.ts';
import type { ReportDocument, ReportedTest } from './document.ts';
import { numbersOf } from './results.ts';

/** A suite for each use case, a case for each test. What says nothing about the product is an error, not a failure. */
export function renderJunit({ project, tests }: ReportDocument): string {
  const suites = [...Map.groupBy(tests, ({ useCase }) => useCase)].map(([name, list]) => ({
    name,
    cases: list.map(caseOf),
    properties: oraclesOf(list),
  }));
  return junitXml(project.name, suites);
}

function oraclesOf(tests: readonly ReportedTest[]): Record<string, number> {
  const { specified, observed } = numbersOf(tests).passedByOracle;
  return { 'passed.specified': specified, 'passed.observed': observed };
}

function caseOf(test: ReportedTest): JunitCase {
  const steps = test.steps.map(
    ({ status, description, healed, error }) =>
      `${status}${healed ? ' (healed)' : ''}: ${description}${error === null ? '' : `: ${error}`}`,
  );
  return {
    classname: test.useCase,
    name: test.title,
    seconds: test.durationMs === null ? undefined : test.durationMs / 1000,
    outcome: outcomeOf(test),
    properties: { oracle: test.oracle },
    output: [
      ...(test.verdict === 'flaky' ? ['Flaky: it passed only when it was repeated.'] : []),
      ...steps,
      ...test.consoleErrors,
      ...test.failedRequests,
    ].join('\n'),
  };
}

function outcomeOf({ verdict, error, failureClass, expected }: ReportedTest): JunitCase['outcome'] {
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
