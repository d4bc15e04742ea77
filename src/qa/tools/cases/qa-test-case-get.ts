import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { requireOwned } from '../../owned-rows.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { presentWholeTestCase, testCaseId, wholeTestCaseShape } from '../shared/test-shapes.ts';

export const qaTestCaseGet = defineTool({
  name: 'qa_test_case_get',
  title: 'Details and steps of one test case',
  description:
    'View, read or open one single test case or scenario: details, info, steps, instructions, test data and expected result of the test case.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ testCaseId }),
  output: z.object(wholeTestCaseShape),
  async run(args, context) {
    const qa = await openQaContext(context);
    const testCase = await requireOwned(qa, qa.store.testCases, 'testCaseId', args.testCaseId);
    return presentWholeTestCase(testCase, await qa.store.testScripts.newest({ testCaseId: testCase.id }));
  },
});
