import * as z from 'zod';
import { defineTool } from '../../tool/tool.ts';
import { listProjects } from '../projects/projects.ts';
import { mapPage, pageArguments, pageOf } from '../store/page.ts';
import { presentProject, projectShape } from './project-shapes.ts';
import { qaRoom } from './room.ts';

export const qaProjectList = defineTool({
  name: 'qa_project_list',
  title: 'List QA projects',
  description:
    'List all QA projects there are already: which applications we are testing; find a project and its id by name.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object(pageArguments),
  output: z.object(pageOf(z.object(projectShape))),
  async run(args, context) {
    return mapPage(await listProjects(await qaRoom(context), args), presentProject);
  },
});
