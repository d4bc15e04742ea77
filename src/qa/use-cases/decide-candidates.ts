import { Failure, quote } from '../../platform/errors.ts';
import { requireOwnedInProject, requireProject } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import type { Candidate, UseCase } from '../store/qa-store.ts';

/** A candidate that could not be decided, with the reason. */
interface UndecidedCandidate {
  candidateId: string;
  error: string;
  message: string;
}

interface ApprovedCandidate {
  candidate: Candidate;
  useCase: UseCase;
  /** Approved by an earlier call. */
  already: boolean;
}

/** Creates use cases from candidates. Idempotent. Throws the first error if none can be approved. */
export async function approveCandidates(qa: QaContext, projectId: string, candidateIds: readonly string[]) {
  await requireProject(qa, projectId);
  return decideEach(candidateIds, async (candidateId) => approve(qa, await findCandidate(qa, projectId, candidateId)));
}

/** Drops candidates, so that scans do not reopen them. */
export async function dropCandidates(
  qa: Pick<QaContext, 'store' | 'owner'>,
  projectId: string,
  candidateIds: readonly string[],
) {
  await requireProject(qa, projectId);
  return decideEach(candidateIds, async (candidateId) => {
    const candidate = await findCandidate(qa, projectId, candidateId);
    // The archived mark is removed: a scan reopens archived candidates, but not dropped ones.
    const dropped = await qa.store.candidates.updateAll(
      { id: candidate.id, status: ['draft', 'candidate', 'dropped'] },
      { status: 'dropped', details: clearArchived(candidate.details) },
    );
    if (dropped > 0) return { candidate, already: candidate.status === 'dropped' };
    // It may have been approved since it was read.
    const { useCaseId } = (await qa.store.candidates.get(candidate.id)) ?? candidate;
    throw conflict(candidate, 'was approved, and is a use case now', { useCaseId });
  });
}

function clearArchived(details: Candidate['details']): Candidate['details'] {
  if (typeof details !== 'object' || details === null || Array.isArray(details)) return details;
  const { archived: _archived, ...rest } = details;
  return rest;
}

async function decideEach<Decided>(ids: readonly string[], decide: (id: string) => Promise<Decided>) {
  const done: Decided[] = [];
  const undecided: UndecidedCandidate[] = [];
  const failures: Failure[] = [];
  for (const candidateId of new Set(ids)) {
    try {
      done.push(await decide(candidateId));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failures.push(error);
      undecided.push({ candidateId, error: error.code, message: error.message });
    }
  }
  const [first] = failures;
  if (first && done.length === 0)
    throw new Failure(first.kind, first.code, first.message, { ...first.details, failed: undecided });
  return { done, undecided };
}

function findCandidate(
  qa: Pick<QaContext, 'store' | 'owner'>,
  projectId: string,
  candidateId: string,
): Promise<Candidate> {
  return requireOwnedInProject(qa, projectId, qa.store.candidates, 'candidateId', candidateId);
}

async function approve({ store }: QaContext, candidate: Candidate): Promise<ApprovedCandidate> {
  if (candidate.status === 'dropped') throw conflict(candidate, 'was dropped: propose it again, or scan again');
  const made = await store.transaction(async ({ candidates, useCases }) => {
    // The status change decides which of two concurrent approvals creates the use case.
    const won = await candidates.updateAll(
      { id: candidate.id, status: ['draft', 'candidate'] },
      { status: 'graduated' },
    );
    if (won === 0) return undefined;
    const { id: candidateId, projectId, owner, source, title, description, userStory, url, priority } = candidate;
    const { breakdown, requirements, details } = candidate;
    const useCase = await useCases.insert({
      ...{ candidateId, projectId, owner, source, title, description, userStory, url, priority },
      ...{ breakdown, requirements, details, class: candidate.class, status: 'APPROVED' },
    });
    await candidates.update(candidateId, { useCaseId: useCase.id });
    return useCase;
  });
  if (made) return { candidate, useCase: made, already: false };
  const useCase = await store.useCases.first({ candidateId: candidate.id });
  if (useCase) return { candidate, useCase, already: true };
  throw conflict(candidate, 'was decided by a concurrent call');
}

function conflict({ id }: Candidate, why: string, details: Record<string, unknown> = {}): Failure {
  const message = `The candidate ${quote(id)} ${why}.`;
  return new Failure('conflict', 'INVALID_ARGUMENT', message, {
    field: 'candidateId',
    candidateId: id,
    hint: 'Call qa_use_case_discovery_memory_get for the candidates that are open.',
    ...details,
  });
}
