import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { findLatestRun, findWorkflowRun } from '../../runs/run-status.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { attachFailureScreenshot, listReplaySteps, replayStepShape } from '../shared/replay-steps.ts';
import { presentRun, runShape, workflowRuntimeId } from '../shared/run-shapes.ts';

export const qaWorkflowGetTestScriptReplayLatestRun = defineTool({
  name: 'qa_workflow_get_test_script_replay_latest_run',
  title: 'Result of one test run: why a test failed',
  description:
    'Explain why a test (e.g. checkout) failed, is red or what went wrong: outcome or result of the last replay of the script, step at which it broke, error, browser screenshots, class of the failure. Pass workflowRunId for one run of a batch.',
  effect: 'read',
  scope: 'qa:read',
  longReply: { offset: true, detail: true },
  input: z.object({
    workflowRuntimeId,
    workflowRunId: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('Id of one run of the workflow, e.g. from the failures of a batch summary; default: the latest'),
  }),
  output: z.object({ ...runShape, steps: z.array(replayStepShape) }),
  async run({ workflowRuntimeId, workflowRunId }, context) {
    const qa = await openQaContext(context);
    const run = await (workflowRunId === undefined
      ? findLatestRun(qa, 'qa.replay', workflowRuntimeId)
      : findWorkflowRun(qa, 'qa.replay', { workflowRuntimeId, workflowRunId }));
    const steps = await listReplaySteps(qa, run.id);
    attachFailureScreenshot(context, steps);
    return { ...presentRun(run), steps };
  },
});
