import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { findLatestGeneration } from '../../scripts/start-generation.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { presentRuntime, runtimeShape } from '../shared/run-shapes.ts';
import { testCaseId } from '../shared/test-shapes.ts';

export const qaWorkflowGetLatestTestScriptGenerationRuntimeByTestCase = defineTool({
  name: 'qa_workflow_get_latest_test_script_generation_runtime_by_test_case',
  title: 'Latest script generation of a test case',
  description: 'Find the last workflow, run or job that produced the script for one given test case.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ testCaseId }),
  output: z.object(runtimeShape),
  async run(args, context) {
    return presentRuntime(await findLatestGeneration(await openQaContext(context), args.testCaseId));
  },
});
