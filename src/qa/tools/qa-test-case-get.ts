import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { ownItem } from '../access.ts';
import { qaRoom } from './room.ts';
import { presentWholeTestCase, testCaseId, wholeTestCaseShape } from './test-shapes.ts';

export const qaTestCaseGet = defineTool({
  name: 'qa_test_case_get',
  title: 'A test case',
  description: 'A test case with its steps, data, expected outcome and the oracle that it rests on.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ testCaseId }),
  output: z.object(wholeTestCaseShape),
  async run(args, context) {
    const room = await qaRoom(context);
    const testCase = await ownItem(room, room.store.testCases, 'testCaseId', args.testCaseId);
    return presentWholeTestCase(testCase, await room.store.testScripts.newest({ testCaseId: testCase.id }));
  },
});
