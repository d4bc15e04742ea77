import { describe, expect, test } from 'vitest';
import { isLoop, isSafe, joined, keyOf, matches, normalised, soundsLikeChange, templateOf } from './addresses.ts';

const url = (address: string) => new URL(address, 'http://site');

describe('an address', () => {
  test('loses what does not change the page', () => {
    expect(normalised('/a/?utm_source=x&b=2&a=1#top', 'http://site')?.href).toBe('http://site/a/?a=1&b=2');
    expect(normalised('#/orders/5', 'http://site/app')?.href).toBe('http://site/app#/orders/5');
    expect(normalised('mailto:a@b.c')).toBeUndefined();
  });

  test('is the same page with a slash at its end and without', () => {
    expect(keyOf(url('/app/?a=1'))).toBe(keyOf(url('/app?a=1')));
    expect(keyOf(url('/'))).toBe('http://site/');
    expect(templateOf(url('/orders/10021/'))).toBe('/orders/:id');
    expect(templateOf(url('/app/#/orders/10021'))).toBe('/app#/orders/:id');
  });

  test('is one of a kind, by its ids', () => {
    expect(templateOf(url('/orders/10021'))).toBe('/orders/:id');
    expect(templateOf(url('/u/3f2a9c1e-aaaa-bbbb-cccc-0123456789ab/edit'))).toBe('/u/:id/edit');
    expect(templateOf(url('/calendar/2026/11/15'))).toBe('/calendar/:id/:id/:id');
    expect(templateOf(url('/products/earl-grey'))).toBe('/products/earl-grey');
    expect(templateOf(url('/app#/orders/10021?tab=2'))).toBe('/app#/orders/:id');
  });

  test('joins with another that differs below a section, and with no other', () => {
    expect(joined('/products/earl-grey', '/products/stone-mug')).toBe('/products/:id');
    expect(joined('/about', '/contact')).toBeUndefined();
    expect(joined('/app#/about', '/app#/contact')).toBeUndefined();
    expect(joined('/#/about', '/#/contact')).toBeUndefined();
    expect(joined('/#/firms/acme', '/#/firms/globex')).toBe('/#/firms/:id');
    expect(joined('/a/b/c', '/a/x/y')).toBeUndefined();
    expect(matches('/products/:id', '/products/tea')).toBe(true);
    expect(matches('/products/:id', '/products/tea/reviews')).toBe(false);
  });

  test('is not followed where it would end, pay or delete', () => {
    const cases: [string, string][] = [
      ['/logout', 'Leave'],
      ['/items/5/delete', '×'],
      ['/items/5', 'Delete'],
      ['/pay/5', 'Go'],
      ['/orders?action=archive', 'Open'],
      ['/cart/add?id=4', 'Buy'],
      ['/exit', 'Sign out'],
      ['/app#/logout', 'Leave'],
    ];
    for (const [path, text] of cases) expect(isSafe(url(path), text), `${path} ${text}`).toBe(false);
    for (const [path, text] of [
      ['/checkout', 'Go to checkout'],
      ['/customers/add', 'Add customer'],
      ['/payments', 'Payments'],
    ] as const)
      expect(isSafe(url(path), text), path).toBe(true);
  });

  test('that repeats itself is a loop', () => {
    expect(isLoop(url('/a/b/a/b/a/b'))).toBe(true);
    expect(isLoop(url('/a/b/c'))).toBe(false);
  });
});

test.each([
  ['/api/create?x=1', true],
  ['/basket?add=3', true],
  ['/cart/add/7', true],
  ['/items/7/delete', true],
  ['/orders/update', true],
  ['/customers/new', false],
  ['/api/orders/12', false],
  ['/address', false],
  ['/assets/add.js', false],
])('a script that asks for %s sounds as if it changed something: %s', (path, isSuspect) => {
  expect(soundsLikeChange(new URL(path, 'https://shop.example'))).toBe(isSuspect);
});
