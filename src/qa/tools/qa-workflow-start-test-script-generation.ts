import * as z from 'zod';
import { defineTool } from '../../tool/tool.ts';
import { followRun } from '../runs/status.ts';
import { startGeneration } from '../scripts/start.ts';
import { caseText, checkCaseTexts, checkUrl, siteUrl, workflowParams } from './later-fields.ts';
import { projectId } from './project-shapes.ts';
import { qaRoom } from './room.ts';
import { presentRun } from './run-shapes.ts';
import { baseUrl, testCaseId } from './test-shapes.ts';

export const qaWorkflowStartTestScriptGeneration = defineTool({
  name: 'qa_workflow_start_test_script_generation',
  title: 'Generate automated browser tests',
  description:
    'Start test script generation: write, create, build, generate, produce or implement automated (executable) end-to-end (e2e) browser tests as Playwright scripts for new test cases or scenarios. Automates manual test cases by performing them live; forms are really submitted.',
  effect: 'write',
  openWorld: true,
  scope: 'qa:write',
  input: z.object({
    projectId,
    testCaseId: testCaseId.optional(),
    useCaseId: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('Only test cases of this use case; default: all cases without a script'),
    name: z.string().max(255).optional().describe('Name of the workflow'),
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
