import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { listProjects } from '../../projects/projects.ts';
import { mapPage, pageArguments, pageShape } from '../../store/result-page.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { presentProject, projectShape } from './project-shapes.ts';

export const qaProjectList = defineTool({
  name: 'qa_project_list',
  title: 'List QA projects',
  description:
    'List all QA projects there are already: which applications we are testing; find a project and its id by name.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object(pageArguments),
  output: z.object(pageShape(z.object(projectShape))),
  async run(args, context) {
    return mapPage(await listProjects(await openQaContext(context), args), presentProject);
  },
});
