import { expect, test } from 'vitest';
import { computeHealth, type HealthInput } from './suite-health.ts';

const DAY_MS = 86_400_000;
const now = Date.parse('2026-01-31T12:00:00Z');
const facts = (changes: Partial<HealthInput> = {}): HealthInput => ({
  ...{ passed: 9, failed: 1, flakeRate: 0.04, requirements: { total: 4, covered: 3 }, lastRunAt: now, now },
  ...changes,
});
const partsOf = (changes: Partial<HealthInput>) =>
  Object.fromEntries(computeHealth(facts(changes)).parts.map(({ name, value }) => [name, value]));

test('computes the score as the weighted mean of its parts', () => {
  const { score, parts, formula } = computeHealth(facts());
  expect(parts.map(({ value, weight }) => [value, weight])).toEqual([
    [90, 50],
    [80, 20],
    [75, 15],
    [100, 15],
  ]);
  expect(score).toBe(87.3);
  const inWords = ['pass rate 50', 'stability 20', 'requirement coverage 15', 'freshness 15'];
  for (const part of inWords) expect(formula).toContain(part);
  // The report shows labels, not field names.
  expect(formula).not.toMatch(/[a-z][A-Z]/);
});

test('ignores parts without data', () => {
  const { score, parts } = computeHealth(facts({ requirements: { total: 0, covered: 0 } }));
  expect(parts[2]).toMatchObject({ value: null, why: 'no requirements' });
  expect(score).toBe(89.4);
  expect(computeHealth(facts({ passed: 0, failed: 0 })).score).toBeNull();
});

test('lowers freshness to zero for a suite that is not run', () => {
  const freshness = (days: number) => partsOf({ lastRunAt: now - days * DAY_MS })['freshness'];
  expect([0, 1, 7.5, 14, 400].map(freshness)).toEqual([100, 100, 50, 0, 0]);
});

test('subtracts five points per percent of flaky replays', () => {
  const stability = (flakeRate: number) => partsOf({ flakeRate })['stability'];
  expect([0, 0.01, 0.2, 0.9].map(stability)).toEqual([100, 95, 0, 0]);
});
