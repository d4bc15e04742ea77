import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { latestRun } from '../runs/status.ts';
import { attachFailure, replayStepShape, stepsOf } from './replay-steps.ts';
import { qaRoom } from './room.ts';
import { presentRun, runShape, workflowRuntimeId } from './run-shapes.ts';

export const qaWorkflowGetTestScriptReplayLatestRun = defineTool({
  name: 'qa_workflow_get_test_script_replay_latest_run',
  title: 'Latest replay run',
  description:
    'Status and verdict of the latest replay of a script, step by step, with screenshots; failures are classified.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ workflowRuntimeId }),
  output: z.object({ ...runShape, steps: z.array(replayStepShape) }),
  async run(args, context) {
    const room = await qaRoom(context);
    const run = await latestRun(room, 'qa.replay', args.workflowRuntimeId);
    const steps = await stepsOf(room, run.id);
    attachFailure(context, steps);
    return { ...presentRun(run), steps };
  },
});
