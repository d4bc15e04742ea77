import { expect, test } from 'vitest';
import { isSupportedGit } from './git-program.ts';

test.each([
  ['git version 2.31.8', false],
  ['git version 1.99.0', false],
  ['git version 2.32.0', true],
  ['git version 2.39.5 (Apple Git-154)', true],
  ['git version 2.51.0.windows.1', true],
  ['git version 3.0.0', true],
])('tells whether %s is supported: %s', (version, isSupported) => {
  expect(isSupportedGit(version)).toBe(isSupported);
});
