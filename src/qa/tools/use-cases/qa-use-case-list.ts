import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { mapPage, pageArguments, pageShape } from '../../store/result-page.ts';
import { listUseCases } from '../../use-cases/use-cases.ts';
import { projectId } from '../projects/project-shapes.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { listedUseCase, presentUseCase } from './use-case-shapes.ts';

export const qaUseCaseList = defineTool({
  name: 'qa_use_case_list',
  title: 'List approved use cases',
  description: 'List the use cases of a project: overview of the user journeys that are approved or confirmed so far.',
  effect: 'read',
  scope: 'qa:read',
  longReply: { detail: true },
  input: z.object({ projectId, ...pageArguments }),
  output: z.object(pageShape(listedUseCase)),
  async run({ projectId: id, ...request }, context) {
    return mapPage(await listUseCases(await openQaContext(context), id, request), presentUseCase);
  },
});
