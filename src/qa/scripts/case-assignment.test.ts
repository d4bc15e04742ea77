import { expect, test } from 'vitest';
import { isPathBelow } from './case-assignment.ts';

test.each<[string, string, boolean]>([
  ['/customers/:id/edit', '/customers?q,status', true],
  ['/customers', '/customers', true],
  ['/customers-of-others/new', '/customers', false],
  ['/users/new', '/customers', false],
  ['/app#/orders/new', '/app#/orders', true],
  ['/app#/profile/edit', '/app#/orders', false],
  ['/write', '/', true],
  ['/users/:id/edit', '/', false],
])('decides whether a write on %s changes the list %s: %s', (template, list, isSo) => {
  expect(isPathBelow({ template }, { template: list })).toBe(isSo);
});
