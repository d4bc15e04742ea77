import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { startDetection } from '../cases/start.ts';
import { followRun } from '../runs/status.ts';
import { checkUrl, siteUrl, workflowParams } from './later-fields.ts';
import { projectId } from './project-shapes.ts';
import { qaRoom } from './room.ts';
import { presentRun } from './run-shapes.ts';

export const qaWorkflowStartTestCaseDetection = defineTool({
  name: 'qa_workflow_start_test_case_detection',
  title: 'Start test case detection',
  description:
    'Derive test cases from approved use cases: happy path, empty required fields, boundaries, wrong types, options, states. Starts a workflow; running it again does not duplicate cases.',
  effect: 'write',
  idempotent: true,
  scope: 'qa:write',
  input: z.object({
    projectId,
    useCaseId: z.string().min(1).max(100).optional().describe('Only this one; default: all'),
    name: z.string().max(255).optional().describe('Of the workflow'),
    description: z.string().max(10_000).optional().describe('No effect'),
    url: siteUrl,
    workflowParams,
  }),
  output: z.object({ workflowRuntimeId: z.string(), workflowRunId: z.string() }),
  async run(args, context) {
    const room = await qaRoom(context);
    await checkUrl(room, args);
    return startDetection(room, args);
  },
  async follow({ workflowRuntimeId }, context) {
    return presentRun(await followRun(await qaRoom(context), 'qa.detection', workflowRuntimeId, context));
  },
});
