import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { startReplay } from '../../replay/start-replay.ts';
import { waitForLatestRun } from '../../runs/run-status.ts';
import { projectId } from '../projects/project-shapes.ts';
import { workflowParams } from '../shared/compatibility-arguments.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { presentRun } from '../shared/run-shapes.ts';
import { baseUrl, testCaseId, testScriptId } from '../shared/test-shapes.ts';

export const qaWorkflowStartTestScriptReplay = defineTool({
  name: 'qa_workflow_start_test_script_replay',
  title: 'Run one single test again',
  description:
    'Run, rerun, start, replay, repeat, try or execute one single end-to-end test (test script) again, once more, e.g. the login or checkout test or a failed one, on localhost too. Takes screenshots; a failure is retried once to detect flaky tests.',
  effect: 'write',
  openWorld: true,
  scope: 'qa:write',
  input: z.object({
    projectId,
    testScriptId,
    name: z.string().max(255).optional().describe('Name of the workflow; default: name of the script'),
    baseUrl: baseUrl.optional(),
    useCaseId: z.string().min(1).max(100).optional().describe('Checked against the script, if given'),
    testCaseId: testCaseId.optional().describe('Checked against the script, if given'),
    workflowParams,
  }),
  output: z.object({ workflowRuntimeId: z.string(), workflowRunId: z.string() }),
  async run(args, context) {
    return startReplay(await openQaContext(context), args);
  },
  async follow({ workflowRuntimeId }, context) {
    return presentRun(await waitForLatestRun(await openQaContext(context), 'qa.replay', workflowRuntimeId, context));
  },
});
