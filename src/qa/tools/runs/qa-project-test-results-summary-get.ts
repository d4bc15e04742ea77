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
    passRate: z.number().describe('Of passed and failed; 0 without any'),
    flaky: z.number().describe('Of those that passed'),
    passedByOracle: passedByOracleShape,
    inconclusive: z.number().describe('The site or the browser was away'),
    notRun: z.number(),
    withoutScript: z
      .number()
      .describe('Test cases that no script plays yet; not counted as tests, but listed in reports'),
    healed: z.number().describe('Found elements by fallback locators'),
    byFailureClass: z.record(z.string(), z.number()),
    lastRunAt: z.string().optional(),
  }),
  async run({ projectId: id }, context) {
    const { lastRunAt, ...summary } = await summariseResults(await openQaContext(context), id);
    return { projectId: id, ...summary, ...(lastRunAt > 0 && { lastRunAt: isoTime(lastRunAt) }) };
  },
});
