import * as z from 'zod';
import { untrusted } from '../../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../../tool/tool.ts';
import { dropCandidates } from '../../use-cases/decide-candidates.ts';
import { projectId } from '../projects/project-shapes.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { undecidedShape } from './use-case-shapes.ts';

export const qaUseCaseCandidatesDrop = defineTool({
  name: 'qa_use_case_candidates_drop',
  title: 'Drop use case candidates',
  description:
    'Drop, reject, discard, skip, throw away, ignore, remove or archive suggested use cases (candidates, journeys, flows) that are irrelevant, wrong, duplicates, not wanted or not needed. Later explorations leave them out.',
  effect: 'write',
  idempotent: true,
  scope: 'qa:write',
  input: z.object({
    projectId,
    candidateIds: z
      .array(z.string().min(1).max(100))
      .min(1)
      .max(1000)
      .describe('Ids of the candidates, from qa_use_case_discovery_memory_get'),
  }),
  output: z.object({
    projectId: z.string(),
    dropped: z.array(
      z.object({ candidateId: z.string(), title: untrusted(z.string(), { max: 300 }), alreadyDropped: z.boolean() }),
    ),
    failed: undecidedShape,
  }),
  async run({ projectId: id, candidateIds }, context) {
    const { done, undecided } = await dropCandidates(await openQaContext(context), id, candidateIds);
    return {
      projectId: id,
      dropped: done.map(({ candidate, already }) => ({
        candidateId: candidate.id,
        title: candidate.title,
        alreadyDropped: already,
      })),
      failed: undecided,
    };
  },
});
