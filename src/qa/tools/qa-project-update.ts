import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { updateProject } from '../projects/projects.ts';
import { presentProject, projectArguments, projectId, projectShape } from './project-shapes.ts';
import { qaRoom } from './room.ts';

const { projectName, description, url, testRequirements } = projectArguments;

export const qaProjectUpdate = defineTool({
  name: 'qa_project_update',
  title: 'Change a QA project',
  description: 'Change the name, description, site or requirements of a QA project. What is left out stays; "" clears.',
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
    return presentProject(await updateProject(await qaRoom(context), id, changes));
  },
});
