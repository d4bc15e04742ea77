import type { RunHandler } from './run-context.ts';
import type { RunKind } from './run-kinds.ts';

export type RunHandlers = Partial<Record<RunKind, () => Promise<RunHandler>>>;

/** The handler of each run kind, loaded on first use. */
export const qaHandlers: RunHandlers = {
  'qa.scan': async () => (await import('../scan/run-scan.ts')).runScan,
  'qa.detection': async () => (await import('../cases/write/detect-cases.ts')).detectTestCases,
  'qa.generation': async () => (await import('../scripts/generation-run.ts')).generateScripts,
  'qa.replay': async () => (await import('../replay/replay-run.ts')).replayOnce,
  'qa.report': async () => (await import('../report/report-run.ts')).generateQaReport,
  'qa.bulk': async () => (await import('../bulk/bulk-run.ts')).replayInBulk,
};
