import { ownItem, ownProject } from '../access.ts';
import type { QaRoom } from '../room.ts';
import type { Page, PageRequest } from '../store/page.ts';
import type { UseCase } from '../store/store.ts';
import { commentsOn } from './memory.ts';

export async function listUseCases(room: QaRoom, projectId: string, request: PageRequest): Promise<Page<UseCase>> {
  await ownProject(room, projectId);
  return room.store.useCases.page({ projectId }, request);
}

/** A use case with where it was seen, what it answers, and how much is made of it. */
export async function describeUseCase(room: QaRoom, useCaseId: string) {
  const { store } = room;
  const useCase = await ownItem(room, store.useCases, 'useCaseId', useCaseId);
  const candidateId = useCase.candidateId ?? '';
  const [comments, requirements, testCases, testScripts] = await Promise.all([
    commentsOn(room, [candidateId]),
    store.requirements.list({ id: useCase.requirements }),
    store.testCases.count({ useCaseId }),
    store.testScripts.count({ useCaseId }),
  ]);
  return { useCase, comments: comments.get(candidateId) ?? [], requirements, counts: { testCases, testScripts } };
}
