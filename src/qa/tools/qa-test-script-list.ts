import * as z from 'zod';
import { defineTool } from '../../tool/tool.ts';
import { ownProject } from '../access.ts';
import { mapPage, pageArguments, pageOf } from '../store/page.ts';
import { projectId } from './project-shapes.ts';
import { qaRoom } from './room.ts';
import { presentTestScript, testScriptShape } from './test-shapes.ts';

export const qaTestScriptList = defineTool({
  name: 'qa_test_script_list',
  title: 'List test scripts',
  description:
    'List all existing test scripts of a project: overview of the automated Playwright (e2e) tests that we have, with last verdict.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ projectId, ...pageArguments }),
  output: z.object(pageOf(z.object(testScriptShape))),
  async run({ projectId: id, ...request }, context) {
    const room = await qaRoom(context);
    await ownProject(room, id);
    return mapPage(await room.store.testScripts.page({ projectId: id }, request), presentTestScript);
  },
});
