import * as z from 'zod';
import { defineTool } from '../../tool/tool.ts';
import { ownItem } from '../access.ts';
import { mapPage, pageArguments, pageOf } from '../store/page.ts';
import { qaRoom } from './room.ts';
import { presentTestCase, testCaseShape } from './test-shapes.ts';

export const qaTestCaseListByUseCase = defineTool({
  name: 'qa_test_case_list_by_use_case',
  title: 'Test cases of one use case',
  description: 'List only the scenarios (tests) that belong to a given use case.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({
    useCaseId: z.string().min(1).max(100).describe('Id of the use case, from qa_use_case_list'),
    ...pageArguments,
  }),
  output: z.object(pageOf(z.object(testCaseShape))),
  async run({ useCaseId, ...request }, context) {
    const room = await qaRoom(context);
    await ownItem(room, room.store.useCases, 'useCaseId', useCaseId);
    return mapPage(await room.store.testCases.page({ useCaseId }, request), presentTestCase);
  },
});
