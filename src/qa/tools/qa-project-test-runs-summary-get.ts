import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { runOrders, runsSummary } from '../artifacts/summaries.ts';
import { pageArguments } from '../store/page.ts';
import { projectId } from './project-shapes.ts';
import { qaRoom } from './room.ts';
import { time } from './run-shapes.ts';

const row = z.object({
  status: z.enum(['TEST_REPLAY_SUCCESS', 'TEST_REPLAY_FAILED', 'GENERATION_PENDING', 'UNKNOWN']),
  testCaseId: z.string(),
  testCaseTitle: z.string(),
  useCaseId: z.string(),
  useCaseTitle: z.string().optional(),
  testScriptId: z.string().optional(),
  verdict: z.string().optional(),
  failureClass: z.string().optional(),
  error: z.string().optional(),
  lastRunAt: z.string().optional(),
  latestWorkflowRunId: z.string().optional(),
});

export const qaProjectTestRunsSummaryGet = defineTool({
  name: 'qa_project_test_runs_summary_get',
  title: 'Recent test runs of a project',
  description: 'Recent test runs of a project: each test with its latest run, page by page.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({
    projectId,
    ...pageArguments,
    sortBy: z.enum(runOrders).default('lastRunAt').describe('Order'),
    sortOrder: z.enum(['asc', 'desc']).default('desc').describe('Direction'),
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
    const { data, ...page } = await runsSummary(await qaRoom(context), id, request);
    const runs = data.map(({ status, testCase, useCase, script, latest }) => ({
      status,
      testCaseId: testCase.id,
      testCaseTitle: testCase.title,
      useCaseId: testCase.useCaseId,
      ...(useCase && { useCaseTitle: useCase.title }),
      ...(script && { testScriptId: script.id }),
      ...(latest && { verdict: latest.verdict, lastRunAt: time(latest.at), latestWorkflowRunId: latest.runId }),
      ...(latest?.failureClass && { failureClass: latest.failureClass }),
      ...(latest?.error && { error: latest.error }),
    }));
    return { projectId: id, runs, ...page };
  },
});
