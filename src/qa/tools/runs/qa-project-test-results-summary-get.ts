import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { passedByOracleShape } from '../../artifacts/passed-by-oracle.ts';
import { summariseResults } from '../../artifacts/project-summaries.ts';
import { projectId } from '../projects/project-shapes.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { isoTime } from '../shared/run-shapes.ts';

export const qaProjectTestResultsSummaryGet = defineTool({
  name: 'qa_project_test_results_summary_get',
  title: 'Current test results of a project',
  description:
    'How the tests are doing right now: how many tests are passing (green), failing (red), flaky or not run at the moment, with the pass rate in percent and failures by class. From the latest verdict of each end-to-end test.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ projectId }),
  output: z.object({
    projectId: z.string(),
    totalTests: z.number(),
    passed: z.number(),
    failed: z.number(),
    passRate: z.number().describe('Passed tests in percent of the passed and failed tests; 0 if there are none'),
    flaky: z.number().describe('Number of passed tests that needed a second attempt'),
    passedByOracle: passedByOracleShape,
    inconclusive: z
      .number()
      .describe('Number of tests without a verdict, because the site or the browser was unavailable'),
    notRun: z.number(),
    withoutScript: z
      .number()
      .describe('Number of test cases without a script; they are listed in reports but not counted as tests'),
    healed: z.number().describe('Number of passed tests that found an element by a fallback locator'),
    byFailureClass: z.record(z.string(), z.number()),
    lastRunAt: z.string().optional(),
  }),
  async run({ projectId: id }, context) {
    const { lastRunAt, ...summary } = await summariseResults(await openQaContext(context), id);
    return { projectId: id, ...summary, ...(lastRunAt > 0 && { lastRunAt: isoTime(lastRunAt) }) };
  },
});
