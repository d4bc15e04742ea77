import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { cancelRun } from '../runs/cancel.ts';
import { qaRoom } from './room.ts';
import { presentRun, runShape } from './run-shapes.ts';

export const qaWorkflowCancelRun = defineTool({
  name: 'qa_workflow_cancel_run',
  title: 'Cancel a workflow run',
  description:
    'Cancel one run of a workflow (scan, detection, generation, replay, report). One that has ended stays as it is.',
  effect: 'write',
  idempotent: true,
  scope: 'qa:write',
  input: z.object({ workflowRunId: z.string().min(1).max(100).describe('From the latest run of a workflow') }),
  output: z.object(runShape),
  async run({ workflowRunId }, context) {
    return presentRun(await cancelRun(await qaRoom(context), workflowRunId, context.signal));
  },
});
