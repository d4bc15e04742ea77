import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { approveCandidates } from '../use-cases/decide.ts';
import { projectId } from './project-shapes.ts';
import { qaRoom } from './room.ts';
import { undecidedShape } from './use-case-shapes.ts';

export const qaUseCaseCandidatesApprove = defineTool({
  name: 'qa_use_case_candidates_approve',
  title: 'Approve use case candidates',
  description: 'Approve (graduate) discovered candidates into use cases, of which test cases are made.',
  effect: 'write',
  idempotent: true,
  scope: 'qa:write',
  input: z.object({
    projectId,
    approvedCandidateIds: z.array(z.string().min(1).max(100)).min(1).max(1000).describe('From the discovery memory'),
  }),
  output: z.object({
    projectId: z.string(),
    approved: z.array(
      z.object({
        candidateId: z.string(),
        useCaseId: z.string(),
        title: z.string(),
        alreadyApproved: z.boolean(),
      }),
    ),
    failed: undecidedShape,
  }),
  async run({ projectId: id, approvedCandidateIds }, context) {
    const { done, undecided } = await approveCandidates(await qaRoom(context), id, approvedCandidateIds);
    return {
      projectId: id,
      approved: done.map(({ candidate, useCase, already }) => ({
        candidateId: candidate.id,
        useCaseId: useCase.id,
        title: useCase.title,
        alreadyApproved: already,
      })),
      failed: undecided,
    };
  },
});
