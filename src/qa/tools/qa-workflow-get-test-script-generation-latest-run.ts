import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { latestRun } from '../runs/status.ts';
import { qaRoom } from './room.ts';
import { presentRun, runShape, workflowRuntimeId } from './run-shapes.ts';

export const qaWorkflowGetTestScriptGenerationLatestRun = defineTool({
  name: 'qa_workflow_get_test_script_generation_latest_run',
  title: 'Latest script generation run',
  description:
    'Status and result of the latest script generation run: which scripts became active, and why others did not.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ workflowRuntimeId }),
  output: z.object(runShape),
  async run(args, context) {
    const room = await qaRoom(context);
    const run = await latestRun(room, 'qa.generation', args.workflowRuntimeId);
    return presentRun(run);
  },
});
