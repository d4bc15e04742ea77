import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { startBulk } from '../bulk/start.ts';
import { followRun } from '../runs/status.ts';
import { workflowParams } from './later-fields.ts';
import { projectId } from './project-shapes.ts';
import { qaRoom } from './room.ts';
import { presentRun } from './run-shapes.ts';
import { baseUrl } from './test-shapes.ts';

const ids = z.array(z.string()).min(1).max(5000);

export const qaWorkflowStartTestScriptReplayBulk = defineTool({
  name: 'qa_workflow_start_test_script_replay_bulk',
  title: 'Replay many test scripts',
  description:
    'Run many test scripts in parallel, each isolated: a regression run. Default: all active. Follow it by qa_workflow_get_replay_bulk_run_batch_summary.',
  effect: 'write',
  openWorld: true,
  scope: 'qa:write',
  input: z.object({
    projectId,
    testScriptIds: ids.optional().describe('Only these'),
    name: z.string().max(255).optional().describe('Of the batch'),
    testCaseIds: ids.optional().describe('Of these cases'),
    useCaseId: z.string().optional().describe('Of this use case'),
    namePrefix: z.string().optional().describe('Name begins so'),
    limit: z.number().int().min(1).max(5000).optional().describe('At most so many'),
    repeatPerTestCase: z.number().int().min(1).max(100).default(1).describe('Times each'),
    intervalSec: z.number().int().min(-1).max(31_536_000).default(-1).describe('Every so many seconds; -1: once'),
    workers: z.number().int().min(1).max(16).optional().describe('At a time'),
    baseUrl: baseUrl.optional(),
    workflowParams,
  }),
  output: z.object({ workflowRuntimeId: z.string(), workflowRunId: z.string(), runBatchId: z.string() }),
  async run(args, context) {
    return startBulk(await qaRoom(context), args);
  },
  async follow({ workflowRuntimeId }, context) {
    return presentRun(await followRun(await qaRoom(context), 'qa.bulk', workflowRuntimeId, context));
  },
});
