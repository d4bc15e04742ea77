import { expect, test } from 'vitest';
import { commonPrefix, wildcardNumbers } from './confirm-script.ts';

test('keeps the common prefix of a changing text', () => {
  const left = (text: string, found: string) => commonPrefix(text, { found });
  expect(left('Welcome, Kim Example.', 'Welcome, Ada Lovelace. Orders')).toBe('Welcome,');
  expect(left('12 customers', '13 customers')).toBe('');
  expect(left('Order 10021 was placed', 'Order 10029 was placed')).toBe('');
  expect(left('Your order 10021 was placed', 'Your order 10029 was placed')).toBe('Your order');
  expect(left('Nothing', 'Everything')).toBe('');
});

test('replaces a changing number in an address with a wildcard', () => {
  expect(wildcardNumbers('/customers/78', { found: '/customers/93' })).toBe('/customers/*');
  expect(wildcardNumbers('/customers/78', { found: '/customers/new' })).toBeUndefined();
  expect(wildcardNumbers('/customers/78', { found: '/login' })).toBeUndefined();
});
