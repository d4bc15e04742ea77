import { expect, test } from 'vitest';
import { otherUnit, otherUnitBeside, scalesShown } from './amount-units.ts';

test.each([
  ['Each month', 'Each year', 'year'],
  ['For the last complete calendar year. Enter 0 if there was none.', 'For the last month. Enter 0.', 'month'],
  ['Before taxes, in whole dollars.', 'Before taxes, in thousands of dollars.', 'thousands'],
  ['Before taxes', 'After taxes', 'after taxes'],
  ['Percent. The average is 5.', 'In dollars. The average is 2,500.', 'dollars'],
  ['Whole amounts only', 'Whole amounts only, per week', 'week'],
  ['Monatlich', 'Jährlich', 'year'],
  ['Montant par mois', 'Montant par an', 'year'],
  ['5 %', '$', 'dollars'],
])('detects another unit: %j, then %j', (before, now, unit) => {
  expect(otherUnit(before, now, 'Income')).toBe(unit);
});

test.each([
  ['Each month', 'Every month', 'Income'],
  ['Each month', 'The amount on your payslip', 'Income'],
  ['For the last complete calendar year', 'For the last calendar year, if you had any', 'Income'],
  ['Whole numbers', 'Whole numbers. You can change it at the end of the month.', 'Income'],
  ['Whole numbers', 'Whole numbers, before you moved this year', 'Income'],
  ['Without commas', 'Without commas, per month', 'Monthly income'],
  ['Whole numbers', 'Whole dollars', 'Income'],
  ['Before taxes', 'Before taxes, in US dollars', 'Income'],
])('detects no other unit: %j, then %j', (before, now, beside) => {
  expect(otherUnit(before, now, beside)).toBeUndefined();
});

test('detects only a replaced unit beside a field', () => {
  expect(otherUnitBeside('per year', 'per month')).toBe('month');
  expect(otherUnitBeside('In dollars', 'In thousands of dollars')).toBe('thousands');
  expect(otherUnitBeside('per year', 'per year, $400 per month')).toBeUndefined();
  expect(otherUnitBeside('Whole numbers', '$400 per month')).toBeUndefined();
});

test('derives the scales of a number from the shown unit', () => {
  expect(scalesShown('Income in dollars')).toEqual([2]);
  expect(scalesShown('Interest rate (%)')).toEqual([-2]);
  expect(scalesShown('Assets, in thousands')).toEqual([3]);
  expect(scalesShown('Age')).toEqual([]);
});
