import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { findLatestRun } from '../../runs/run-status.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { presentRun, runShape, workflowRuntimeId } from '../shared/run-shapes.ts';

export const qaWorkflowGetTestScriptGenerationLatestRun = defineTool({
  name: 'qa_workflow_get_test_script_generation_latest_run',
  title: 'Status of test script generation',
  description:
    'Status and progress of the generation of Playwright scripts: ready, done, finished or still running, which were created (written), and why some were rejected, failed or could not be generated.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ workflowRuntimeId }),
  output: z.object(runShape),
  async run(args, context) {
    const qa = await openQaContext(context);
    const run = await findLatestRun(qa, 'qa.generation', args.workflowRuntimeId);
    return presentRun(run);
  },
});
