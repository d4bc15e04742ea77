import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { requireProject } from '../../owned-rows.ts';
import { mapPage, pageArguments, pageShape } from '../../store/result-page.ts';
import { projectId } from '../projects/project-shapes.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { listedTestScript, presentTestScript } from '../shared/test-shapes.ts';

export const qaTestScriptList = defineTool({
  name: 'qa_test_script_list',
  title: 'List test scripts',
  description:
    'List all existing test scripts of a project: overview of the automated Playwright (e2e) tests that we have, with last verdict.',
  effect: 'read',
  scope: 'qa:read',
  longReply: { detail: true },
  input: z.object({ projectId, ...pageArguments }),
  output: z.object(pageShape(listedTestScript)),
  async run({ projectId: id, ...request }, context) {
    const qa = await openQaContext(context);
    await requireProject(qa, id);
    return mapPage(await qa.store.testScripts.page({ projectId: id }, request), presentTestScript);
  },
});
