import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSecretPlaceholders, secretNamesIn } from './secret-placeholders.ts';

const secrets = new Map([
  ['USER', 'rosa@example.com'],
  ['PASSWORD', 'pa55 word'],
  ['LOGIN', 'admin'],
]);
const positions = createSecretPlaceholders(secrets, { userNames: ['USER', 'LOGIN'] });

test('replaces values by placeholders and restores them', () => {
  const found = {
    url: 'https://admin.example/users/rosa%40example.com?p=pa55%20word',
    ladder: [{ by: 'role', value: 'Signed in as rosa@example.com' }, { value: 'administration' }],
    'admin menu': 'pa55 words',
    count: 3,
    nothing: null,
  };
  const hidden = positions.hide(found);
  expect(hidden).toEqual({
    url: 'https://admin.example/users/[secret-uri:USER]?p=[secret-uri:PASSWORD]',
    ladder: [{ by: 'role', value: 'Signed in as [secret:USER]' }, { value: 'administration' }],
    '[secret:LOGIN] menu': '[secret:PASSWORD]s',
    count: 3,
    nothing: null,
  });
  expect(URL.parse(hidden.url)?.href).toBe(hidden.url);
  expect(secretNamesIn(hidden)).toEqual(['USER', 'PASSWORD', 'LOGIN']);
  expect(positions.restore(hidden)).toEqual(found);
});

test('hides a value that a URL escapes partly', () => {
  const mixed = createSecretPlaceholders(
    new Map([
      ['PASSWORD', 'Tr"ä<&u\\m 9!'],
      ['USER', 'rosa+1@example.com'],
    ]),
    { userNames: ['USER'] },
  );
  expect(mixed.hide('https://site.test/?p=Tr%22%c3%a4%3C&u\\m%209!#x')).toBe('https://site.test/?p=[secret]#x');
  expect(mixed.hide('/users/rosa%2b1@example.com/edit')).toBe('/users/[secret]/edit');
});

test('restores any text exactly and hides every value', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.constantFrom('[secret', '[secret:USER]', ':PASSWORD]', ...secrets.values())), {
        maxLength: 6,
      }),
      (pieces) => {
        const text = pieces.join(' ');
        const hidden = positions.hide(text);
        for (const value of ['pa55 word', 'rosa@example.com']) expect(hidden).not.toContain(value);
        expect(positions.restore(hidden)).toBe(text);
      },
    ),
  );
});

test('redacts encodings that cannot be restored, and hides very short values only as whole texts', () => {
  expect(positions.hide(`/avatar/${Buffer.from('pa55 word').toString('hex')}.png`)).toBe('/avatar/[secret].png');
  const short = createSecretPlaceholders(new Map([['PIN', 'no']]));
  expect(short.hide(['no', 'know'])).toEqual(['[secret:PIN]', 'know']);
});

test('keeps the public prefix of a URL and hides the rest', () => {
  const open = createSecretPlaceholders(secrets, {
    userNames: ['USER', 'LOGIN'],
    publicUrls: ['https://site.example/admin?x=1'],
  });
  for (const same of ['https://site.example/admin/users', '/admin', '/admin#/enter'])
    expect(open.hide(same)).toBe(same);
  const others = ['https://site.example/admin/admin', '/people/admin', 'Signed in as admin', 'a[href="/admin"]'];
  for (const other of others) {
    expect(open.hide(other)).toContain('[secret:LOGIN]');
    expect(open.restore(open.hide(other))).toBe(other);
  }
  expect(open.hide('rosa@example.com')).toBe('[secret:USER]');
  const leaky = createSecretPlaceholders(secrets, { publicUrls: ['https://site.example/pa55 word/'] });
  expect(leaky.hide('https://site.example/pa55%20word/x')).not.toContain('pa55');
});

test('hides credentials in every encoding and in object keys', () => {
  const keys = createSecretPlaceholders(new Map([['PASSWORD', 'hunter2<x>']]));
  const found = {
    hunter2: 1,
    'a hunter2<x>': 2,
    usernameSecret: 'x',
    url: '/HUNTER2%3cX%3E',
    html: 'hunter2&lt;x&gt;',
  };
  expect(keys.hide(found)).toEqual({
    ...{ hunter2: 1, 'a [secret:PASSWORD]': 2, usernameSecret: 'x', url: '/[secret]', html: '[secret]' },
  });
  const plain = createSecretPlaceholders(new Map([['PASSWORD', 'hunter_2']]));
  expect(plain.hide({ hunter_2: 'x' })).toEqual({ '[secret:PASSWORD]': 'x' });
});

test('restores no value for a placeholder that a page wrote', () => {
  const evil = '/log?[secret:PASSWORD][secret-uri:USER]';
  expect(positions.hide(evil)).not.toBe(evil);
  expect(positions.restore(positions.hide(evil))).toBe(evil);
  expect(secretNamesIn(positions.hide(evil))).toEqual([]);
});

test('hides form-encoded values and keeps only the origin of a valid URL', () => {
  const url = `https://admin.example/?${new URLSearchParams({ p: 'pa55 word' })}`;
  expect(positions.hide(url)).toBe('https://admin.example/?p=[secret-form:PASSWORD]');
  expect(positions.restore(positions.hide(url))).toBe(url);
  for (const evil of ['x://[secret:PASSWORD]', 'x://my pa55 word', 'http://[secret:PASSWORD]/']) {
    expect(positions.hide(evil)).not.toContain('pa55 word');
    expect(positions.restore(positions.hide(evil))).toBe(evil);
  }
  expect(secretNamesIn(positions.hide('x://[secret:PASSWORD]'))).toEqual([]);
});

test('hides many long values, the longest where two overlap', () => {
  const values = Array.from({ length: 100 }, (_, i) => [`KEY_${i}`, `${i}-${'ab"ü'.repeat(2500)}`] as const);
  const long = createSecretPlaceholders(new Map(values), { publicUrls: ['https://site.example/x'] });
  expect(long.hide(`https://site.example/x?${values[7]?.[1]}`)).toBe('https://site.example/x?[secret:KEY_7]');
  const both = createSecretPlaceholders(
    new Map([
      ['A', 'abcdef'],
      ['B', 'defghi'],
    ]),
  );
  expect(both.hide('abcdef defghi abcdefghi')).toBe('[secret:A] [secret:B] [secret]');
});

test('keeps the placeholder of a deleted secret', () => {
  expect(positions.restore('/users/[secret:GONE]')).toBe('/users/[secret:GONE]');
});
