import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { waitForLatestRun } from '../../runs/run-status.ts';
import { startGeneration } from '../../scripts/start-generation.ts';
import { projectId } from '../projects/project-shapes.ts';
import {
  caseText,
  checkCaseTexts,
  checkProjectUrl,
  siteUrl,
  workflowParams,
} from '../shared/compatibility-arguments.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { presentRun } from '../shared/run-shapes.ts';
import { baseUrl, testCaseId } from '../shared/test-shapes.ts';

export const qaWorkflowStartTestScriptGeneration = defineTool({
  name: 'qa_workflow_start_test_script_generation',
  title: 'Generate automated browser tests',
  description:
    'Start test script generation: write, create, build, generate, produce or implement automated (executable) end-to-end (e2e) browser tests as Playwright scripts for new test cases or scenarios. Automates manual test cases by performing them live; forms are really submitted.',
  effect: 'write',
  openWorld: true,
  scope: 'qa:write',
  input: z.object({
    projectId,
    testCaseId: testCaseId.optional(),
    useCaseId: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('Only test cases of this use case; default: all cases without a script'),
    name: z.string().max(255).optional().describe('Name of the workflow'),
    baseUrl: baseUrl.optional(),
    url: siteUrl,
    goal: caseText,
    precondition: caseText,
    instructions: caseText,
    expectedResult: caseText,
    workflowParams,
  }),
  output: z.object({ workflowRuntimeId: z.string(), workflowRunId: z.string() }),
  async run(args, context) {
    const qa = await openQaContext(context);
    await checkProjectUrl(qa, args);
    await checkCaseTexts(qa, args);
    return startGeneration(qa, args);
  },
  async follow({ workflowRuntimeId }, context) {
    return presentRun(
      await waitForLatestRun(await openQaContext(context), 'qa.generation', workflowRuntimeId, context),
    );
  },
});
