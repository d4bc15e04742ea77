import * as z from 'zod';
import { untrusted } from '../../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../../tool/tool.ts';
import { runSortKeys, summariseRuns } from '../../artifacts/project-summaries.ts';
import { pageArguments } from '../../store/result-page.ts';
import { projectId } from '../projects/project-shapes.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { isoTime } from '../shared/run-shapes.ts';

const row = z.object({
  status: z.enum(['TEST_REPLAY_SUCCESS', 'TEST_REPLAY_FAILED', 'GENERATION_PENDING', 'UNKNOWN']),
  testCaseId: z.string(),
  testCaseTitle: untrusted(z.string(), { max: 300 }),
  useCaseId: z.string(),
  useCaseTitle: untrusted(z.string(), { max: 300 }).optional(),
  testScriptId: z.string().optional(),
  verdict: z.string().optional(),
  failureClass: z.string().optional(),
  error: untrusted(z.string(), { max: 2_000 }).optional(),
  lastRunAt: z.string().optional(),
  latestWorkflowRunId: z.string().optional(),
});

export const qaProjectTestRunsSummaryGet = defineTool({
  name: 'qa_project_test_runs_summary_get',
  title: 'Recent test runs of a project',
  description:
    'Overview of which tests ran recently: the most recent (last, latest) run per test, when each was executed, with result, status, verdict, error and failure class.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({
    projectId,
    ...pageArguments,
    sortBy: z.enum(runSortKeys).default('lastRunAt').describe('Field to sort by'),
    sortOrder: z.enum(['asc', 'desc']).default('desc').describe('Sort direction'),
  }),
  output: z.object({
    projectId: z.string(),
    runs: z.array(row),
    page: z.number(),
    pageSize: z.number(),
    totalCount: z.number(),
    totalPages: z.number(),
    hasMore: z.boolean(),
  }),
  async run({ projectId: id, ...request }, context) {
    const { data, ...page } = await summariseRuns(await openQaContext(context), id, request);
    const runs = data.map(({ status, testCase, useCase, script, latest }) => ({
      status,
      testCaseId: testCase.id,
      testCaseTitle: testCase.title,
      useCaseId: testCase.useCaseId,
      ...(useCase && { useCaseTitle: useCase.title }),
      ...(script && { testScriptId: script.id }),
      ...(latest && { verdict: latest.verdict, lastRunAt: isoTime(latest.at), latestWorkflowRunId: latest.runId }),
      ...(latest?.failureClass && { failureClass: latest.failureClass }),
      ...(latest?.error && { error: latest.error }),
    }));
    return { projectId: id, runs, ...page };
  },
});
