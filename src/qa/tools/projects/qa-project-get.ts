import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { describeProject } from '../../projects/projects.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { presentProject, projectId, projectShape } from './project-shapes.ts';

export const qaProjectGet = defineTool({
  name: 'qa_project_get',
  title: 'Details of a QA project',
  description:
    'View or open one QA project: details, info, settings and configuration such as name, description, URL and test requirements, and how many documents, secrets, use cases and tests the project contains.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ projectId }),
  output: z.object({ ...projectShape, counts: z.record(z.string(), z.number()) }),
  async run(args, context) {
    const { project, counts } = await describeProject(await openQaContext(context), args.projectId);
    return { ...presentProject(project), counts };
  },
});
