import { describe, expect, test } from 'vitest';
import { buildPagePatterns, createRedactor, SECRET_MARK } from './redactor.ts';

const value = 'p@ss "w<o>rd" & ünï/+=';
const redactor = createRedactor([value, 'other-token']);

test.each([
  ['as it is', value],
  ['in JSON', JSON.stringify({ password: value })],
  ['in JSON within JSON', JSON.stringify(JSON.stringify({ password: value }))],
  ['in a URL', `https://x.example/?p=${encodeURIComponent(value)}`],
  ['in a form', new URLSearchParams({ p: value }).toString()],
  ['in HTML', value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')],
  ['in base64', Buffer.from(value).toString('base64')],
  ['in a basic header', `Basic ${Buffer.from(`admin:${value}`).toString('base64')}`],
  ['in another basic header', `Basic ${Buffer.from(`me:${value}:x`).toString('base64url')}`],
  ['in hexadecimal', Buffer.from(value).toString('hex').toUpperCase()],
])('finds a value %s', (_how, text) => {
  const clean = redactor.text(`before ${text} after`);
  expect(clean).toContain(SECRET_MARK);
  expect(clean).toMatch(/^before .* after$/s);
  expect(clean).not.toContain('ünï');
  expect(redactor.finds(text)).toBe(true);
  expect(redactor.finds('nothing to see')).toBe(false);
});

describe('a partly escaped value', () => {
  const mixed = createRedactor(['Tr"ä<&u\\m 9!']);
  const binary = (text: string) => Buffer.concat([Buffer.from([0xff, 0]), Buffer.from(text)]);
  test.each([
    'Tr&#34;ä&lt;&amp;u\\m 9!',
    'Tr"ä&lt;&amp;u\\m 9!',
    'Tr&#x22;&auml;&#060;&#x00026;u&bsol;m&#32;9&#33;',
    'Tr&amp;quot;ä&amp;lt;&amp;amp;u\\m 9!',
    'Tr\\"\\u00e4\\u003C\\u0026u\\\\m 9!',
    'Tr\\\\\\"\\\\u00E4\\\\u003c\\\\u0026u\\\\\\\\m 9!',
    'Tr%22%c3%a4%3c%26u%5cm%209!',
    'Tr%2522%25C3%25A4%253C%2526u%255Cm%25209%2521',
    'Tr"%C3%A4%3C&u\\m+9!',
    '%54%72%22%c3%a4%3c%26%75%5c%6d%20%39%21',
    '&#84;&#114;&#34;&#228;&#60;&#38;&#117;&#92;&#109;&#32;&#57;&#33;',
  ])('is found in text and in bytes: %s', (spelt) => {
    expect(mixed.text(`before ${spelt} after`)).toBe(`before ${SECRET_MARK} after`);
    expect(Buffer.from(mixed.bytes(Buffer.from(`before ${spelt} after`))).toString()).toBe(
      `before ${SECRET_MARK} after`,
    );
    expect(mixed.bytes(binary(`before ${spelt} after`))).toEqual(binary(`before ${SECRET_MARK} after`));
  });

  test('is not found in text that spells something else', () => {
    for (const other of ['Tr&#35;ä&lt;&amp;v\\m 9!', 'Tr"&#x341;', 'Tr&#340;ä&lt;&amp;u\\m 9!'])
      expect(mixed.text(other)).toBe(other);
  });
});

test('builds patterns within the limit for many long secrets', () => {
  const many = Array.from({ length: 200 }, (_, i) => `pä$-${i}-${'x!y"z'.repeat(10)}`);
  const redactor = createRedactor([...many, '"'.repeat(10_000)]);
  expect(redactor.text(`see ${many[7]?.replaceAll('"', '&#34;')}.`)).toBe(`see ${SECRET_MARK}.`);
});

test('finds many long values in text and in bytes', () => {
  const many = Array.from({ length: 100 }, (_, i) => `${i}-${'k"ä9'.repeat(2_500)}`);
  const redactor = createRedactor(many);
  const [given = ''] = many.slice(42);
  for (const spelt of [given, given.toUpperCase(), JSON.stringify(given).slice(1, -1), encodeURIComponent(given)])
    expect(redactor.text(`see ${spelt}.`)).toBe(`see ${SECRET_MARK}.`);
  for (const encoding of ['utf8', 'latin1'] as const) {
    const bytes = Buffer.concat([Buffer.from([0xff]), Buffer.from(given, encoding), Buffer.from([0xff])]);
    expect(Buffer.from(redactor.bytes(bytes))).toEqual(
      Buffer.concat([Buffer.from([0xff]), Buffer.from(SECRET_MARK), Buffer.from([0xff])]),
    );
  }
});

test('builds page patterns of limited length that cover a long value completely', () => {
  const many = Array.from({ length: 100 }, (_, i) => `${i}-${'k9w4'.repeat(2_500)}`);
  const { source } = buildPagePatterns(many);
  expect(source.length).toBeLessThan(500_000);
  expect(many[42]?.replace(new RegExp(source, 'giu'), '')).toBe('');
});

test('removes the longer of two overlapping values completely', () => {
  expect(createRedactor(['abcd', 'abcdefgh']).text('abcdefgh abcd')).toBe(`${SECRET_MARK} ${SECRET_MARK}`);
});

test('hides a very short value only where it stands alone', () => {
  const short = createRedactor(['no']);
  expect(short.value(['no', 'know'])).toEqual([SECRET_MARK, 'know']);
});

test('redacts nested objects with their keys, and bytes', () => {
  const given = { list: [{ 'other-token': 1, note: 'the other-token' }], number: 3, nothing: null };
  expect(redactor.value(given)).toEqual({
    list: [{ [SECRET_MARK]: 1, note: `the ${SECRET_MARK}` }],
    number: 3,
    nothing: null,
  });
  const bytes = Buffer.concat([Buffer.from([0, 255]), Buffer.from(value), Buffer.from([1])]);
  expect(Buffer.from(redactor.bytes(bytes)).includes(value)).toBe(false);
  const picture = Buffer.from([137, 80, 78, 71]);
  expect(redactor.bytes(picture)).toBe(picture);
});

test('hides user names as words, and secrets anywhere', () => {
  const both = createRedactor(['admin', 'pa55-word'], ['admin']);
  expect(both.text('admin (Admin) administers with pa55-words')).toBe(
    `${SECRET_MARK} (${SECRET_MARK}) administers with ${SECRET_MARK}s`,
  );
});

test('changes nothing without values', () => {
  expect(createRedactor(['']).text('text')).toBe('text');
});
