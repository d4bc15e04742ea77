import * as z from 'zod';
import { untrusted } from '../../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../../tool/tool.ts';
import { describeUseCase } from '../../use-cases/use-cases.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { commentShape, presentUseCase, useCaseShape } from './use-case-shapes.ts';

export const qaUseCaseGet = defineTool({
  name: 'qa_use_case_get',
  title: 'Details of one use case',
  description:
    'View or open one use case, e.g. checkout: details, info, description, evidence, requirements it covers or fulfils, and the number of its tests.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ useCaseId: z.string().min(1).max(100).describe('Id of the use case, from qa_use_case_list') }),
  output: z.object({
    ...useCaseShape,
    comments: z.array(commentShape),
    requirements: z.array(
      z.object({
        id: z.string(),
        ref: untrusted(z.string(), { max: 200 }).optional(),
        text: untrusted(z.string(), { max: 2_000 }),
      }),
    ),
    counts: z.object({ testCases: z.number(), testScripts: z.number() }),
  }),
  async run({ useCaseId }, context) {
    const { useCase, comments, requirements, counts } = await describeUseCase(await openQaContext(context), useCaseId);
    return {
      ...presentUseCase(useCase),
      comments,
      requirements: requirements.map(({ id, ref, text }) => ({ id, ...(ref !== null && { ref }), text })),
      counts,
    };
  },
});
