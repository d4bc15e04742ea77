import { describe, expect, test } from 'vitest';
import {
  isRepeatingPath,
  isSafeLink,
  isStateChangingUrl,
  joinTemplates,
  matchesTemplate,
  normaliseUrl,
  scanPageKey,
  urlTemplate,
} from './site-urls.ts';

const url = (address: string) => new URL(address, 'http://site');

describe('URL rules', () => {
  test('normaliseUrl drops fragments and tracking parameters', () => {
    expect(normaliseUrl('/a/?utm_source=x&b=2&a=1#top', 'http://site')?.href).toBe('http://site/a/?a=1&b=2');
    expect(normaliseUrl('#/orders/5', 'http://site/app')?.href).toBe('http://site/app#/orders/5');
    expect(normaliseUrl('mailto:a@b.c')).toBeUndefined();
  });

  test('pageKey ignores a trailing slash', () => {
    expect(scanPageKey(url('/app/?a=1'))).toBe(scanPageKey(url('/app?a=1')));
    expect(scanPageKey(url('/'))).toBe('http://site/');
    expect(urlTemplate(url('/orders/10021/'))).toBe('/orders/:id');
    expect(urlTemplate(url('/app/#/orders/10021'))).toBe('/app#/orders/:id');
  });

  test('urlTemplate replaces ids', () => {
    expect(urlTemplate(url('/orders/10021'))).toBe('/orders/:id');
    expect(urlTemplate(url('/u/3f2a9c1e-aaaa-bbbb-cccc-0123456789ab/edit'))).toBe('/u/:id/edit');
    expect(urlTemplate(url('/calendar/2026/11/15'))).toBe('/calendar/:id/:id/:id');
    expect(urlTemplate(url('/products/earl-grey'))).toBe('/products/earl-grey');
    expect(urlTemplate(url('/app#/orders/10021?tab=2'))).toBe('/app#/orders/:id');
  });

  test('joinTemplates joins paths that differ in one segment below a section', () => {
    expect(joinTemplates('/products/earl-grey', '/products/stone-mug')).toBe('/products/:id');
    expect(joinTemplates('/about', '/contact')).toBeUndefined();
    expect(joinTemplates('/app#/about', '/app#/contact')).toBeUndefined();
    expect(joinTemplates('/#/about', '/#/contact')).toBeUndefined();
    expect(joinTemplates('/#/firms/acme', '/#/firms/globex')).toBe('/#/firms/:id');
    expect(joinTemplates('/a/b/c', '/a/x/y')).toBeUndefined();
    expect(matchesTemplate('/products/:id', '/products/tea')).toBe(true);
    expect(matchesTemplate('/products/:id', '/products/tea/reviews')).toBe(false);
  });

  test('isSafeLink rejects links that log out, pay or delete', () => {
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
    for (const [path, text] of cases) expect(isSafeLink(url(path), text), `${path} ${text}`).toBe(false);
    for (const [path, text] of [
      ['/checkout', 'Go to checkout'],
      ['/customers/add', 'Add customer'],
      ['/payments', 'Payments'],
    ] as const)
      expect(isSafeLink(url(path), text), path).toBe(true);
  });

  test('isRepeatingPath detects a path that repeats its segments', () => {
    expect(isRepeatingPath(url('/a/b/a/b/a/b'))).toBe(true);
    expect(isRepeatingPath(url('/a/b/c'))).toBe(false);
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
])('isStateChangingUrl of %s is %s', (path, isSuspect) => {
  expect(isStateChangingUrl(new URL(path, 'https://shop.example'))).toBe(isSuspect);
});
