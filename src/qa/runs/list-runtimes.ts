import { requireProject } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import type { Runtime } from '../store/qa-store.ts';
import type { PageRequest, ResultPage } from '../store/result-page.ts';
import type { RunKind } from './run-kinds.ts';
import { type CurrentRun, currentRun, newestRun } from './run-status.ts';

export interface ListedRuntime {
  runtime: Runtime;
  latestRun: CurrentRun | undefined;
}

/** Workflows of the caller by kind, newest first, optionally of one project. */
export async function listRuntimes(
  qa: QaContext,
  kind: RunKind,
  projectId: string | undefined,
  request: PageRequest,
): Promise<ResultPage<ListedRuntime>> {
  const { store, owner } = qa;
  if (projectId !== undefined) await requireProject(qa, projectId);
  const page = await store.runtimes.page({ owner, kind, projectId }, request, { newestFirst: true });
  return { ...page, data: await Promise.all(page.data.map((runtime) => withLatestRun(qa, runtime))) };
}

export async function withLatestRun(qa: QaContext, runtime: Runtime): Promise<ListedRuntime> {
  const run = await newestRun(qa.store, runtime);
  return { runtime, latestRun: run && (await currentRun(qa, run)) };
}
