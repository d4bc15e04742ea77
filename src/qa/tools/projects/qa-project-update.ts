import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { updateProject } from '../../projects/projects.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { presentProject, projectArguments, projectId, projectShape } from './project-shapes.ts';

const { projectName, description, url, testRequirements } = projectArguments;

export const qaProjectUpdate = defineTool({
  name: 'qa_project_update',
  title: 'Change a QA project',
  description:
    'Change, edit, modify, update, rename or correct a QA project: name, description, URL of the site (address, domain) or test requirements. Fields that are left out stay; an empty text clears one.',
  effect: 'write',
  idempotent: true,
  scope: 'qa:write',
  input: z.object({
    projectId,
    projectName: projectName.optional(),
    description: description.optional(),
    url: url.optional(),
    testRequirements: testRequirements.optional(),
  }),
  output: z.object(projectShape),
  async run({ projectId: id, ...changes }, context) {
    return presentProject(await updateProject(await openQaContext(context), id, changes));
  },
});
