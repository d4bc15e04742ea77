import { expect, test } from 'vitest';
import { countVerdicts, passRate } from './verdict-counts.ts';

test('counts flaky tests as passed and inconclusive ones as neither', () => {
  const verdicts = ['passed', 'flaky', 'failed', 'inconclusive', 'inconclusive', undefined, null];
  expect(countVerdicts(verdicts)).toEqual({ passed: 2, failed: 1, flaky: 1, inconclusive: 2, passRate: 66.7 });
  expect(countVerdicts(['inconclusive'])).toMatchObject({ passed: 0, failed: 0, passRate: 0 });
});

test.each([
  [0, 0, 0],
  [22, 3, 88],
  [1, 2, 33.3],
  [0, 7, 0],
  [7, 0, 100],
  [9999, 1, 99.9],
  [1, 9999, 0.1],
])('rates %i passed and %i failed as %d %%', (passed, failed, rate) => {
  expect(passRate({ passed, failed })).toBe(rate);
});
