import type { QaRepositories, RunRow } from '../store/store.ts';

/** What was used up. */
export interface Usage {
  browserMs?: number;
  pages?: number;
  steps?: number;
  screenshots?: number;
  bytes?: number;
}

/** Writes into the ledger. The day is that of UTC. */
export async function charge(
  store: Pick<QaRepositories, 'costs'>,
  run: RunRow,
  { browserMs = 0, pages = 0, steps = 0, screenshots = 0, bytes = 0 }: Usage,
  at = new Date(),
): Promise<void> {
  const { id: runId, projectId, owner, kind, useCaseId, testCaseId, testScriptId } = run;
  const day = at.toISOString().slice(0, 10).replaceAll('-', '');
  await store.costs.insert({
    ...{ owner, projectId, runId, kind, day, useCaseId, testCaseId, testScriptId },
    ...{ browserMs: Math.round(browserMs), pages, steps, screenshots, bytes },
  });
}
