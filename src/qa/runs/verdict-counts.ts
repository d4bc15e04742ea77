/** Tests by how they ended. Those that were not run are none of them. */
export interface VerdictCounts {
  /** A flaky one passed in the end. */
  passed: number;
  failed: number;
  /** Of those that passed. */
  flaky: number;
  /** The site was away, or the browser: that is no verdict about the product. */
  inconclusive: number;
  passRate: number;
}

/** The one way in which verdicts are counted, whoever asks: summaries, batches, reports. */
export function countVerdicts(verdicts: readonly (string | null | undefined)[]): VerdictCounts {
  const of = (wanted: string) => verdicts.filter((verdict) => verdict === wanted).length;
  const [flaky, failed] = [of('flaky'), of('failed')];
  const passed = of('passed') + flaky;
  return { passed, failed, flaky, inconclusive: of('inconclusive'), passRate: passRate({ passed, failed }) };
}

/**
 * In percent, with one decimal: of the tests that came to a verdict, those that passed. Of nothing it is zero. The one that
 * failed among thousands, or that passed, is not rounded away.
 */
export function passRate({ passed, failed }: Pick<VerdictCounts, 'passed' | 'failed'>): number {
  if (passed === 0) return 0;
  if (failed === 0) return 100;
  const rounded = Math.round((passed / (passed + failed)) * 1000) / 10;
  return Math.min(99.9, Math.max(0.1, rounded));
}
