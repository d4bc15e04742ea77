export type Distribution = { n: number; median: number; p80: number; p95: number; mad: number; max: number };

/** Describes a distribution. Percentiles use the nearest rank, so they are values that occurred. */
export function describeDistribution(values: readonly number[]): Distribution {
  const sorted = values.toSorted((a, b) => a - b);
  const median = percentile(sorted, 0.5);
  const distances = sorted.map((value) => Math.abs(value - median)).sort((a, b) => a - b);
  return {
    n: sorted.length,
    median,
    p80: percentile(sorted, 0.8),
    p95: percentile(sorted, 0.95),
    mad: percentile(distances, 0.5),
    max: sorted.at(-1) ?? 0,
  };
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

export function roundTo(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}
