/** The kinds of workflows. Each is also the kind of the jobs that run it. */
export const runKinds = ['qa.scan', 'qa.detection', 'qa.generation', 'qa.replay', 'qa.bulk', 'qa.report'] as const;
export type RunKind = (typeof runKinds)[number];

export const runStatuses = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof runStatuses)[number];
export const endedStatuses: readonly string[] = ['succeeded', 'failed', 'cancelled'] satisfies RunStatus[];

/** What a test says of the product; a run that could not tell is inconclusive. */
export const testVerdicts = ['passed', 'failed', 'flaky', 'inconclusive'] as const;
export type TestVerdict = (typeof testVerdicts)[number];

/** A run whose test did not pass is a failed one; the verdict says more. */
export function runStatusOfVerdict(verdict: string | null | undefined): RunStatus {
  return verdict === 'failed' || verdict === 'inconclusive' ? 'failed' : 'succeeded';
}
