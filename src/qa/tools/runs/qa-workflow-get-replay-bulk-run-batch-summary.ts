import * as z from 'zod';
import { untrusted } from '../../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../../tool/tool.ts';
import { passedByOracleShape } from '../../artifacts/passed-by-oracle.ts';
import { summariseBatch } from '../../bulk/batch-summary.ts';
import { runStatuses } from '../../runs/run-kinds.ts';
import { openQaContext } from '../shared/open-qa-context.ts';

const count = z.number();

export const qaWorkflowGetReplayBulkRunBatchSummary = defineTool({
  name: 'qa_workflow_get_replay_bulk_run_batch_summary',
  title: 'Results of a regression run: passed and failed tests',
  description:
    'Results of a batch or regression run of the suite, how it went, e.g. last night: how many tests passed, which failed (pass/fail numbers, failures), were flaky or are pending, and the list of failed tests with error and class.',
  effect: 'read',
  scope: 'qa:read',
  longReply: { offset: true, lists: { failures: { leftOut: 'failuresLeftOut' } } },
  input: z.object({
    runBatchId: z.string().min(1).max(100).describe('Batch id returned by qa_workflow_start_test_script_replay_bulk'),
  }),
  output: z.object({
    runBatchId: z.string(),
    projectId: z.string(),
    name: untrusted(z.string(), { max: 300 }).optional(),
    status: z.enum(runStatuses),
    totalScripts: count,
    passed: count,
    failed: count,
    inconclusive: count.describe(
      'Number of scripts without a verdict, because the site or the browser was unavailable',
    ),
    cancelled: count,
    running: count,
    pending: count,
    flaky: count.describe('Number of passed tests that needed a second attempt'),
    healed: count
      .optional()
      .describe('Number of passed scripts that found an element by a fallback locator; absent while the batch runs'),
    passRate: count.describe('Passed tests in percent of the passed and failed tests; 0 if there are none'),
    passedByOracle: passedByOracleShape.optional(),
    ...{ successCount: count, canceledCount: count, runningCount: count, pendingCount: count },
    failedCount: count.describe('Number of scripts that failed or were inconclusive'),
    failures: z.array(
      z.object({
        testScriptId: z.string(),
        workflowRunId: z.string().optional(),
        name: untrusted(z.string(), { max: 300 }),
        verdict: z.string(),
        failureClass: z.string().optional(),
        error: untrusted(z.string(), { max: 2_000 }).optional(),
      }),
    ),
    failuresLeftOut: count,
  }),
  async run({ runBatchId }, context) {
    return summariseBatch(await openQaContext(context), runBatchId);
  },
});
