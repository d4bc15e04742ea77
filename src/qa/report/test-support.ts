import { countResults } from './project-results.ts';
import type { ReportDocument, ReportedTest } from './report-document.ts';
import { computeHealth } from './suite-health.ts';

/** A test that passed, with whatever is changed. */
export function reportedTest(changes: Partial<ReportedTest> = {}): ReportedTest {
  return {
    testCaseId: 'tc_1',
    testScriptId: 'ts_1',
    title: 'Log in with the right password',
    useCaseId: 'uc_1',
    useCase: 'Log in',
    category: 'happy path',
    priority: 'HIGH',
    oracle: 'specified',
    expected: 'The dashboard appears.',
    verdict: 'passed',
    failureClass: null,
    error: null,
    healed: 0,
    durationMs: 1840,
    runAt: '2026-01-31T10:00:00.000Z',
    runId: 'wfrun_1',
    history: ['passed', 'passed'],
    steps: [],
    consoleErrors: [],
    failedRequests: [],
    ...changes,
  };
}

const NOW = Date.parse('2026-01-31T12:00:00Z');

/** A document of these tests. */
export function reportDocumentOf(tests: ReportedTest[], changes: Partial<ReportDocument> = {}): ReportDocument {
  const numbers = countResults(tests);
  const { passed, failed } = numbers;
  return {
    schema: 'assay.qa-report',
    version: 1,
    reportId: 'rep_1',
    generatedAt: new Date(NOW).toISOString(),
    project: { id: 'proj_1', name: 'Corner shop', url: 'https://shop.example', description: null },
    runBatchId: null,
    numbers,
    health: computeHealth({
      passed,
      failed,
      flakeRate: 0.02,
      requirements: { total: 4, covered: 3 },
      lastRunAt: NOW - 7_200_000,
      now: NOW,
    }),
    requirements: {
      total: 4,
      covered: 3,
      gaps: [{ ref: 'R4', text: 'Pay by invoice', reason: 'no page speaks of it' }],
    },
    tests,
    leftOut: 0,
    ...changes,
  };
}

/** One of everything that a report can show. */
export function variedTests(picture: string | null = null): ReportedTest[] {
  const step = (description: string, changes: Partial<ReportedTest['steps'][number]> = {}) => ({
    ...{ action: 'click', description, status: 'passed', healed: false, error: null, durationMs: 210, picture },
    ...changes,
  });
  return [
    reportedTest({
      testCaseId: 'tc_failed',
      title: 'Order with an empty cart',
      useCase: 'Check out',
      expected: 'The page says that the cart is empty.',
      verdict: 'failed',
      failureClass: 'product defect',
      error: 'Expected to see "Your cart is empty", but the page shows "Internal Server Error".',
      history: ['passed', 'passed', 'flaky', 'passed', 'failed', 'failed'],
      steps: [
        step('Open /cart'),
        step('Click "Order"', { status: 'failed', error: 'Not seen within 5 s: "Your cart is empty"' }),
        step('The page shows no error', { status: 'skipped', durationMs: 0, picture: null }),
      ],
      consoleErrors: ['TypeError: cart is undefined'],
      failedRequests: ['500 POST /order'],
    }),
    reportedTest({
      testCaseId: 'tc_broken',
      title: 'Search for what is not there',
      useCase: 'Search',
      verdict: 'inconclusive',
      failureClass: 'infrastructure',
      error: 'The site did not answer: net::ERR_CONNECTION_REFUSED.',
    }),
    reportedTest({
      testCaseId: 'tc_flaky',
      title: 'Subscribe to the newsletter',
      useCase: 'Newsletter',
      verdict: 'flaky',
      failureClass: 'stale script',
      error: 'Not found at first: "Subscribe"',
      history: ['passed', 'flaky', 'passed', 'flaky'],
      steps: [step('Click "Subscribe"', { healed: true })],
      healed: 1,
    }),
    reportedTest({
      testCaseId: 'tc_healed',
      title: 'Filter by price',
      useCase: 'Filter',
      healed: 2,
      steps: [step('Choose "Up to 10"', { healed: true })],
    }),
    ...['Add to the cart', 'Take out of the cart', 'Log in with a wrong password', 'Log out'].map((title, index) =>
      reportedTest({
        ...{ testCaseId: `tc_ok_${index}`, title, useCase: index < 2 ? 'Cart' : 'Log in', priority: 'MEDIUM' },
        steps: [step('Open /', { picture: null }), step(`Click "${title}"`)],
      }),
    ),
    reportedTest({
      testCaseId: 'tc_new',
      title: 'Reset the password',
      verdict: 'not_run',
      runAt: null,
      runId: null,
      durationMs: null,
      history: [],
    }),
    reportedTest({
      testCaseId: 'tc_none',
      title: 'Upload a picture',
      verdict: 'no_script',
      testScriptId: null,
      runAt: null,
      runId: null,
      durationMs: null,
      history: [],
      error: 'No way to the form was found.',
    }),
  ];
}
