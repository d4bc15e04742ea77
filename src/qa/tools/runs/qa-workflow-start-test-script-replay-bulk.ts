import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { startBulk } from '../../bulk/start-bulk.ts';
import { waitForLatestRun } from '../../runs/run-status.ts';
import { projectId } from '../projects/project-shapes.ts';
import { workflowParams } from '../shared/compatibility-arguments.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { presentRun } from '../shared/run-shapes.ts';
import { baseUrl } from '../shared/test-shapes.ts';

const ids = z.array(z.string()).min(1).max(5000);

export const qaWorkflowStartTestScriptReplayBulk = defineTool({
  name: 'qa_workflow_start_test_script_replay_bulk',
  title: 'Run all tests: the regression suite',
  description:
    'Run all tests: start (execute, rerun, kick off) the whole regression suite, a full regression test or smoke tests. All e2e tests in parallel, on staging or localhost, once or repeated, e.g. nightly; next: qa_workflow_get_replay_bulk_run_batch_summary.',
  effect: 'write',
  openWorld: true,
  scope: 'qa:write',
  input: z.object({
    projectId,
    testScriptIds: ids.optional().describe('Script ids; default: all active'),
    name: z.string().max(255).optional().describe('Name of the batch'),
    testCaseIds: ids.optional().describe('Only scripts of these test cases'),
    useCaseId: z.string().optional().describe('Only scripts of this use case'),
    namePrefix: z.string().optional().describe('Only scripts with this name prefix'),
    limit: z.number().int().min(1).max(5000).optional().describe('Maximum number of scripts'),
    repeatPerTestCase: z.number().int().min(1).max(100).default(1).describe('Times to run each script'),
    intervalSec: z
      .number()
      .int()
      .min(-1)
      .max(31_536_000)
      .default(-1)
      .describe('Repeat interval in seconds; -1 runs once'),
    schedule: z.string().max(100).optional().describe('Repeat by cron: "CRON_TZ=Europe/Berlin 0 2 * * *"'),
    workers: z.number().int().min(1).max(16).optional().describe('Scripts run in parallel'),
    baseUrl: baseUrl.optional(),
    workflowParams,
  }),
  output: z.object({ workflowRuntimeId: z.string(), workflowRunId: z.string(), runBatchId: z.string() }),
  async run(args, context) {
    return startBulk(await openQaContext(context), args);
  },
  async follow({ workflowRuntimeId }, context) {
    return presentRun(await waitForLatestRun(await openQaContext(context), 'qa.bulk', workflowRuntimeId, context));
  },
});
