/** Tests by verdict. Tests that were not run are not counted. */
export interface VerdictCounts {
  /** Includes flaky tests. */
  passed: number;
  failed: number;
  /** Of those that passed. */
  flaky: number;
  /** The site or the browser was not available: no verdict about the product. */
  inconclusive: number;
  passRate: number;
}

/** Counts verdicts for summaries, batches and reports alike. */
export function countVerdicts(verdicts: readonly (string | null | undefined)[]): VerdictCounts {
  const of = (wanted: string) => verdicts.filter((verdict) => verdict === wanted).length;
  const [flaky, failed] = [of('flaky'), of('failed')];
  const passed = of('passed') + flaky;
  return { passed, failed, flaky, inconclusive: of('inconclusive'), passRate: passRate({ passed, failed }) };
}

/**
 * Share of passed tests among those with a verdict, in percent with one decimal; 0 without any. A single test that
 * failed or passed among thousands is not rounded away.
 */
export function passRate({ passed, failed }: Pick<VerdictCounts, 'passed' | 'failed'>): number {
  if (passed === 0) return 0;
  if (failed === 0) return 100;
  const rounded = Math.round((passed / (passed + failed)) * 1000) / 10;
  return Math.min(99.9, Math.max(0.1, rounded));
}
