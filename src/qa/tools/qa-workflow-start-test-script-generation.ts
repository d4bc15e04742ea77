import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { followRun } from '../runs/status.ts';
import { startGeneration } from '../scripts/start.ts';
import { caseText, checkCaseTexts, checkUrl, siteUrl, workflowParams } from './later-fields.ts';
import { projectId } from './project-shapes.ts';
import { qaRoom } from './room.ts';
import { presentRun } from './run-shapes.ts';
import { baseUrl, testCaseId } from './test-shapes.ts';

export const qaWorkflowStartTestScriptGeneration = defineTool({
  name: 'qa_workflow_start_test_script_generation',
  title: 'Start test script generation',
  description:
    'Write test scripts from test cases by carrying them out live in a browser (forms are really sent). Each must notice a broken page and pass twice to become active. Default: all cases without a script.',
  effect: 'write',
  openWorld: true,
  scope: 'qa:write',
  input: z.object({
    projectId,
    testCaseId: testCaseId.optional(),
    useCaseId: z.string().min(1).max(100).optional().describe('All cases of this use case'),
    name: z.string().max(255).optional().describe('Of the workflow'),
    baseUrl: baseUrl.optional(),
    url: siteUrl,
    goal: caseText,
    precondition: caseText,
    instructions: caseText,
    expectedResult: caseText,
    workflowParams,
  }),
  output: z.object({ workflowRuntimeId: z.string(), workflowRunId: z.string() }),
  async run(args, context) {
    const room = await qaRoom(context);
    await checkUrl(room, args);
    await checkCaseTexts(room, args);
    return startGeneration(room, args);
  },
  async follow({ workflowRuntimeId }, context) {
    return presentRun(await followRun(await qaRoom(context), 'qa.generation', workflowRuntimeId, context));
  },
});
