import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { describeUseCase } from '../use-cases/use-cases.ts';
import { qaRoom } from './room.ts';
import { commentShape, presentUseCase, useCaseShape } from './use-case-shapes.ts';

export const qaUseCaseGet = defineTool({
  name: 'qa_use_case_get',
  title: 'A use case',
  description: 'Details of an approved use case: evidence, the requirements that it answers, how many tests there are.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ useCaseId: z.string().min(1).max(100).describe('Use case') }),
  output: z.object({
    ...useCaseShape,
    comments: z.array(commentShape),
    requirements: z.array(z.object({ id: z.string(), ref: z.string().optional(), text: z.string() })),
    counts: z.object({ testCases: z.number(), testScripts: z.number() }),
  }),
  async run({ useCaseId }, context) {
    const { useCase, comments, requirements, counts } = await describeUseCase(await qaRoom(context), useCaseId);
    return {
      ...presentUseCase(useCase),
      comments,
      requirements: requirements.map(({ id, ref, text }) => ({ id, ...(ref !== null && { ref }), text })),
      counts,
    };
  },
});
