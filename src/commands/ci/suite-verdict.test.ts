import { expect, test } from 'vitest';
import { formatAnnotation, toLogLine } from './ci-output.ts';
import { formatVerdict, type SuiteCounts, suiteExitCode } from './suite-verdict.ts';

const counts = (changes: Partial<SuiteCounts>): SuiteCounts => ({
  ...{ passed: 0, failed: 0, cancelled: 0, flaky: 0, inconclusive: 0 },
  ...changes,
});

test.each([
  ['all passed', { passed: 3 }, 100, 0],
  ['one failed', { passed: 2, failed: 1 }, 100, 1],
  ['one failed, and that is allowed', { passed: 19, failed: 1 }, 95, 0],
  ['hardly too few', { passed: 9995, failed: 5 }, 100, 1],
  ['one came to no verdict', { passed: 2, inconclusive: 1 }, 100, 3],
  ['one came to no verdict, another failed', { passed: 2, failed: 1, inconclusive: 1 }, 100, 1],
  ['flaky ones passed', { passed: 2, flaky: 2 }, 100, 0],
  ['it was cancelled', { passed: 2, cancelled: 1, status: 'cancelled' }, 100, 3],
  ['nothing was run', {}, 0, 3],
])('%s', (_, changes, threshold, code) => {
  expect(suiteExitCode(counts(changes), threshold)).toBe(code);
});

test('never rounds the pass rate up to the threshold', () => {
  const line = formatVerdict(counts({ passed: 9999, failed: 1 }), 100, 1);
  expect(line).toBe('9999 of 10000 passed (99.9 %), 1 failed; threshold 100 %: failed.');
});

test('computes the pass rate from tests with a verdict, and prints none without them', () => {
  const some = counts({ passed: 3, failed: 1, inconclusive: 4, cancelled: 1 });
  expect(formatVerdict(some, 50, 3)).toBe(
    '3 of 9 passed (75 % of tests with a verdict), 1 failed, 4 inconclusive, 1 cancelled; threshold 50 %: unknown.',
  );
  expect(formatVerdict(counts({ inconclusive: 16 }), 100, 3)).toContain(
    '0 of 16 passed (no verdict), 16 inconclusive;',
  );
});

test('escapes site text so that it cannot become a pipeline command', () => {
  const note = { level: 'error', title: 'a: b, c%', message: 'x\n::set-output name=a::b\r\n##[error]y' } as const;
  expect(formatAnnotation(note)).toBe('::error title=a%3A b%2C c%25::x ::set-output name=a::b # #[error]y');
  expect(formatAnnotation({ ...note, file: 'src/a:b.ts', line: 3 })).toMatch(
    /^::error file=src\/a%3Ab\.ts,line=3,title=/,
  );
  expect(toLogLine('  ::error::x ##vso[task.complete]\u001b[2J')).toBe(' : :error::x # #vso[task.complete]');
});
