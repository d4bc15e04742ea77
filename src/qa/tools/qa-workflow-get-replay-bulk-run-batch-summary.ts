import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { passedByOracleShape } from '../artifacts/passed-by-oracle.ts';
import { describeBatch } from '../bulk/describe.ts';
import { runStatuses } from '../runs/kinds.ts';
import { qaRoom } from './room.ts';

const count = z.number();

export const qaWorkflowGetReplayBulkRunBatchSummary = defineTool({
  name: 'qa_workflow_get_replay_bulk_run_batch_summary',
  title: 'Summary of a replay batch',
  description:
    'Live counts of a bulk replay batch (passed, failed, inconclusive, cancelled, running, pending: they add up) and what failed, with its class.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ runBatchId: z.string().min(1).max(100).describe('From the start of the bulk') }),
  output: z.object({
    runBatchId: z.string(),
    projectId: z.string(),
    name: z.string().optional(),
    status: z.enum(runStatuses),
    totalScripts: count,
    passed: count,
    failed: count,
    inconclusive: count.describe('No verdict: the site or the browser was away'),
    cancelled: count,
    running: count,
    pending: count,
    flaky: count.describe('Of those that passed'),
    healed: count.optional().describe('Of those that passed, once it is over: they found something in another way'),
    passRate: count.describe('Of passed and failed; 0 without any'),
    passedByOracle: passedByOracleShape.optional(),
    ...{ successCount: count, canceledCount: count, runningCount: count, pendingCount: count },
    failedCount: count.describe('With the inconclusive'),
    failures: z.array(
      z.object({
        testScriptId: z.string(),
        workflowRunId: z.string().optional(),
        name: z.string(),
        verdict: z.string(),
        failureClass: z.string().optional(),
        error: z.string().optional(),
      }),
    ),
    failuresLeftOut: count,
  }),
  async run({ runBatchId }, context) {
    return describeBatch(await qaRoom(context), runBatchId);
  },
});
