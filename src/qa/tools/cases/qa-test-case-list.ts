import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { requireProject } from '../../owned-rows.ts';
import { mapPage, pageArguments, pageShape } from '../../store/result-page.ts';
import { projectId } from '../projects/project-shapes.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { listedTestCase, presentTestCase } from '../shared/test-shapes.ts';

export const qaTestCaseList = defineTool({
  name: 'qa_test_case_list',
  title: 'List test cases',
  description:
    'List all test cases of a project: which and how many test cases there are, every test case or scenario.',
  effect: 'read',
  scope: 'qa:read',
  longReply: { detail: true },
  input: z.object({ projectId, ...pageArguments }),
  output: z.object(pageShape(listedTestCase)),
  async run({ projectId: id, ...request }, context) {
    const qa = await openQaContext(context);
    await requireProject(qa, id);
    return mapPage(await qa.store.testCases.page({ projectId: id }, request), presentTestCase);
  },
});
