import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { startDetection } from '../../cases/write/start-detection.ts';
import { waitForLatestRun } from '../../runs/run-status.ts';
import { projectId } from '../projects/project-shapes.ts';
import { checkProjectUrl, siteUrl, workflowParams } from '../shared/compatibility-arguments.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { presentRun } from '../shared/run-shapes.ts';

export const qaWorkflowStartTestCaseDetection = defineTool({
  name: 'qa_workflow_start_test_case_detection',
  title: 'Derive test cases from use cases',
  description:
    'Start test case detection: derive, detect, create, make, generate, propose, think of or come up with test cases and scenarios for approved use cases. Covers happy path, positive and negative tests, edge cases, boundary values; adds no duplicates.',
  effect: 'write',
  idempotent: true,
  scope: 'qa:write',
  input: z.object({
    projectId,
    useCaseId: z.string().min(1).max(100).optional().describe('Use case id; default: all approved ones'),
    name: z.string().max(255).optional().describe('Name of the workflow'),
    description: z.string().max(10_000).optional().describe('Has no effect'),
    url: siteUrl,
    workflowParams,
  }),
  output: z.object({ workflowRuntimeId: z.string(), workflowRunId: z.string() }),
  async run(args, context) {
    const qa = await openQaContext(context);
    await checkProjectUrl(qa, args);
    return startDetection(qa, args);
  },
  async follow({ workflowRuntimeId }, context) {
    return presentRun(await waitForLatestRun(await openQaContext(context), 'qa.detection', workflowRuntimeId, context));
  },
});
