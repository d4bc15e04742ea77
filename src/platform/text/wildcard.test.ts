import { expect, test } from 'vitest';
import { matchesWildcard } from './wildcard.ts';

test.each([
  ['/form/step', '/form/step', true],
  ['/form/step', '/form', false],
  ['/form/7/step', '/form/*/step', true],
  ['/form/step', '/form/*/step', false],
  ['/a/b/c', '*', true],
  ['/a/b/c', '*b*', true],
  ['/aba', '/ab*ba', false],
  ['/a.c', '/a.c', true],
  ['/abc', '/a.c', false],
])('matches %s against %s: %s', (text, pattern, like) => {
  expect(matchesWildcard(text, pattern)).toBe(like);
});

test('matches many wildcards in linear time', () => {
  expect(matchesWildcard('/a'.repeat(1_000), `${'*a'.repeat(500)}*b`)).toBe(false);
});
