import { invalid, ownItemOf, ownProject } from '../access.ts';
import type { QaRoom } from '../room.ts';
import { startRuntime } from '../runs/start.ts';

export async function startDetection(
  room: QaRoom,
  { projectId, useCaseId, name }: { projectId: string; useCaseId?: string | undefined; name?: string | undefined },
) {
  const { store } = room;
  await ownProject(room, projectId);
  if (useCaseId !== undefined) await ownItemOf(room, projectId, store.useCases, 'useCaseId', useCaseId);
  else if ((await store.useCases.count({ projectId })) === 0)
    throw invalid('projectId', 'The project has no approved use case: scan its site and approve candidates first.', {
      projectId,
    });
  return startRuntime(room, {
    projectId,
    kind: 'qa.detection',
    payload: { useCaseId: useCaseId ?? null },
    name,
    useCaseId,
  });
}
