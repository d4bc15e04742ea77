import { requireOwned, requireProject } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import type { UseCase } from '../store/qa-store.ts';
import type { PageRequest, ResultPage } from '../store/result-page.ts';
import { listComments } from './discovery-memory.ts';

export async function listUseCases(
  qa: QaContext,
  projectId: string,
  request: PageRequest,
): Promise<ResultPage<UseCase>> {
  await requireProject(qa, projectId);
  return qa.store.useCases.page({ projectId }, request);
}

/** A use case with its comments, requirements and counts. */
export async function describeUseCase(qa: QaContext, useCaseId: string) {
  const { store } = qa;
  const useCase = await requireOwned(qa, store.useCases, 'useCaseId', useCaseId);
  const candidateId = useCase.candidateId ?? '';
  const [comments, requirements, testCases, testScripts] = await Promise.all([
    listComments(qa, [candidateId]),
    store.requirements.list({ id: useCase.requirements }),
    store.testCases.count({ useCaseId }),
    store.testScripts.count({ useCaseId }),
  ]);
  return { useCase, comments: comments.get(candidateId) ?? [], requirements, counts: { testCases, testScripts } };
}
