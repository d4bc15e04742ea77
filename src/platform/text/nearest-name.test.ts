import { expect, test } from 'vitest';
import { findNearestName } from './nearest-name.ts';

test.each([
  ['titel', 'title'],
  ['tilte', 'title'],
  ['titl', 'title'],
  ['--page-siz', 'pageSize'],
  ['doctr', 'doctor'],
  ['tite', 'title'],
  ['litel', undefined],
  ['', undefined],
])('suggests for %s the name %s', (typed, meant) => {
  expect(findNearestName(typed, ['title', 'pageSize', 'doctor', 'demo'])).toBe(meant);
});
