import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { latestRun, oneRun } from '../runs/status.ts';
import { attachFailure, replayStepShape, stepsOf } from './replay-steps.ts';
import { qaRoom } from './room.ts';
import { presentRun, runShape, workflowRuntimeId } from './run-shapes.ts';

export const qaWorkflowGetTestScriptReplayLatestRun = defineTool({
  name: 'qa_workflow_get_test_script_replay_latest_run',
  title: 'Latest replay run',
  description:
    'Status and verdict of the latest replay of a script, step by step, with screenshots; failures are classified. With workflowRunId: of that run, which may be a part of a bulk.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({
    workflowRuntimeId,
    workflowRunId: z.string().min(1).max(100).optional().describe('As the summary of a batch names what failed'),
  }),
  output: z.object({ ...runShape, steps: z.array(replayStepShape) }),
  async run({ workflowRuntimeId, workflowRunId }, context) {
    const room = await qaRoom(context);
    const run = await (workflowRunId === undefined
      ? latestRun(room, 'qa.replay', workflowRuntimeId)
      : oneRun(room, 'qa.replay', { workflowRuntimeId, workflowRunId }));
    const steps = await stepsOf(room, run.id);
    attachFailure(context, steps);
    return { ...presentRun(run), steps };
  },
});
