import type { QaRepositories, RunRow } from '../store/qa-store.ts';

/** What was used up. */
export interface Usage {
  browserMs?: number;
  pages?: number;
  steps?: number;
  screenshots?: number;
  bytes?: number;
}

/** What was used up so far, by all that write into it. */
export type UsageMeter = Required<Usage>;

export function newUsageMeter(): UsageMeter {
  return { browserMs: 0, pages: 0, steps: 0, screenshots: 0, bytes: 0 };
}

/** Whose use it was. A run that works for several test cases says for which. */
export type ChargedTo = Pick<
  RunRow,
  'id' | 'projectId' | 'owner' | 'kind' | 'useCaseId' | 'testCaseId' | 'testScriptId'
>;

/** Does the work, and charges what it has used up by then, however it ends. */
export async function withUsageMeter<Result>(
  charge: (usage: Usage) => Promise<void>,
  work: (meter: UsageMeter) => Promise<Result>,
): Promise<Result> {
  const meter = newUsageMeter();
  try {
    return await work(meter);
  } finally {
    await charge(meter);
  }
}

/** Writes into the ledger. The day is that of UTC. */
export async function recordUsage(
  store: Pick<QaRepositories, 'costs'>,
  run: ChargedTo,
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
