import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLiteralSearch, type Literal } from './literal-search.ts';

const positions = (text: string, ...literals: Literal[]) =>
  createLiteralSearch(literals)
    .find(text)
    .map(({ start, end, entry }) => ({ start, end, form: entry.form }));

test('finds the same occurrences as a search for each literal', () => {
  const piece = fc.stringMatching(/^[abAB]{4,9}$/);
  const long = fc.tuple(piece, fc.integer({ min: 1, max: 40 })).map(([one, times]) => one.repeat(times));
  const text = fc.array(fc.oneof(piece, long, fc.constant('é ')), { maxLength: 8 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.array(fc.oneof(piece, long), { minLength: 1, maxLength: 6 }), (within, forms) => {
      const expected = [...new Set(forms)].flatMap((form) =>
        [...within.toLowerCase()].flatMap((_, start) =>
          within.toLowerCase().startsWith(form.toLowerCase(), start) ? [{ start, end: start + form.length, form }] : [],
        ),
      );
      const found = positions(within, ...[...new Set(forms)].map((form) => ({ form, mayOverlap: true })));
      const byPosition = (a: (typeof found)[0], b: (typeof found)[0]) =>
        a.start - b.start || (a.form < b.form ? -1 : 1);
      expect(found.toSorted(byPosition)).toEqual(expected.toSorted(byPosition));
    }),
  );
});

test('reports occurrences of one literal without overlap', () => {
  expect(positions('aaaaaaaaa', { form: 'aaaa' })).toEqual([
    { start: 0, end: 4, form: 'aaaa' },
    { start: 4, end: 8, form: 'aaaa' },
  ]);
});

test('keeps positions where a letter changes its length with its case', () => {
  expect(positions('İİ PASS', { form: 'pass' })).toEqual([{ start: 3, end: 7, form: 'pass' }]);
  expect(positions('ΟΔΟΣ x', { form: 'οδος' })).toEqual([{ start: 0, end: 4, form: 'οδος' }]);
});

test('obeys case and boundaries', () => {
  const boundary = /[\p{L}\p{N}]/u;
  expect(positions('Rosa rosa', { form: 'rosa', isCaseSensitive: true })).toEqual([{ start: 5, end: 9, form: 'rosa' }]);
  expect(positions('rosary 𝐀rosa prosa rosa.', { form: 'rosa', boundary })).toEqual([
    { start: 20, end: 24, form: 'rosa' },
  ]);
});
