import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeDistribution } from './distribution.ts';

test('returns percentiles that are values of the sample', () => {
  expect(describeDistribution([5, 1, 3, 2, 4, 100, 6, 7, 8, 9])).toEqual({
    n: 10,
    median: 5,
    p80: 8,
    p95: 100,
    mad: 2,
    max: 100,
  });
  expect(describeDistribution([])).toEqual({ n: 0, median: 0, p80: 0, p95: 0, mad: 0, max: 0 });
});

test('returns percentiles with at least their share of values below', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { minLength: 1 }), (values) => {
      const { median, p80, p95, max } = describeDistribution(values);
      const below = (bound: number) => values.filter((value) => value <= bound).length / values.length;
      expect([below(median) >= 0.5, below(p80) >= 0.8, below(p95) >= 0.95]).toEqual([true, true, true]);
      expect(values).toEqual(expect.arrayContaining([median, p80, p95, max]));
    }),
  );
});
