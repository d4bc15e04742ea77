import { expect, test } from 'vitest';
import { createScopeMatcher } from '../spec/scope.ts';
import { matchAcceptanceEvidence } from './acceptance-evidence.ts';
import { isSourceFile, isTestFile } from './code-files.ts';
import { scoreMutants } from './mutation-evidence.ts';
import { scanChangedLines } from './suspicious-lines.ts';

test.each([
  ['src/a.ts', "const password = 'correct-horse-9-battery';", 'secret'],
  ['src/a.ts', "const password = 'changeme-please-now';", undefined],
  ['src/a.ts', 'const password = process.env.PASSWORD_OF_DB;', undefined],
  ['test/a.test.ts', "const password = 'correct-horse-9-battery';", undefined],
  ['deploy.pem', `-----BEGIN ${'RSA PRIVATE'} KEY-----`, 'secret'],
  ['src/a.py', 'raise NotImplementedError', 'stub'],
  ['src/a.rs', 'todo!()', 'stub'],
  ['README.md', 'TODO: write', undefined],
  ['pkg/a_test.go', 't.Skip("later")', 'skipped_test'],
  ['tests/test_a.py', '@pytest.mark.skip', 'skipped_test'],
  ['src/a.test.ts', "it.only('x', () => {})", 'skipped_test'],
  ['src/a.ts', 'audit.skip()', undefined],
])('in %s, %j is %s', (path, line, kind) => {
  expect(scanChangedLines(path, line, [[1, 1]]).map((sign) => sign.kind)).toEqual(kind ? [kind] : []);
});

test('scans only changed lines', () => {
  const text = '// TODO one\n// TODO two\n// TODO three\n';
  expect(scanChangedLines('a.ts', text, [[2, 2]]).map(({ line }) => line)).toEqual([2]);
});

test.each(['src/a.test.ts', 'tests/test_a.py', 'a_test.go', 'src/FooTest.java', 'spec/a.rb'])(
  '%s is a test',
  (path) => {
    expect(isTestFile(path)).toBe(true);
    expect(isSourceFile(path)).toBe(false);
  },
);

test('matches a scope of files, folders and globs; out wins, .caws is always in', () => {
  const scope = createScopeMatcher({
    in: ['src', './lib/', '*.json', 'docs/**/*.md'],
    out: ['src/vendor/', '**/*.gen.ts'],
  });
  const positions = [
    'src/a.ts',
    'lib/x/y.ts',
    'a.json',
    'docs/a/b.md',
    'src/vendor/a.ts',
    'src/a.gen.ts',
    'srcs/a.ts',
    '.caws/policy.yaml',
  ];
  expect(positions.map(scope)).toEqual(['in', 'in', 'in', 'in', 'out', 'out', 'beyond', 'in']);
});

test('matches a pattern of more than 500 characters literally', () => {
  const pattern = `${'*a'.repeat(250)}b`;
  const scope = createScopeMatcher({ in: [pattern] });
  expect([pattern, `${pattern}/c`, pattern.replaceAll('*', '')].map(scope)).toEqual(['in', 'in', 'beyond']);
});

test('computes the mutation score from valid mutants', () => {
  const report = (statuses: string[]) =>
    JSON.stringify({ files: { 'a.ts': { mutants: statuses.map((status) => ({ status })) } } });
  expect(
    scoreMutants(report(['Killed', 'Timeout', 'Survived', 'NoCoverage', 'Ignored', 'CompileError', 'RuntimeError'])),
  ).toMatchObject({ percent: 50, detected: 2, valid: 4 });
  expect(scoreMutants(report(['Ignored']))).toBeUndefined();
});

test('matches criteria to tests by name or by listed id', () => {
  const test = (name: string, status: 'passed' | 'failed' = 'passed', file?: string) => ({
    name,
    status,
    file,
    seconds: undefined,
  });
  const criterion = (id: string, test_nodeids?: string[]) => ({
    id,
    given: 'g',
    when: 'w',
    // biome-ignore lint/suspicious/noThenProperty: acceptance criteria are written given, when, then
    then: 't',
    ...(test_nodeids && { test_nodeids }),
  });
  const status = (criteria: ReturnType<typeof criterion>[], names: ReturnType<typeof test>[]) =>
    matchAcceptanceEvidence('FEAT-1', criteria, names).map((one) => one.status);
  expect(status([criterion('A1'), criterion('A10')], [test('[A1] adds'), test('cell A10x'), test('BA10')])).toEqual([
    'passed',
    'untested',
  ]);
  for (const name of [
    'tests.test_sum > test_A1_adds',
    'test_a1_adds',
    'TestSum/A1_adds',
    'sum::tests::a1_adds',
    'TestA1Adds',
  ])
    expect(status([criterion('A1'), criterion('A11')], [test(name)]), name).toEqual(['passed', 'untested']);
  for (const name of ['A1 reads UTF-8', 'FEAT-1 > A1 adds', 'FEAT-1 A1 adds'])
    expect(status([criterion('A1')], [test(name)]), name).toEqual(['passed']);
  for (const name of ['FIX-7 A1 adds', 'FIX-7 > A1 adds', 'FEAT-2 sums > A1 adds', 'a1 in prose', 'data1_x', 'TestA10'])
    expect(status([criterion('A1')], [test(name)]), name).toEqual(['untested']);
  expect(status([criterion('A1', ['test_sum'])], [test('t > test_sum[1-2]')])).toEqual(['passed']);
  expect(status([criterion('A1')], [test('A1: one'), test('A1: two', 'failed')])).toEqual(['failed']);
  expect(
    status([criterion('A1', ['tests/test_a.py::test_sum'])], [test('suite > test_sum', 'passed', 'tests/test_a.py')]),
  ).toEqual(['passed']);
  expect(status([criterion('A1', ['tests/test_a.py::test_sum'])], [test('A1', 'passed', 'tests/test_a.py')])).toEqual([
    'untested',
  ]);
});
