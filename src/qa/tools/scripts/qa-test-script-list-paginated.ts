import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { requireOwnedInProject, requireProject } from '../../owned-rows.ts';
import { scriptStates } from '../../scripts/model/script-states.ts';
import { mapPage, pageArguments, pageShape } from '../../store/result-page.ts';
import { projectId } from '../projects/project-shapes.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { listedTestScript, presentTestScript } from '../shared/test-shapes.ts';

export const qaTestScriptListPaginated = defineTool({
  name: 'qa_test_script_list_paginated',
  title: 'Filter test scripts',
  description:
    'Find or filter scripts by status (active, draft, failed), use case or test case, sorted by date, newest or oldest first.',
  effect: 'read',
  scope: 'qa:read',
  longReply: { detail: true },
  input: z.object({
    projectId,
    ...pageArguments,
    status: z.enum(scriptStates).optional().describe('Only scripts with this status'),
    useCaseId: z.string().optional().describe('Only scripts of this use case'),
    testCaseId: z.string().optional().describe('Only scripts of this test case'),
    sortOrder: z.enum(['asc', 'desc']).default('asc').describe('Order by creation time'),
  }),
  output: z.object(pageShape(listedTestScript)),
  async run({ projectId: id, page, pageSize, sortOrder, ...filter }, context) {
    const qa = await openQaContext(context);
    await requireProject(qa, id);
    const { useCaseId, testCaseId } = filter;
    if (useCaseId !== undefined) await requireOwnedInProject(qa, id, qa.store.useCases, 'useCaseId', useCaseId);
    if (testCaseId !== undefined) await requireOwnedInProject(qa, id, qa.store.testCases, 'testCaseId', testCaseId);
    const newestFirst = sortOrder === 'desc';
    const found = await qa.store.testScripts.page({ projectId: id, ...filter }, { page, pageSize }, { newestFirst });
    return mapPage(found, presentTestScript);
  },
});
