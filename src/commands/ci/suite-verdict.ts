import { passRate } from '../../qa/index.ts';

/** Exit code for an unknown outcome. 0 is passed, 1 is failed, 2 is bad usage. */
export const EXIT_UNKNOWN = 3;

/** Result counts of a suite. */
export interface SuiteCounts {
  passed: number;
  failed: number;
  cancelled: number;
  /** Number of passed tests that needed a retry. */
  flaky: number;
  /** Tests without a verdict, because the site or the browser was unavailable. */
  inconclusive: number;
  /** `cancelled` when the suite was stopped. */
  status?: string;
}

/** Returns 1 only for failed tests; if tests without a verdict could reach the threshold, the outcome is unknown. */
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
  const verdict = code === 0 ? 'passed' : code === 1 ? 'failed' : 'unknown';
  return `${passed} of ${total} passed (${formatRate(counts)})${others.map((part) => `, ${part}`).join('')}; threshold ${threshold} %: ${verdict}.`;
}

/** Formats the same pass rate as summaries and reports. */
function formatRate(counts: SuiteCounts): string {
  const judged = counts.passed + counts.failed;
  if (judged === 0) return 'no verdict';
  return `${passRate(counts)} %${judged < countTests(counts) ? ' of tests with a verdict' : ''}`;
}
