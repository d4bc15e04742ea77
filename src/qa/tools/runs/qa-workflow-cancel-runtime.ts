import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { cancelRuntime } from '../../runs/cancel-run.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { presentRun, runShape, workflowRuntimeId } from '../shared/run-shapes.ts';

export const qaWorkflowCancelRuntime = defineTool({
  name: 'qa_workflow_cancel_runtime',
  title: 'Stop a recurring workflow for good',
  description:
    'Cancel, stop, end, disable or turn off a whole workflow permanently, with all queued and future runs: a recurring, repeating, periodic or scheduled one, e.g. hourly or nightly regression.',
  effect: 'write',
  idempotent: true,
  scope: 'qa:write',
  input: z.object({ workflowRuntimeId }),
  output: z.object({
    workflowRuntimeId: z.string(),
    status: z.literal('cancelled'),
    cancelledRuns: z.array(z.object(runShape)),
  }),
  async run(args, context) {
    const runs = await cancelRuntime(await openQaContext(context), args.workflowRuntimeId, context.signal);
    return {
      workflowRuntimeId: args.workflowRuntimeId,
      status: 'cancelled' as const,
      cancelledRuns: runs.map(presentRun),
    };
  },
});
