import * as z from 'zod';
import { untrusted } from '../../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../../tool/tool.ts';
import { approveCandidates } from '../../use-cases/decide-candidates.ts';
import { projectId } from '../projects/project-shapes.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { undecidedShape } from './use-case-shapes.ts';

export const qaUseCaseCandidatesApprove = defineTool({
  name: 'qa_use_case_candidates_approve',
  title: 'Approve use case candidates',
  description:
    'Approve, accept, confirm, take over or graduate suggested (proposed, discovered) use cases, user journeys or flows, all or some that are fine, to go ahead with testing them.',
  effect: 'write',
  idempotent: true,
  scope: 'qa:write',
  input: z.object({
    projectId,
    approvedCandidateIds: z
      .array(z.string().min(1).max(100))
      .min(1)
      .max(1000)
      .describe('Ids of the candidates, from qa_use_case_discovery_memory_get'),
  }),
  output: z.object({
    projectId: z.string(),
    approved: z.array(
      z.object({
        candidateId: z.string(),
        useCaseId: z.string(),
        title: untrusted(z.string(), { max: 300 }),
        alreadyApproved: z.boolean(),
      }),
    ),
    failed: undecidedShape,
  }),
  async run({ projectId: id, approvedCandidateIds }, context) {
    const { done, undecided } = await approveCandidates(await openQaContext(context), id, approvedCandidateIds);
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
