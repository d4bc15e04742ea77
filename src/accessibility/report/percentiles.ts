/** Computes the rank of each value in percent: 100 is the largest value, which for issues is the worst. Equal values share their average rank. */
export function computePercentiles(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((a, b) => at(values, a) - at(values, b));
  const result = values.map(() => 0);
  for (let start = 0; start < order.length; ) {
    let end = start;
    while (end < order.length && at(values, at(order, end)) === at(values, at(order, start))) end++;
    // Ranks start at 1, so the ranks of these equal values are start + 1 to end.
    const rank = (start + 1 + end) / 2;
    for (const index of order.slice(start, end)) result[index] = roundToHundredths((rank / values.length) * 100);
    start = end;
  }
  return result;
}

export function roundToHundredths(value: number): number {
  return Math.round((value + Number.EPSILON) * 100) / 100;
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? 0;
}
