import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { batchIdOf } from '../../bulk/replay-batch.ts';
import { findLatestRun } from '../../runs/run-status.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { presentRun, runShape, workflowRuntimeId } from '../shared/run-shapes.ts';

export const qaWorkflowGetTestScriptReplayBulkLatestRun = defineTool({
  name: 'qa_workflow_get_test_script_replay_bulk_latest_run',
  title: 'Status of a regression run (bulk replay)',
  description:
    'Status and progress of a bulk replay (suite): how far it is, still running or going, ready, done, finished or failed; gives the runBatchId.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ workflowRuntimeId }),
  output: z.object(runShape),
  async run(args, context) {
    const qa = await openQaContext(context);
    const run = await findLatestRun(qa, 'qa.bulk', args.workflowRuntimeId);
    return { ...presentRun(run), runBatchId: batchIdOf(run) };
  },
});
