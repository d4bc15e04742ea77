import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { createProject } from '../projects/projects.ts';
import { presentProject, projectArguments, projectShape } from './project-shapes.ts';
import { qaRoom } from './room.ts';

const { projectName, description, url, testRequirements } = projectArguments;

export const qaProjectCreate = defineTool({
  name: 'qa_project_create',
  title: 'Create a QA project',
  description: 'Create a QA project: the home of requirements, secrets, use cases, tests and reports for one web site.',
  effect: 'write',
  scope: 'qa:write',
  input: z.object({
    projectName,
    description: description.optional(),
    url: url.optional(),
    testRequirements: testRequirements.optional(),
  }),
  output: z.object(projectShape),
  async run(args, context) {
    return presentProject(await createProject(await qaRoom(context), args));
  },
});
