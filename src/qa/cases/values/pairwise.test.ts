import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countPairs, pairwiseRows } from './pairwise.ts';

const choices = fc
  .array(fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 }), {
    minLength: 2,
    maxLength: 5,
  })
  .map((lists) => lists.map((values, i) => ({ key: `c${i}`, values })));

test('covers every pair of values in no more rows than combinations', () => {
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

test('uses one row per value of a single choice', () => {
  expect(pairwiseRows([{ key: 'size', values: ['S', 'M'] }])).toEqual([{ size: 'S' }, { size: 'M' }]);
});

test('covers four choices of three values in at most twelve rows', () => {
  const rows = pairwiseRows(['a', 'b', 'c', 'd'].map((key) => ({ key, values: ['1', '2', '3'] })));
  expect(rows.length).toBeLessThanOrEqual(12);
});

test('counts the pairs that the limit of rows leaves untried', () => {
  const many = ['a', 'b', 'c'].map((key) => ({ key, values: ['1', '2', '3', '4'] }));
  expect(countPairs(many, pairwiseRows(many))).toEqual({ all: 48, untried: 0 });
  const few = pairwiseRows(many, 5);
  expect(few).toHaveLength(5);
  expect(countPairs(many, few)).toEqual({ all: 48, untried: 48 - 15 });
});
