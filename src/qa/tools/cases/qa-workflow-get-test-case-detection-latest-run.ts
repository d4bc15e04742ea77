import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { findLatestRun } from '../../runs/run-status.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { presentRun, runShape, workflowRuntimeId } from '../shared/run-shapes.ts';

export const qaWorkflowGetTestCaseDetectionLatestRun = defineTool({
  name: 'qa_workflow_get_test_case_detection_latest_run',
  title: 'Status of test case detection',
  description:
    'Status and progress of test case detection: are the test cases derived (generated), ready, done, complete or finished, still running, succeeded or failed; how many.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ workflowRuntimeId }),
  output: z.object(runShape),
  async run(args, context) {
    const qa = await openQaContext(context);
    const run = await findLatestRun(qa, 'qa.detection', args.workflowRuntimeId);
    return presentRun(run);
  },
});
