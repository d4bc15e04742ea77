import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { percent, percentagePointChange } from './coverage-report.ts';

describe('percent', () => {
  it.each([
    [0, 0, 0],
    [0, 10, 0],
    [10, 10, 100],
    [2, 4, 50],
    [5, 6, 83.3],
    [2, 3, 66.7],
    [2999, 3000, 99.9],
    [999_999, 1_000_000, 99.9],
    [1, 3000, 0.1],
    [1, 1_000_000_000, 0.1],
  ])('%i of %i is %f', (hit, found, expected) => {
    expect(percent(hit, found)).toBe(expected);
  });

  it('has one decimal, is 100 only for all and 0 only for none', () => {
    const totals = fc.nat(5_000_000).chain((found) => fc.tuple(fc.nat(found), fc.constant(found)));
    fc.assert(
      fc.property(totals, ([hit, found]) => {
        const value = percent(hit, found);
        expect(Number(value.toFixed(1))).toBe(value);
        expect(value === 100).toBe(hit === found && found > 0);
        expect(value === 0).toBe(hit === 0);
        if (found > 0) expect(Math.abs(value - (100 * hit) / found)).toBeLessThanOrEqual(0.1);
      }),
    );
  });
});

describe('change', () => {
  it('is the difference of two rounded values', () => {
    const shown = fc.nat(1000).map((tenths) => tenths / 10);
    fc.assert(
      fc.property(shown, shown, (before, after) => {
        const points = percentagePointChange(after, before);
        expect(Object.is(points, -0)).toBe(false);
        expect(Number(points.toFixed(1))).toBe(points);
        expect(Math.round((before + points) * 10) / 10).toBe(after);
      }),
    );
  });

  it.each([
    [0.3, 0.1, 0.2],
    [100, 50, 50],
    [50, 75, -25],
    [33.3, 33.3, 0],
  ])('from %f to %f', (after, before, expected) => {
    expect(percentagePointChange(after, before)).toBe(expected);
  });
});
