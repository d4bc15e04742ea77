import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countPairs, pairwiseRows } from './pairwise.ts';

const choices = fc
  .array(fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 }), {
    minLength: 2,
    maxLength: 5,
  })
  .map((lists) => lists.map((values, i) => ({ key: `c${i}`, values })));

test('every two values of different choices meet, in no more rows than there are combinations', () => {
  fc.assert(
    fc.property(choices, (given) => {
      const rows = pairwiseRows(given);
      for (const one of given)
        for (const other of given)
          if (one !== other)
            for (const a of one.values)
              for (const b of other.values)
                expect(rows.some((row) => row[one.key] === a && row[other.key] === b)).toBe(true);
      expect(rows.length).toBeLessThanOrEqual(given.reduce((all, { values }) => all * values.length, 1));
    }),
    { numRuns: 50 },
  );
});

test('a single choice is tried value by value', () => {
  expect(pairwiseRows([{ key: 'size', values: ['S', 'M'] }])).toEqual([{ size: 'S' }, { size: 'M' }]);
});

test('four choices of three take nine to twelve rows instead of 81', () => {
  const rows = pairwiseRows(['a', 'b', 'c', 'd'].map((key) => ({ key, values: ['1', '2', '3'] })));
  expect(rows.length).toBeLessThanOrEqual(12);
});

test('what is left out, where there are more pairs than rows, can be told', () => {
  const many = ['a', 'b', 'c'].map((key) => ({ key, values: ['1', '2', '3', '4'] }));
  expect(countPairs(many, pairwiseRows(many))).toEqual({ all: 48, untried: 0 });
  const few = pairwiseRows(many, 5);
  expect(few).toHaveLength(5);
  expect(countPairs(many, few)).toEqual({ all: 48, untried: 48 - 15 });
});
