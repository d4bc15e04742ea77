import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { ownItemOf, ownProject } from '../access.ts';
import { scriptStates } from '../scripts/keep.ts';
import { mapPage, pageArguments, pageOf } from '../store/page.ts';
import { projectId } from './project-shapes.ts';
import { qaRoom } from './room.ts';
import { presentTestScript, testScriptShape } from './test-shapes.ts';

export const qaTestScriptListPaginated = defineTool({
  name: 'qa_test_script_list_paginated',
  title: 'List test scripts, filtered and sorted',
  description: 'The test scripts of a project, filtered by status, use case or test case, oldest or newest first.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({
    projectId,
    ...pageArguments,
    status: z.enum(scriptStates).optional().describe('Only these'),
    useCaseId: z.string().optional().describe('Only of this'),
    testCaseId: z.string().optional().describe('Only of this'),
    sortOrder: z.enum(['asc', 'desc']).default('asc').describe('By creation'),
  }),
  output: z.object(pageOf(z.object(testScriptShape))),
  async run({ projectId: id, page, pageSize, sortOrder, ...filter }, context) {
    const room = await qaRoom(context);
    await ownProject(room, id);
    const { useCaseId, testCaseId } = filter;
    if (useCaseId !== undefined) await ownItemOf(room, id, room.store.useCases, 'useCaseId', useCaseId);
    if (testCaseId !== undefined) await ownItemOf(room, id, room.store.testCases, 'testCaseId', testCaseId);
    const newestFirst = sortOrder === 'desc';
    const found = await room.store.testScripts.page({ projectId: id, ...filter }, { page, pageSize }, { newestFirst });
    return mapPage(found, presentTestScript);
  },
});
