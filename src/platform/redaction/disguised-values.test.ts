import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { disguisePatterns } from './disguised-values.ts';
import { createRedactor, SECRET_MARK } from './redactor.ts';

const secret = 'Tr0ub4dor&3';
const letters = [...secret];
const redactor = createRedactor([secret]);
const apart = (by: string) => letters.join(by);

const disguises: [how: string, text: string][] = [
  ['reversed', letters.toReversed().join('')],
  ['with blanks between its characters', apart(' ')],
  ['with line ends between its characters', apart('\n')],
  ['with zero-width spaces', apart('\u200b')],
  ['with zero-width joiners and soft hyphens', apart('\u200d\u00ad')],
  ['with dashes', apart('-')],
  ['with dashes in reverse', letters.toReversed().join('-')],
  ['in two parts', 'Tr0ub 4dor&3'],
  ['in three parts of a list', 'Tr0, ub4d, or&3'],
  ['in other cases', 'tR0UB4DOR&3'],
  ['in full-width letters', 'Ｔｒ０ｕｂ４ｄｏｒ＆３'],
  ['with combining marks', apart('\u0301')],
  ['with a terminal sequence within', 'Tr0u\u001b[31mb4dor&3'],
  ['with an operating system command within', 'Tr0u\u001b]0;title\u0007b4dor&3'],
  ['with Hangul fillers', apart('\u3164')],
  ['one element for each character', letters.map((letter) => `<span class="c">${letter}</span>`).join('')],
  ['in JSON, one string for each character', JSON.stringify(letters)],
  ['in JSON within JSON', JSON.stringify(JSON.stringify(letters))],
  ['in JSON with escaped line ends', JSON.stringify(apart('\n'))],
  ['in an address with escaped blanks', apart('%20')],
  ['in an address with escaped zero-width spaces', apart('%E2%80%8B')],
  ['in HTML with entities between', apart('&#8203;')],
  [
    'in HTML with every second character escaped',
    letters.map((c, i) => (i % 2 ? c : `&#${c.charCodeAt(0)};`)).join(''),
  ],
];

test.each(disguises)('finds a value %s', (_how, text) => {
  const clean = redactor.text(`before: ${text} :after`);
  expect(clean).toMatch(/^before: [^\w]*\[secret\][^\w]*(<\/span>)? :after$|^before: .*\[secret\].* :after$/s);
  expect(clean).not.toMatch(/0.{0,30}u.{0,30}b.{0,30}4|4.{0,30}b.{0,30}u.{0,30}0/is);
  expect(redactor.finds(text)).toBe(true);
});

describe('a value split over a structure', () => {
  test('is found where each part is one character', () => {
    const clean = redactor.value({ notes: letters, more: 'stays' });
    expect(clean).toEqual({ notes: letters.map(() => SECRET_MARK), more: 'stays' });
  });

  test('is found where each message has a part', () => {
    const messages = [{ text: 'it begins with Tr0ub' }, { text: '4dor&3 is the rest' }, { text: 'stays', count: 3 }];
    expect(redactor.value(messages)).toEqual([
      { text: `it begins with ${SECRET_MARK}` },
      { text: `${SECRET_MARK} is the rest` },
      { text: 'stays', count: 3 },
    ]);
  });
});

test('finds overlapping occurrences of a long periodic value', () => {
  const long = createRedactor(['a1'.repeat(2_000)]);
  expect(long.text(`zero ${'a 1 '.repeat(3_000)}end`)).toBe(`zero ${SECRET_MARK} end`);
  expect(long.text('a 1 '.repeat(1_999))).not.toContain(SECRET_MARK);
});

test('finds a value of symbols, and a short one with separated characters', () => {
  const both = createRedactor(['§$%&/()=', '4711']);
  expect(both.text('§ $ % & / ( ) =')).toBe(SECRET_MARK);
  expect(both.text('4 7 1 1')).toBe(SECRET_MARK);
});

test('leaves harmless text unchanged', () => {
  const harmless = createRedactor(['return', 'reward', 'test', '4202', 'admin'], ['admin']);
  for (const text of [
    'there turn back',
    'a drawer',
    'in 2024, 42 02',
    'a d m i n',
    'te stories',
    'nimda',
    'latter, stones',
  ])
    expect(harmless.text(text)).toBe(text);
});

test('leaves any text unchanged that lacks the letters of a value in order', () => {
  const folded = (text: string) =>
    text
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '');
  fc.assert(
    fc.property(fc.oneof(fc.lorem({ maxCount: 200 }), fc.string({ unit: 'grapheme', maxLength: 500 })), (text) => {
      const both = [folded(secret), [...folded(secret)].toReversed().join('')];
      fc.pre(!both.some((value) => folded(text).includes(value)));
      expect(redactor.text(text)).toBe(text);
      expect(redactor.value([text, { text }])).toEqual([text, { text }]);
    }),
  );
});

test('removes any disguise of any value', () => {
  const value = fc.stringMatching(/^[a-z]{4}[0-9][A-Za-z0-9]{4,12}$/);
  const separator = fc.constantFrom(' ', '\u200b', '-', '\n', ', ', '\u00a0', '|', '\u2060', ' \u00b7 ');
  fc.assert(
    fc.property(value, separator, fc.boolean(), (given, by, isReversed) => {
      const characters = isReversed ? [...given].toReversed() : [...given];
      expect(createRedactor([given]).text(`x: ${characters.join(by)}.`)).toBe(`x: ${SECRET_MARK}.`);
    }),
  );
});

test('finds the same disguises with page patterns', () => {
  const pattern = new RegExp(disguisePatterns(secret).join('|'), 'iu');
  for (const by of ['', ' ', '\u200b', '-', '\n'])
    for (const text of [apart(by), letters.toReversed().join(by)]) expect(text).toMatch(pattern);
  expect('Trouble at the door').not.toMatch(pattern);
});
