import { invalidArgument, requireOwnedInProject, requireProject } from '../../owned-rows.ts';
import type { QaContext } from '../../qa-context.ts';
import { startRuntime } from '../../runs/start-run.ts';

export async function startDetection(
  qa: QaContext,
  { projectId, useCaseId, name }: { projectId: string; useCaseId?: string | undefined; name?: string | undefined },
) {
  const { store } = qa;
  await requireProject(qa, projectId);
  if (useCaseId !== undefined) await requireOwnedInProject(qa, projectId, store.useCases, 'useCaseId', useCaseId);
  else if ((await store.useCases.count({ projectId })) === 0)
    throw invalidArgument(
      'projectId',
      'The project has no approved use case: scan its site and approve candidates first.',
      {
        projectId,
      },
    );
  return startRuntime(qa, {
    projectId,
    kind: 'qa.detection',
    payload: { useCaseId: useCaseId ?? null },
    name,
    useCaseId,
  });
}
