import { passRate } from '../../qa/index.ts';

/** The exit code where it could not be found out. 0 is good enough, 1 is not, 2 is bad usage. */
export const EXIT_UNKNOWN = 3;

/** How a suite went. */
export interface SuiteCounts {
  passed: number;
  failed: number;
  cancelled: number;
  /** Of those that passed. */
  flaky: number;
  /** They came to no verdict: the site or the browser was away. */
  inconclusive: number;
  /** It was stopped before its end. */
  status?: string;
}

/** 1 only where the tests say so: what is short only of tests without a verdict is unknown. */
export function suiteExitCode(counts: SuiteCounts, threshold: number): number {
  const { passed, cancelled, inconclusive, status } = counts;
  const total = countTests(counts);
  if (status === 'cancelled' || total === 0) return EXIT_UNKNOWN;
  const reaches = (good: number) => good * 100 >= threshold * total;
  if (reaches(passed)) return 0;
  return reaches(passed + inconclusive + cancelled) ? EXIT_UNKNOWN : 1;
}

function countTests({ passed, failed, cancelled, inconclusive }: SuiteCounts): number {
  return passed + failed + cancelled + inconclusive;
}

export function formatVerdict(counts: SuiteCounts, threshold: number, code: number): string {
  const { passed, failed, cancelled, flaky, inconclusive } = counts;
  const total = countTests(counts);
  const others = [
    failed > 0 && `${failed} failed`,
    inconclusive > 0 && `${inconclusive} inconclusive`,
    cancelled > 0 && `${cancelled} cancelled`,
    flaky > 0 && `${flaky} flaky`,
  ].filter(Boolean);
  const verdict = code === 0 ? 'good enough' : code === 1 ? 'not good enough' : 'nothing can be said';
  return `${passed} of ${total} passed (${formatRate(counts)})${others.map((part) => `, ${part}`).join('')}; ${threshold} % is asked for: ${verdict}.`;
}

/** The rate that the summaries and the report have, too. */
function formatRate(counts: SuiteCounts): string {
  const judged = counts.passed + counts.failed;
  if (judged === 0) return 'no verdict';
  return `${passRate(counts)} %${judged < countTests(counts) ? ' of those with a verdict' : ''}`;
}
