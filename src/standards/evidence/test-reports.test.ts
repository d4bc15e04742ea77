import { expect, test } from 'vitest';
import { detectReportKind } from './report-files.ts';
import { parseJest, parseJunit, parseTap } from './test-reports.ts';

const formatCases = (cases: { name: string; status: string }[]) => cases.map(({ name, status }) => `${status} ${name}`);

test('parses JUnit: nested and single suites, entities in names, errors as failures', () => {
  const nested =
    '<testsuites><testsuite name="a &lt; b"><testsuite name="c"><testcase classname="c" name="A1 &quot;x&quot;" time="0.5"/></testsuite><testcase name="d"><error/></testcase></testsuite></testsuites>';
  expect(formatCases(parseJunit(nested))).toEqual(['passed a < b > c > A1 "x"', 'failed a < b > d']);
  expect(parseJunit(nested)[0]?.seconds).toBe(0.5);
  expect(formatCases(parseJunit('<testsuite name="s"><testcase name="e"><skipped/></testcase></testsuite>'))).toEqual([
    'skipped s > e',
  ]);
  expect(parseJunit('<testsuites/>')).toEqual([]);
});

test('rejects JUnit that defines entities', () => {
  expect(() => parseJunit('<!DOCTYPE a [<!ENTITY b "c">]><testsuite/>')).toThrow(/entities/);
});

test('parses Vitest and Jest: every test, and a file that failed before its first one', () => {
  const report = {
    numTotalTests: 2,
    testResults: [
      {
        name: '/a.test.ts',
        status: 'passed',
        assertionResults: [
          { title: 'adds', ancestorTitles: ['sum', 'A1'], status: 'passed', duration: 5 },
          { title: 'later', fullName: 'sum later', status: 'todo' },
        ],
      },
      { name: '/b.test.ts', status: 'failed', message: 'SyntaxError', assertionResults: [] },
    ],
  };
  expect(formatCases(parseJest(JSON.stringify(report)))).toEqual([
    'passed sum A1 adds',
    'skipped sum later',
    'failed /b.test.ts',
  ]);
  expect(() => parseJest('{"testResults": 5}')).toThrow(/not a Vitest or Jest/);
});

test('parses TAP: subtests, skipped and todo points, a violated plan as a failure', async () => {
  const nested =
    'TAP version 13\n# Subtest: outer\n    ok 1 - A1 inner\n    not ok 2 - inner bad\n    1..2\nnot ok 1 - outer\nok 2 - alone # SKIP no\n1..2\n';
  expect(formatCases(await parseTap(nested))).toEqual([
    'passed outer > A1 inner',
    'failed outer > inner bad',
    'skipped alone',
  ]);
  expect(formatCases(await parseTap('1..3\nok 1 - a\n'))).toEqual([
    'passed a',
    expect.stringMatching(/^failed .*plan/),
  ]);
});

test.each([
  ['a.xml', '<?xml version="1.0"?>\n<!-- <coverage> -->\n<testsuites>', 'junit'],
  ['a.xml', '<!DOCTYPE coverage SYSTEM "x.dtd"><coverage line-rate="1">', 'cobertura'],
  ['a.xml', '<project/>', undefined],
  ['a.json', '{"numTotalTestSuites":1,', 'jest'],
  ['mutation.json', '{"schemaVersion":"1","files":{}}', 'mutation'],
  ['package.json', '{"name":"a"}', undefined],
  ['lcov.info', 'TN:\nSF:a.js\n', 'lcov'],
  ['a.tap', 'ok 1 - a\n', 'tap'],
  ['notes.info', 'nothing', undefined],
])('detects %s starting with %j as %s', (path, start, kind) => {
  expect(detectReportKind(path, start)).toBe(kind);
});
