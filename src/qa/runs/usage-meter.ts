import type { QaRepositories, RunRow } from '../store/qa-store.ts';

/** Resources that were used. */
export interface Usage {
  browserMs?: number;
  pages?: number;
  steps?: number;
  screenshots?: number;
  bytes?: number;
}

/** Accumulated usage. */
export type UsageMeter = Required<Usage>;

export function newUsageMeter(): UsageMeter {
  return { browserMs: 0, pages: 0, steps: 0, screenshots: 0, bytes: 0 };
}

/** The run, and optionally the test case, that is charged. */
export type ChargedTo = Pick<
  RunRow,
  'id' | 'projectId' | 'owner' | 'kind' | 'useCaseId' | 'testCaseId' | 'testScriptId'
>;

/** Runs `work` with a meter and charges its usage, also if it throws. */
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

/** Adds an entry to the cost table, by UTC day. */
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
