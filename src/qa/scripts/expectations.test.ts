import { expect, test } from 'vitest';
import { withoutGiven } from './expectations.ts';
import type { Action } from './model.ts';

const name: Action = { do: 'fill', on: { name: 'Name', ladder: [{ by: 'name', value: 'name' }] }, value: 'Ada' };

test('the number that the site gives to a record is left open, one that the script opens is not', () => {
  expect(withoutGiven('/customers/38', [{ do: 'goto', url: '/customers/new' }, name])).toBe('/customers/*');
  expect(withoutGiven('/customers/38?saved=1', [{ do: 'goto', url: '/customers/38/edit' }, name])).toBe(
    '/customers/38?saved=1',
  );
  expect(withoutGiven('/orders/10021', [{ do: 'goto', url: '/orders' }])).toBe('/orders/10021');
});
