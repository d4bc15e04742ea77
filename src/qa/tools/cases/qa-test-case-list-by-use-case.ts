import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { requireOwned } from '../../owned-rows.ts';
import { mapPage, pageArguments, pageShape } from '../../store/result-page.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { listedTestCase, presentTestCase } from '../shared/test-shapes.ts';

export const qaTestCaseListByUseCase = defineTool({
  name: 'qa_test_case_list_by_use_case',
  title: 'Test cases of one use case',
  description: 'List only the scenarios (tests) that belong to a given use case.',
  effect: 'read',
  scope: 'qa:read',
  longReply: { detail: true },
  input: z.object({
    useCaseId: z.string().min(1).max(100).describe('Id of the use case, from qa_use_case_list'),
    ...pageArguments,
  }),
  output: z.object(pageShape(listedTestCase)),
  async run({ useCaseId, ...request }, context) {
    const qa = await openQaContext(context);
    await requireOwned(qa, qa.store.useCases, 'useCaseId', useCaseId);
    return mapPage(await qa.store.testCases.page({ useCaseId }, request), presentTestCase);
  },
});
