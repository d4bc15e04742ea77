import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { forbidden } from '../../../test/support/server/hostile-text.ts';
import { cleanText, escapeText, safeJson } from './untrusted-text.ts';

const ordinary = [
  'plain ASCII, 100 %',
  'Größe, naïve, Ελληνικά, кириллица',
  'שלום עולם',
  'مرحبا بالعالم',
  'می‌خواهم',
  'क्‍ष, क्‌ष, श्रीमान्',
  'ශ්‍රී ලංකා',
  '漢字かなカナ한국어',
  'ภาษา\u200bไทย',
  '😀 👍🏽 ❤️ 1️⃣ #️⃣ *️⃣ ™️ ☎\ufe0e ↩\ufe0f',
  '👨‍👩‍👧‍👦 👩🏽‍🚀 🏳️‍🌈 🏴‍☠️ 🚶‍➡️',
  '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} 🇳🇿',
  '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}',
  'ᠮᠣᠩ\u180bᠭᠣᠯ \u115fᅡ',
  'first\nsecond\tcell\r\nthird',
];

const sequences: [string, string, string][] = [
  ['a colour', 'a\u001b[31mb\u001b[0mc', 'abc'],
  ['a colour in the 8-bit form', 'a\u009b31mb', 'ab'],
  ['a window title', 'a\u001b]0;owned\u0007b', 'ab'],
  ['a link that ends with ST', 'a\u001b]8;;https://x.nz\u001b\\b', 'ab'],
  ['a title with an emoji in it', 'a\u001b]0;😀\u0007b', 'ab'],
  ['a device control string', 'a\u001bPq#0\u001b\\b', 'ab'],
  ['the 8-bit forms of both', 'a\u009d0;x\u009cb\u0090q\u009cc', 'abc'],
  ['a sequence without an end, whose text stays', 'a\u001b]0;b', 'a0;b'],
  ['an escape within an escape', 'a\u001b\u001b[31m[31mb', 'a[31mb'],
  ['a character set', 'a\u001b(0b', 'ab'],
  ['bell, backspace, NUL and DEL', 'a\u0007\u0008\u0000\u007fb', 'ab'],
  ['direction overrides and isolates', 'a\u202egpj.\u202c\u2066b\u2069\u200e\u200f\u061cc', 'agpj.bc'],
  ['tag characters', 'a\u{e0001}\u{e0069}\u{e0067}\u{e006e}\u{e007f}b', 'ab'],
  ['tag characters behind a flag that has its end', '🏴\u{e0067}\u{e007f}b', '🏴b'],
  ['joiners between Latin letters', 'p\u200da\u200cs\u200bs\u2060\ufeff', 'pass'],
  ['a run of joiners in Arabic', 'م\u200d\u200c\u200dر', 'م\u200dر'.replace('\u200d', '')],
  ['a run of variation selectors', '😀\ufe0f\ufe01\ufe02\u{e0101}', '😀\ufe0f'],
  ['variation selectors after letters', 'a\ufe00b\ufe0fc\ufe0e1\ufe0f#\ufe0f.\ufe0f', 'abc1#.'],
  ['other variation selectors after emoji', '😀\ufe00❤\ufe0d', '😀❤'],
  ['variation selectors after Han', '字\u{e0100}葛\u{e01ef}', '字葛'],
  ['Mongolian selectors in a row', 'ᠮ\u180b\u180c\u180d', 'ᠮ\u180b'],
  ['Hangul fillers in a row', 'a\u115f\u115f\u1160\u1160b', 'ab'],
  ['a joiner behind a selector that is removed', 'a\ufe0f\u200d😀', 'a😀'],
  ['tag letters of no flag', '🏴\u{e0069}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065}\u{e007f}', '🏴'],
  ['soft hyphens', 'Donau\u00addampf\u00adschiff', 'Donaudampfschiff'],
  ['grapheme joiners between letters', 'a\u034fb\u034fc', 'abc'],
  ['lone surrogates', 'a\ud800b\udc00', 'a\ufffdb\ufffd'],
  ['line and paragraph separators', 'a\u2028b\u2029c\u0085d\re\u000bf', 'a\nb\nc\nd\ne\nf'],
  ['characters that are none', 'a\uffff\ufdd0b', 'ab'],
];

describe('cleanText', () => {
  test.each(sequences)('removes %s', (_, given, expected) => {
    expect(cleanText(given)).toBe(expected);
  });

  test.each(ordinary)('leaves ordinary text unchanged: %s', (text) => {
    expect(cleanText(text)).toBe(text);
  });

  test('joins lines on request', () => {
    expect(cleanText('a\nb\tc\r\nd\u2028e', { multiline: false })).toBe('a b c d e');
  });

  test('cuts long text between characters and states its length', () => {
    expect(cleanText('x'.repeat(5_000), { max: 10 })).toBe(`${'x'.repeat(10)}… (5000 characters)`);
    expect(cleanText('😀'.repeat(100), { max: 5 })).toBe('😀😀… (200 characters)');
    expect(cleanText('x'.repeat(2_000))).toHaveLength(2_000);
    expect(cleanText(`${'\u001b'.repeat(1_000_000)}x`, { max: 10 }).length).toBeLessThan(40);
  });

  test('removes everything forbidden from any text, and is idempotent', () => {
    const hostile = fc.oneof(
      fc.constantFrom(...sequences.map(([, given]) => given), ...ordinary),
      fc.array(fc.nat(0x10ffff).map((code) => String.fromCodePoint(code))).map((list) => list.join('')),
      fc.array(fc.nat(0xffff).map((code) => String.fromCharCode(code))).map((list) => list.join('')),
    );
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 6 }), (parts) => {
        const clean = cleanText(parts.join(''));
        expect(clean).not.toMatch(forbidden);
        expect(clean.isWellFormed()).toBe(true);
        expect(cleanText(clean, { max: Number.POSITIVE_INFINITY })).toBe(clean);
      }),
    );
  });

  test('keeps letters, digits, punctuation and symbols of every script', () => {
    const visible = fc
      .string({ unit: 'binary' })
      .map((text) => text.replaceAll(/[^\p{L}\p{N}\p{P}\p{S}\p{M}\p{Zs}\n]|\p{Default_Ignorable_Code_Point}/gu, ''));
    fc.assert(fc.property(visible, (text) => cleanText(text) === text));
  });

  test('takes linear time', () => {
    for (const unit of ['\u001b[', '\u009d', '\u001b]0;', '\u200d', '\u001b[1;', '🏴\u{e0067}'])
      expect(cleanText(unit.repeat(200_000), { max: Number.POSITIVE_INFINITY }).length).toBeLessThan(1_000_000);
  });
});

describe('escapeText', () => {
  test('escapes invisible characters, and keeps the rest', () => {
    expect(escapeText('a\u202eb\u001bc\u{e0041}d')).toBe('a\\u202eb\\u001bc\\udb40\\udc41d');
    for (const text of ordinary.slice(0, -1)) expect(escapeText(text)).toBe(text);
    expect(escapeText('a\nb')).toBe('a\\u000ab');
    expect(escapeText('a\nb', { multiline: true })).toBe('a\nb');
  });

  test('keeps every JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = safeJson(value, 1);
        expect(text).not.toMatch(forbidden);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
