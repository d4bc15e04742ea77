import fc from 'fast-check';
import picomatch from 'picomatch';
import { expect, test } from 'vitest';
import { createPathMatcher } from './scope.ts';

const options = { dot: true, noextglob: true, nonegate: true };

test('matches the same paths as picomatch', () => {
  const piece = fc.constantFrom(
    ...[
      'a',
      'b',
      '.',
      '/',
      '*',
      '**',
      '/**/',
      '?',
      '[ab]',
      '[!a]',
      '{a,b}',
      '{a,bb/c}',
      '(a|b)',
      '+',
      '!',
      '\\*',
      '{',
      ']',
    ],
    ...['src', '.ts', '-', '^', '$', '{1..3}', ',', '@', ' ', '(', '[', '\\d', '}', '|', ')', '../', './', '#', '~'],
  );
  const glob = fc
    .array(piece, { minLength: 1, maxLength: 8 })
    .map((parts) => parts.join(''))
    .filter((text) => /[*?[\]{}!]/.test(text) && !/^\.\/|\/$/.test(text));
  const path = fc
    .array(fc.constantFrom('a', 'b', 'bb', 'c', '.', '/', 'src', '.ts', '-', '1', '/src/', '{', '*', '(', '[', ' '), {
      minLength: 1,
      maxLength: 9,
    })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(glob, path, (pattern, name) => {
      const isPlain = name === pattern || name.startsWith(`${pattern}/`);
      const expected = isPlain || picomatch([pattern, `${pattern}/**`], options)(name);
      expect(createPathMatcher([pattern])(name), `${pattern} on ${name}`).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['six wildcards', `${'*a'.repeat(6)}*b`],
  ['sixty wildcards', `${'*a'.repeat(60)}*b`],
  ['folders', `${'**/*a*/'.repeat(8)}b`],
  ['choices', `${'{a,aa,aaa}'.repeat(12)}b`],
  ['a repeated group', '*(a+)+b'],
])('needs no exponential time for %s and a long name', (_what, pattern) => {
  const matches = createPathMatcher([pattern]);
  expect(matches('a'.repeat(255))).toBe(false);
  expect(matches(`${`${'a'.repeat(200)}/`.repeat(15)}c`)).toBe(false);
});
