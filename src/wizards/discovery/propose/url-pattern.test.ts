import { expect, test } from 'vitest';
import { resultsUrlPattern } from './url-pattern.ts';

const site = 'https://aid.example';

test.each([
  ['/applications/1002/result', '/applications/*/result'],
  ['/r/9f1c2f4e-3b7a-4c1d-9e55-0a1b2c3d4e5f', '/r/*'],
  ['/case/APP-20260117/done?ok=1', '/case/*/done'],
  ['/s/q7Xk29LmPz0aB/summary', '/s/*/summary'],
  ['/aid-estimator/results', '/aid-estimator/results'],
  ['/form-1040/results', '/form-1040/results'],
])('replaces a generated path segment with *: %s', (path, pattern) => {
  expect(resultsUrlPattern(site + path, [`${site}/`])).toBe(site + pattern);
});

test('keeps a number that distinguishes the results from the pages of the form', () => {
  const form = [`${site}/form/1`, `${site}/form/2`];
  expect(resultsUrlPattern(`${site}/form/3`, form)).toBe(`${site}/form/3`);
  expect(resultsUrlPattern(`${site}/cases/77/3`, [`${site}/cases/77/1`])).toBe(`${site}/cases/*/3`);
});
