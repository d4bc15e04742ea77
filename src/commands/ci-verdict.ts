/** The exit code where it could not be found out. 0 is good enough, 1 is not, 2 is bad usage. */
export const UNKNOWN = 3;

/** How a suite went. `failed` counts those that came to no verdict, too. */
export interface SuiteCounts {
  passed: number;
  failed: number;
  cancelled: number;
  flaky: number;
  inconclusive: number;
  /** It was stopped before its end. */
  status?: string;
}

/** 1 only where the tests say so: what is short only of tests without a verdict is unknown. */
export function exitCodeOf(
  { passed, failed, cancelled, inconclusive, status }: SuiteCounts,
  threshold: number,
): number {
  const total = passed + failed + cancelled;
  if (status === 'cancelled' || total === 0) return UNKNOWN;
  const reaches = (good: number) => good * 100 >= threshold * total;
  if (reaches(passed)) return 0;
  return reaches(passed + inconclusive + cancelled) ? UNKNOWN : 1;
}

export function verdictLine(counts: SuiteCounts, threshold: number, code: number): string {
  const { passed, failed, cancelled, flaky, inconclusive } = counts;
  const total = passed + failed + cancelled;
  // Not rounded up: 99.96 % is not 100 %.
  const rate = total === 0 ? 0 : Math.floor((passed / total) * 1000) / 10;
  const others = [
    failed - inconclusive > 0 && `${failed - inconclusive} failed`,
    inconclusive > 0 && `${inconclusive} inconclusive`,
    cancelled > 0 && `${cancelled} cancelled`,
    flaky > 0 && `${flaky} flaky`,
  ].filter(Boolean);
  const verdict = code === 0 ? 'good enough' : code === 1 ? 'not good enough' : 'nothing can be said';
  return `${passed} of ${total} passed (${rate} %)${others.map((part) => `, ${part}`).join('')}; ${threshold} % is asked for: ${verdict}.`;
}
