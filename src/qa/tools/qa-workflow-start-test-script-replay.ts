import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { startReplay } from '../replay/start.ts';
import { followRun } from '../runs/status.ts';
import { workflowParams } from './later-fields.ts';
import { projectId } from './project-shapes.ts';
import { qaRoom } from './room.ts';
import { presentRun } from './run-shapes.ts';
import { baseUrl, testCaseId, testScriptId } from './test-shapes.ts';

export const qaWorkflowStartTestScriptReplay = defineTool({
  name: 'qa_workflow_start_test_script_replay',
  title: 'Replay a test script',
  description:
    'Run one test script in a fresh browser context, with a screenshot a step. A failure is run once more (flaky or failing) and classified.',
  effect: 'write',
  openWorld: true,
  scope: 'qa:write',
  input: z.object({
    projectId,
    testScriptId,
    name: z.string().max(255).optional().describe('Of the workflow'),
    baseUrl: baseUrl.optional(),
    useCaseId: z.string().min(1).max(100).optional().describe('The script’s own'),
    testCaseId: testCaseId.optional().describe('The script’s own'),
    workflowParams,
  }),
  output: z.object({ workflowRuntimeId: z.string(), workflowRunId: z.string() }),
  async run(args, context) {
    return startReplay(await qaRoom(context), args);
  },
  async follow({ workflowRuntimeId }, context) {
    return presentRun(await followRun(await qaRoom(context), 'qa.replay', workflowRuntimeId, context));
  },
});
