import { expect, test } from 'vitest';
import { chooseStartUrl, isSameSite } from './start-url.ts';

test.each([
  ['https://shop.example', 'https://shop.example/login', true],
  ['https://shop.example', 'https://www.shop.example', true],
  ['http://shop.example', 'https://www.shop.example', true],
  ['https://shop.example', 'http://shop.example', false],
  ['https://shop.example', 'https://shop.example:8443', false],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3001', false],
  ['https://shop.example', 'https://shop.example.evil.example', false],
  ['https://shop.example', 'https://evil-shop.example', false],
  ['https://a.pages.example', 'https://b.pages.example', false],
])('isSameSite of %s and %s is %s', (known, other, isTrusted) => {
  expect(isSameSite(new URL(known), new URL(other))).toBe(isTrusted);
});

test('follows a redirect to https and www, but not to other sites or to http', () => {
  const from = (asked: string, landed: string) => chooseStartUrl(new URL(asked), new URL(landed)).href;
  expect(from('http://shop.example/', 'https://www.shop.example/')).toBe('https://www.shop.example/');
  expect(from('https://shop.example/', 'https://shop.example/en')).toBe('https://shop.example/');
  expect(from('https://shop.example/', 'https://evil.example/')).toBe('https://shop.example/');
  expect(from('https://shop.example/', 'http://www.shop.example/')).toBe('https://shop.example/');
  expect(() => from('https://shop.example/', 'http://shop.example/')).toThrow(/not encrypted/);
});
