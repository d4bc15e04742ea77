import { ownProject } from '../access.ts';
import type { QaRoom } from '../room.ts';
import type { Page, PageRequest } from '../store/page.ts';
import type { Runtime } from '../store/store.ts';
import type { RunKind } from './kinds.ts';
import { type CurrentRun, currentRun, newestRun } from './status.ts';

export interface ListedRuntime {
  runtime: Runtime;
  latestRun: CurrentRun | undefined;
}

/** The caller's workflows of a kind, of one project or of all, newest first. */
export async function listRuntimes(
  room: QaRoom,
  kind: RunKind,
  projectId: string | undefined,
  request: PageRequest,
): Promise<Page<ListedRuntime>> {
  const { store, owner } = room;
  if (projectId !== undefined) await ownProject(room, projectId);
  const page = await store.runtimes.page({ owner, kind, projectId }, request, { newestFirst: true });
  return { ...page, data: await Promise.all(page.data.map((runtime) => withLatestRun(room, runtime))) };
}

export async function withLatestRun(room: QaRoom, runtime: Runtime): Promise<ListedRuntime> {
  const run = await newestRun(room.store, runtime);
  return { runtime, latestRun: run && (await currentRun(room, run)) };
}
