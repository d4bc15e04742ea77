import { invalidArgument, requireOwnedInProject, requireProject } from '../../owned-rows.ts';
import type { QaContext } from '../../qa-context.ts';
import { startRuntime } from '../../runs/start-run.ts';

export async function startDetection(
  room: QaContext,
  { projectId, useCaseId, name }: { projectId: string; useCaseId?: string | undefined; name?: string | undefined },
) {
  const { store } = room;
  await requireProject(room, projectId);
  if (useCaseId !== undefined) await requireOwnedInProject(room, projectId, store.useCases, 'useCaseId', useCaseId);
  else if ((await store.useCases.count({ projectId })) === 0)
    throw invalidArgument(
      'projectId',
      'The project has no approved use case: scan its site and approve candidates first.',
      {
        projectId,
      },
    );
  return startRuntime(room, {
    projectId,
    kind: 'qa.detection',
    payload: { useCaseId: useCaseId ?? null },
    name,
    useCaseId,
  });
}
