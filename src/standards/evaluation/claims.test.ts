import { expect, test } from 'vitest';
import { checkClaims } from './claims.ts';
import type { Criterion } from './criterion.ts';

const criterion = (id: Criterion['id'], status: Criterion['status'], actual: number | null = null): Criterion => ({
  id,
  name: id,
  status,
  blocking: status === 'failed',
  score: 0,
  weight: 0.1,
  actual,
  threshold: 80,
  unit: '%',
  feedback: 'measured',
  details: id === 'acceptance_criteria' && status === 'failed' ? ['A2: no test names it'] : [],
  evidence: [],
});

const verdicts = (said: string, ...criteria: Criterion[]) => checkClaims(said, criteria).map(({ verdict }) => verdict);

test.each([
  ['The tests pass', 'passed', ['confirmed']],
  ['All tests are green', 'failed', ['contradicted']],
  ['tests pass', 'unknown', ['unproven']],
  ['The tests do not pass', 'failed', []],
  ["tests don't pass", 'failed', []],
  ['I need to make the tests pass', 'failed', []],
  ['Tests will pass next', 'failed', []],
  ['The weather is fine', 'failed', []],
] as const)('%j with tests %s: %j', (said, status, expected) => {
  expect(verdicts(said, criterion('test_results', status))).toEqual(expected);
});

test('confirms tested only if the tests cover the change', () => {
  const passing = criterion('test_results', 'passed');
  expect(verdicts('The discount is tested', passing, criterion('patch_coverage', 'failed'))).toEqual(['contradicted']);
  expect(verdicts('The discount is tested', passing, criterion('patch_coverage', 'passed'))).toEqual(['confirmed']);
});

test('checks numbers and criteria against the measurements', () => {
  expect(verdicts('coverage is at 85%', criterion('coverage_threshold', 'passed', 85.4))).toEqual(['confirmed']);
  expect(verdicts('coverage is at 95%', criterion('coverage_threshold', 'passed', 85.4))).toEqual(['contradicted']);
  expect(verdicts('coverage is at 95%', criterion('coverage_threshold', 'unknown'))).toEqual(['unproven']);
  expect(verdicts('A1 and A2 are done', criterion('acceptance_criteria', 'failed'))).toEqual([
    'confirmed',
    'contradicted',
  ]);
});

test('confirms done if no criterion blocks', () => {
  expect(verdicts('Everything is done', criterion('test_results', 'passed'))).toEqual(['confirmed']);
  expect(verdicts('It is finished', criterion('scope_boundary', 'failed'))).toEqual(['contradicted']);
  expect(verdicts('not done', criterion('scope_boundary', 'failed'))).toEqual([]);
});
