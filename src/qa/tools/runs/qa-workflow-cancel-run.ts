import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { cancelRun } from '../../runs/cancel-run.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { presentRun, runShape } from '../shared/run-shapes.ts';

export const qaWorkflowCancelRun = defineTool({
  name: 'qa_workflow_cancel_run',
  title: 'Stop the current run or test',
  description:
    'Cancel, stop, abort, interrupt, terminate or kill one current run that is in progress, hangs or is queued: regression, test run, scan, detection, generation, replay or report.',
  effect: 'write',
  idempotent: true,
  scope: 'qa:write',
  input: z.object({
    workflowRunId: z.string().min(1).max(100).describe('Id of the run, from a qa_workflow_get_…_latest_run tool'),
  }),
  output: z.object(runShape),
  async run({ workflowRunId }, context) {
    return presentRun(await cancelRun(await openQaContext(context), workflowRunId, context.signal));
  },
});
