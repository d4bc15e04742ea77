/** Workflow kinds, which are also job kinds. */
export const runKinds = ['qa.scan', 'qa.detection', 'qa.generation', 'qa.replay', 'qa.bulk', 'qa.report'] as const;
export type RunKind = (typeof runKinds)[number];
/** Kind of the jobs that replay a part of a bulk replay each. */
export const BULK_PART_KIND = 'qa.bulk-script';
export const SCAN_JOB_KIND = 'qa.scan' satisfies RunKind;

export const runStatuses = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof runStatuses)[number];
export const endedStatuses: readonly string[] = ['succeeded', 'failed', 'cancelled'] satisfies RunStatus[];

/** Result of a test; inconclusive if the environment prevented a verdict. */
export const testVerdicts = ['passed', 'failed', 'flaky', 'inconclusive'] as const;
export type TestVerdict = (typeof testVerdicts)[number];

/** A run without a passing verdict has the status failed. */
export function runStatusOfVerdict(verdict: string | null | undefined): RunStatus {
  return verdict === 'failed' || verdict === 'inconclusive' ? 'failed' : 'succeeded';
}
