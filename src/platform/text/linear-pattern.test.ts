import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLinearMatcher } from './linear-pattern.ts';

const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\/', '\\x61', '^', '$', '(?=.)', '(?!a)', '(?!.*b)', '/');
const { pattern } = fc.letrec<{ pattern: string; quantified: string }>((tie) => ({
  quantified: fc.oneof(
    atom,
    fc
      .tuple(
        fc.oneof(
          fc.constantFrom('a', 'b', '.', '[ab]'),
          tie('pattern').map((one) => `(?:${one})`),
        ),
        fc.constantFrom('*', '+', '?', '*?', '{2}', '{1,2}', '{1,}'),
      )
      .map((parts) => parts.join('')),
    tie('pattern').map((one) => `(${one})`),
    tie('pattern').map((one) => `(?!${one})`),
  ),
  pattern: fc
    .array(tie('quantified'), { maxLength: 4 })
    .chain((parts) => fc.boolean().map((isChoice) => parts.join(isChoice ? '|' : ''))),
}));

test('matches the same texts as a regular expression of V8', () => {
  const text = fc.array(fc.constantFrom('a', 'b', '/', 'c'), { maxLength: 7 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(pattern, fc.boolean(), text, (part, isWhole, given) => {
      const source = isWhole ? `^(?:${part})$` : part;
      expect(createLinearMatcher(source)?.(given)).toBe(new RegExp(source).test(given));
    }),
    { numRuns: 2_000 },
  );
});

test('needs no exponential time', () => {
  const text = 'a'.repeat(4_000);
  for (const source of ['^(a+)+b$', '^(?:a|a)*b$', '^(?:.*a){12}b$', '^(?:(?!.*b)a?)*b$'])
    expect(createLinearMatcher(source)?.(text), source).toBe(false);
});

test.each(['(a)\\1', '(?<=a)b', '(?<!a)b', '\\bword', '(?i:a)', 'a{5000}', '(?:a{100}){100}'])(
  'does not support %s',
  (source) => {
    expect(createLinearMatcher(source)).toBeUndefined();
  },
);
