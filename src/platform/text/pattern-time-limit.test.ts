import { expect, test } from 'vitest';
import {
  findCatastrophicPatterns,
  hasCatastrophicBacktracking,
  runWithTimeLimit,
  withPatternBudget,
} from './pattern-time-limit.ts';

test('interrupts a catastrophic pattern, and returns the result of any other', () => {
  expect(runWithTimeLimit(() => /^(a+)+$/.test(`${'a'.repeat(60)}!`))).toBeUndefined();
  expect(runWithTimeLimit(() => /^(a+)+$/.test('aaa'))).toEqual({ value: true });
  expect(runWithTimeLimit(() => /b(.)/.exec('abc')?.[1])).toEqual({ value: 'c' });
});

test('rethrows errors of the callback', () => {
  const wrong = new Error('wrong');
  expect(() =>
    runWithTimeLimit(() => {
      throw wrong;
    }),
  ).toThrow(wrong);
});

test.each([
  '(a+)+',
  '([a-zA-Z0-9]{2,4})+',
  '(?:a|aa)+',
  '(x|y|xy)*z',
  'ID-(\\d+)*',
  '(\\w+\\s?)*',
  '(foo|foofoo)+',
  '([a-zA-Z0-9_.-])+@(([a-zA-Z0-9-])+.)+([a-zA-Z0-9]{2,4})+',
])('detects catastrophic backtracking in %s', (source) => {
  expect(hasCatastrophicBacktracking(source)).toBe(true);
});

test.each([
  '\\d{5}(-\\d{4})?',
  '[A-Z]{2}',
  '(\\d+,)*\\d+',
  '[a-z]+(?:-[a-z]+)*',
  '[^@\\s]+@[^@\\s]+\\.[a-z]{2,}',
  '^(?=.*\\d)(?=.*[a-z]).{8,}$',
  '(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?!$)|$)){4}',
  '([a-z',
])('accepts %s', (source) => {
  expect(hasCatastrophicBacktracking(source)).toBe(false);
});

test('rejects all further patterns after a few catastrophic ones', () => {
  const bad = Array.from({ length: 200 }, (_, i) => `x{${i}}(a+)+`);
  expect([...findCatastrophicPatterns(['[0-9]{5}', ...bad, '[a-z]+'])]).toEqual([...bad, '[a-z]+']);
});

test('limits the time of all patterns together', () => {
  // Each stays below the limit of one pattern.
  const slow = Array.from({ length: 2_500 }, (_, i) => `(a?){17}b{${i}}`);
  const found = findCatastrophicPatterns(slow);
  expect(found.has('(a?){17}b{0}')).toBe(false);
  expect(found.size).toBeGreaterThan(2_000);
  const evaluated = withPatternBudget(() => slow.filter((source) => runWithTimeLimit(() => rejects(source))));
  expect(evaluated.length).toBeLessThan(500);
  expect(runWithTimeLimit(() => rejects('(a?){17}b'))).toEqual({ value: true });
});

function rejects(source: string): boolean {
  return !new RegExp(`^(?:${source})$`).test(`${'a'.repeat(60)}!`);
}
