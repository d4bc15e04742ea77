import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { passedByOracleShape } from '../../artifacts/passed-by-oracle.ts';
import { suiteHealth } from '../../report/report-document.ts';
import { summariseProject } from '../../report/reports.ts';
import { projectId } from '../projects/project-shapes.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { attachReportFiles, reportShape } from './report-shapes.ts';

export const qaReportStatsSummaryGet = defineTool({
  name: 'qa_report_stats_summary_get',
  title: 'Health score of the tests',
  description:
    'Health score of the test suite: how healthy or good the suite is, its quality rated as one number (0 to 100) with parts and formula. Also statistics, and whether the latest report is ready, with its files.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ projectId }),
  output: z.object({
    projectId: z.string(),
    tests: z.number(),
    passed: z.number(),
    failed: z.number(),
    flaky: z.number().describe('Number of passed tests that needed a second attempt'),
    inconclusive: z
      .number()
      .describe('Number of tests without a verdict, because the site or the browser was unavailable'),
    notRun: z.number(),
    healed: z.number(),
    passRate: z.number().describe('Passed tests in percent of the passed and failed tests; 0 if there are none'),
    passedByOracle: passedByOracleShape,
    durationMs: z.number(),
    healthScore: z.number().nullable().describe('Health of the tests, 0 to 100; null if no test was run'),
    health: suiteHealth,
    requirements: z.object({ total: z.number(), covered: z.number(), gaps: z.number() }),
    runsLast30Days: z.number(),
    lastRunAt: z.string().optional(),
    totalReports: z.number(),
    latestReport: z.object(reportShape).optional(),
  }),
  async run(args, context) {
    const summary = await summariseProject(await openQaContext(context), args.projectId);
    if (summary.latestReport) attachReportFiles(summary.latestReport, context);
    return summary;
  },
});
