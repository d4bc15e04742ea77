import { expect, test } from 'vitest';
import { createRedactor, REDACTED } from './redact.ts';

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
])('a value is found %s', (_how, text) => {
  const clean = redactor.text(`before ${text} after`);
  expect(clean).toContain(REDACTED);
  expect(clean).toMatch(/^before .* after$/s);
  expect(clean).not.toContain('ünï');
  expect(redactor.finds(text)).toBe(true);
  expect(redactor.finds('nothing to see')).toBe(false);
});

test('of two values the one within the other leaves nothing of it', () => {
  expect(createRedactor(['abcd', 'abcdefgh']).text('abcdefgh abcd')).toBe(`${REDACTED} ${REDACTED}`);
});

test('a very short value is hidden alone, not within words', () => {
  const short = createRedactor(['no']);
  expect(short.value(['no', 'know'])).toEqual([REDACTED, 'know']);
});

test('objects are cleaned to their depths, keys too, and bytes as they lie in a file', () => {
  const given = { list: [{ 'other-token': 1, note: 'the other-token' }], number: 3, nothing: null };
  expect(redactor.value(given)).toEqual({
    list: [{ [REDACTED]: 1, note: `the ${REDACTED}` }],
    number: 3,
    nothing: null,
  });
  const bytes = Buffer.concat([Buffer.from([0, 255]), Buffer.from(value), Buffer.from([1])]);
  expect(Buffer.from(redactor.bytes(bytes)).includes(value)).toBe(false);
  const picture = Buffer.from([137, 80, 78, 71]);
  expect(redactor.bytes(picture)).toBe(picture);
});

test('the name of a user is hidden as a word, what opens something wherever it stands', () => {
  const both = createRedactor(['admin', 'pa55-word'], ['admin']);
  expect(both.text('admin (Admin) administers with pa55-words')).toBe(
    `${REDACTED} (${REDACTED}) administers with ${REDACTED}s`,
  );
});

test('without values nothing changes', () => {
  expect(createRedactor(['']).text('text')).toBe('text');
});
