import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { describeProject } from '../projects/projects.ts';
import { presentProject, projectId, projectShape } from './project-shapes.ts';
import { qaRoom } from './room.ts';

export const qaProjectGet = defineTool({
  name: 'qa_project_get',
  title: 'A QA project',
  description: 'Details of a QA project, and how many documents, secrets, use cases and tests it has.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ projectId }),
  output: z.object({ ...projectShape, counts: z.record(z.string(), z.number()) }),
  async run(args, context) {
    const { project, counts } = await describeProject(await qaRoom(context), args.projectId);
    return { ...presentProject(project), counts };
  },
});
