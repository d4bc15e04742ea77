import * as z from 'zod';
import { untrusted } from '../../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../../tool/tool.ts';
import { pageArguments, pageShape } from '../../store/result-page.ts';
import { candidateStatuses, readDiscoveryMemory } from '../../use-cases/discovery-memory.ts';
import { projectId } from '../projects/project-shapes.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { listedCandidate, presentCandidate } from './use-case-shapes.ts';

const { data: _data, ...paginationShape } = pageShape(z.unknown());

export const qaUseCaseDiscoveryMemoryGet = defineTool({
  name: 'qa_use_case_discovery_memory_get',
  title: 'Discovered use cases to review',
  description:
    'See the use case candidates that the last website scan (exploration, crawler) discovered, found, learned or suggested: user journeys, flows and features, with evidence and screenshots. Also lists gaps: requirements missing or not implemented on the site.',
  effect: 'read',
  scope: 'qa:read',
  longReply: { offset: true, detail: true },
  input: z.object({
    projectId,
    statuses: z
      .array(z.enum(candidateStatuses))
      .min(1)
      .optional()
      .describe('Only candidates with these statuses; default: all'),
    page: pageArguments.page,
    pageSize: pageArguments.pageSize.default(100),
  }),
  output: z.object({
    projectId: z.string(),
    useCaseCandidates: z.array(listedCandidate),
    gaps: z.array(
      z.object({
        requirementId: z.string().optional(),
        ref: untrusted(z.string(), { max: 200 }).optional(),
        requirement: untrusted(z.string(), { max: 2_000 }),
        reason: untrusted(z.string(), { max: 2_000 }),
      }),
    ),
    requirements: z.object({ total: z.number(), gaps: z.number() }),
    ...paginationShape,
  }),
  async run({ projectId: id, statuses, ...request }, context) {
    const { candidates, gaps, requirements } = await readDiscoveryMemory(
      await openQaContext(context),
      id,
      statuses,
      request,
    );
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
