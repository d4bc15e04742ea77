import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { listComments } from '../../use-cases/discovery-memory.ts';
import { candidatePriorities, proposeCandidate } from '../../use-cases/propose-candidate.ts';
import { projectId } from '../projects/project-shapes.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { candidateShape, presentCandidate } from './use-case-shapes.ts';

export const qaUseCaseCandidatePropose = defineTool({
  name: 'qa_use_case_candidate_propose',
  title: 'Propose a missing use case',
  description:
    'Propose, suggest, add, include or write down another (additional, new) use case, user story, journey or flow that was missed, overlooked or not found, e.g. customers can also cancel an order. It must then be approved.',
  effect: 'write',
  idempotent: true,
  scope: 'qa:write',
  input: z.object({
    projectId,
    title: z.string().min(1).max(255).describe('Short title, e.g. "Reset the password"'),
    description: z.string().min(1).max(10_000).describe('Actor, action and purpose'),
    pageUrl: z.string().max(2000).optional().describe('Start page; default: the address of the project'),
    notes: z.string().max(10_000).optional().describe('Observations that support the candidate'),
    userStory: z.string().max(2000).optional().describe('User story in one line, e.g. "As a guest I want to …"'),
    priority: z.enum(candidatePriorities).optional().describe('Priority; default MEDIUM'),
    useCaseClass: z
      .string()
      .regex(/^[a-z][a-z-]{1,40}$/)
      .optional()
      .describe('Kind of use case, e.g. login or search; default custom'),
    acceptanceCriteria: z
      .array(z.string().min(1).max(2000))
      .max(50)
      .optional()
      .describe('Acceptance criteria, one per item'),
  }),
  output: z.object(candidateShape),
  async run({ projectId: id, ...proposal }, context) {
    const qa = await openQaContext(context);
    const candidate = await proposeCandidate(qa, id, proposal);
    const comments = await listComments(qa, [candidate.id]);
    return presentCandidate({ candidate, comments: comments.get(candidate.id) ?? [] });
  },
});
