import * as z from 'zod';
import { defineTool } from '../../tool/tool.ts';
import { ownProject } from '../access.ts';
import { mapPage, pageArguments, pageOf } from '../store/page.ts';
import { projectId } from './project-shapes.ts';
import { qaRoom } from './room.ts';
import { presentTestCase, testCaseShape } from './test-shapes.ts';

export const qaTestCaseList = defineTool({
  name: 'qa_test_case_list',
  title: 'List test cases',
  description:
    'List all test cases of a project: which and how many test cases there are, every test case or scenario.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ projectId, ...pageArguments }),
  output: z.object(pageOf(z.object(testCaseShape))),
  async run({ projectId: id, ...request }, context) {
    const room = await qaRoom(context);
    await ownProject(room, id);
    return mapPage(await room.store.testCases.page({ projectId: id }, request), presentTestCase);
  },
});
