import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { pageArguments, pageOf } from '../store/page.ts';
import { candidateStatuses, discoveryMemory } from '../use-cases/memory.ts';
import { projectId } from './project-shapes.ts';
import { qaRoom } from './room.ts';
import { candidateShape, presentCandidate } from './use-case-shapes.ts';

const { data: _data, ...pageShape } = pageOf(z.unknown());

export const qaUseCaseDiscoveryMemoryGet = defineTool({
  name: 'qa_use_case_discovery_memory_get',
  title: 'Discovered use case candidates',
  description:
    'Use case candidates that scans discovered, best first, with evidence (pages, screenshots, notes), and the gaps: requirements without a page.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({
    projectId,
    statuses: z.array(z.enum(candidateStatuses)).min(1).optional().describe('Only these'),
    page: pageArguments.page,
    pageSize: pageArguments.pageSize.default(100),
  }),
  output: z.object({
    projectId: z.string(),
    useCaseCandidates: z.array(z.object(candidateShape)),
    gaps: z.array(
      z.object({
        requirementId: z.string().optional(),
        ref: z.string().optional(),
        requirement: z.string(),
        reason: z.string(),
      }),
    ),
    requirements: z.object({ total: z.number(), gaps: z.number() }),
    ...pageShape,
  }),
  async run({ projectId: id, statuses, ...request }, context) {
    const { candidates, gaps, requirements } = await discoveryMemory(await qaRoom(context), id, statuses, request);
    const { data, ...page } = candidates;
    return {
      projectId: id,
      useCaseCandidates: data.map(presentCandidate),
      gaps: gaps.map(({ requirementId, ref, text, reason }) => ({
        ...(requirementId !== null && { requirementId }),
        ...(ref !== null && { ref }),
        requirement: text,
        reason,
      })),
      requirements,
      ...page,
    };
  },
});
