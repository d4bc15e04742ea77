import * as z from 'zod';
import { untrusted } from '../../../platform/text/untrusted-schema.ts';
import { withDetailFields } from '../../../tool/detail-schema.ts';
import type { Candidate, UseCase } from '../../store/qa-store.ts';
import { type CandidateWithComments, candidateStatuses } from '../../use-cases/discovery-memory.ts';
import { isoTime } from '../shared/run-shapes.ts';

const breakdown = z.array(
  z.object({
    requirement: untrusted(z.string(), { max: 2_000 }),
    acceptanceCriteria: untrusted(z.string(), { max: 2_000 }),
  }),
);

/** Fields that candidates and use cases share. */
const descriptionShape = {
  title: untrusted(z.string(), { max: 300 }),
  description: untrusted(z.string(), { max: 10_000 }),
  userStory: untrusted(z.string(), { max: 2_000 }).optional(),
  url: untrusted(z.string(), { max: 2_000 }).optional(),
  useCaseClass: z.string().describe('Recognised kind of use case, e.g. login, search or checkout'),
  priority: z.string(),
  source: z.string(),
  useCaseBreakdown: breakdown,
};

function presentDescription(thing: Candidate | UseCase) {
  const { title, description, userStory, url, priority, source } = thing;
  return {
    ...{ title, description, priority, source },
    ...(userStory !== null && { userStory }),
    ...(url !== null && { url }),
    useCaseClass: thing.class,
    useCaseBreakdown: thing.breakdown,
  };
}

export const commentShape = z.object({
  pageUrl: untrusted(z.string(), { max: 2_000 }),
  screenshotUrl: z.string().optional().describe('URI of the screenshot, a resource of this server'),
  screenshotFile: z.string().optional(),
  notes: untrusted(z.string(), { max: 10_000 }),
});

export const candidateShape = {
  id: z.string(),
  status: z.enum(candidateStatuses),
  useCase: z.object(descriptionShape),
  comments: z.array(commentShape),
  confidence: z.number(),
  requirementIds: z.array(z.string()),
  useCaseId: z.string().optional().describe('Id of the use case that the approved candidate became'),
  createdAt: z.string(),
  updatedAt: z.string(),
};

const detailOfDescription = ['userStory', 'source', 'useCaseBreakdown'] as const;

/** A candidate in a list. */
export const listedCandidate = z.object({
  ...withDetailFields(candidateShape, ['confidence', 'requirementIds', 'createdAt', 'updatedAt']),
  useCase: z.object(withDetailFields(descriptionShape, detailOfDescription)),
});

export function presentCandidate({ candidate, comments }: CandidateWithComments) {
  const { id, status, confidence, requirements, useCaseId, createdAt, updatedAt } = candidate;
  return {
    id,
    status: candidateStatuses.find((known) => known === status) ?? ('draft' as const),
    useCase: presentDescription(candidate),
    comments,
    confidence,
    requirementIds: requirements,
    ...(useCaseId !== null && { useCaseId }),
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}

export const useCaseShape = {
  useCaseId: z.string(),
  id: z.string(),
  projectId: z.string(),
  candidateId: z.string().optional(),
  status: z.string(),
  ...descriptionShape,
  requirementIds: z.array(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
};

/** A use case in a list. */
export const listedUseCase = z.object(
  withDetailFields(useCaseShape, [
    ...detailOfDescription,
    ...(['id', 'projectId', 'candidateId', 'description', 'requirementIds', 'createdAt', 'updatedAt'] as const),
  ]),
);

export function presentUseCase(useCase: UseCase) {
  const { id, projectId, candidateId, status, requirements, createdAt, updatedAt } = useCase;
  return {
    useCaseId: id,
    ...{ id, projectId, status },
    ...(candidateId !== null && { candidateId }),
    ...presentDescription(useCase),
    requirementIds: requirements,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}

/** Output shape of candidates that could not be decided. */
export const undecidedShape = z.array(
  z.object({ candidateId: z.string(), error: z.string(), message: untrusted(z.string()) }),
);
