import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { createProject } from '../../projects/projects.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { presentProject, projectArguments, projectShape } from './project-shapes.ts';

const { projectName, description, url, testRequirements } = projectArguments;

export const qaProjectCreate = defineTool({
  name: 'qa_project_create',
  title: 'Create a QA project',
  description:
    'Create, add, register or set up a new QA project for testing a website, web app, shop or portal. It holds documents, secrets, tests and reports.',
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
    return presentProject(await createProject(await openQaContext(context), args));
  },
});
