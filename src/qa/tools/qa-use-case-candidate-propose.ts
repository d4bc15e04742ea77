import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { commentsOn } from '../use-cases/memory.ts';
import { priorities, proposeCandidate } from '../use-cases/propose.ts';
import { projectId } from './project-shapes.ts';
import { qaRoom } from './room.ts';
import { candidateShape, presentCandidate } from './use-case-shapes.ts';

export const qaUseCaseCandidatePropose = defineTool({
  name: 'qa_use_case_candidate_propose',
  title: 'Propose a use case',
  description: 'Propose a use case candidate that no scan has found, to be approved like the discovered ones.',
  effect: 'write',
  idempotent: true,
  scope: 'qa:write',
  input: z.object({
    projectId,
    title: z.string().min(1).max(255).describe('Like "Reset the password"'),
    description: z.string().min(1).max(10_000).describe('Who does what, to what end'),
    pageUrl: z.string().max(2000).optional().describe('Where it begins; default: the site'),
    notes: z.string().max(10_000).optional().describe('What you saw'),
    userStory: z.string().max(2000).optional().describe('In one line'),
    priority: z.enum(priorities).optional().describe('Default MEDIUM'),
    useCaseClass: z
      .string()
      .regex(/^[a-z][a-z-]{1,40}$/)
      .optional()
      .describe('Like login or search'),
    acceptanceCriteria: z.array(z.string().min(1).max(2000)).max(50).optional().describe('When it is right'),
  }),
  output: z.object(candidateShape),
  async run({ projectId: id, ...proposal }, context) {
    const room = await qaRoom(context);
    const candidate = await proposeCandidate(room, id, proposal);
    const comments = await commentsOn(room, [candidate.id]);
    return presentCandidate({ candidate, comments: comments.get(candidate.id) ?? [] });
  },
});
