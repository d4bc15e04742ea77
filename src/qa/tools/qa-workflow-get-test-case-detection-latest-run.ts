import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { latestRun } from '../runs/status.ts';
import { qaRoom } from './room.ts';
import { presentRun, runShape, workflowRuntimeId } from './run-shapes.ts';

export const qaWorkflowGetTestCaseDetectionLatestRun = defineTool({
  name: 'qa_workflow_get_test_case_detection_latest_run',
  title: 'Latest test case detection run',
  description:
    'Status and result of the latest test case detection run: queued, running, succeeded, failed or cancelled.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ workflowRuntimeId }),
  output: z.object(runShape),
  async run(args, context) {
    const room = await qaRoom(context);
    const run = await latestRun(room, 'qa.detection', args.workflowRuntimeId);
    return presentRun(run);
  },
});
