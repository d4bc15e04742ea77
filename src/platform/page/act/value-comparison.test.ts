import { expect, test } from 'vitest';
import { findOptionByLabel, isValueKept } from './value-comparison.ts';

test.each([
  ['85250', '$85,250.00'],
  ['5', '05'],
  ['5551234567', '(555) 123-4567'],
  ['555-123-4567', '(555) 123 4567'],
  ['123-45-6789', '123456789'],
  ['123.456.789-09', '12345678909'],
  ['01112020', '01/11/2020'],
  ['01/11/2020', '01112020'],
  ['1/1/2020', '01/01/2020'],
  ['12.05.2020', '12/05/2020'],
  ['de89 3704 0044', 'DE8937040044'],
  ['sw1a1aa', 'SW1A 1AA'],
  ['+1 555 1234567', '15551234567'],
  ['-12 C', '-12 c'],
  ['60601-1234', '606011234'],
  ['4111 1111 1111 1111', '4111111111111111'],
  ['12 C', '12C'],
  ['12 Saint-Denis St.', '12 Saint Denis St'],
  ['312-555-0188', '+1 (312) 555-0188'],
  ['+1 312 555 0188', '(312) 555-0188'],
  ['60000', '60.000,00 €'],
  ['60000', '60.000 €'],
  ['60000', '60\u202f000,00'],
  ['60000', "60'000.00 CHF"],
  ['1234.5', '1.234,50 €'],
  ['1234567', '1.234.567'],
  ['987654321', '***-**-4321'],
  ['987-65-4321', 'XXX-XX-4321'],
  ['4111111111114321', '•••• •••• •••• 4321'],
])('accepts %s kept as %s', (asked, got) => {
  expect(isValueKept(asked, got)).toBe(true);
});

test.each([
  ['123456789012345678', '123456789012345680'],
  ['0.1234567890123456789', '0.1234567890123456788'],
  ['3/4', '34'],
  ['1/11/2020', '11/1/2020'],
  ['1-11-2020', '11-1-2020'],
  ['1/11/2020', '1112020'],
  ['-12 C', '12 C'],
  ['-12', '12'],
  ['12.5 kg', '125 kg'],
  ['12.5', '12/5'],
  ['01234', '1234'],
  ['5', ''],
  ['40-12 Bell Blvd', '4012 Bell Blvd'],
  ['40-12 Bell Blvd', '40 12 Bell Blvd'],
  ['40 12 Bell Blvd', '4012 Bell Blvd'],
  ['12 Bell Blvd', '12 BellBlvd'],
  ['2-10', '210'],
  ['1000-2000', '10002000'],
  ['3125550188', '+49 312 555 0188'],
  ['3125550188', '+1 (312) 555-0189'],
  ['60000', '60.000'],
  ['60000', '600,00 €'],
  ['85000', '850.00'],
  ['987654321', '***-**-4322'],
  ['987654321', '**-**-4321'],
  ['987654321', '*****4321x'],
  ['987654321', '*********'],
  ['4321', '4321-4321'],
])('rejects %s kept as %s', (asked, got) => {
  expect(isValueKept(asked, got)).toBe(false);
});

test('finds an option by its label although its value changed', () => {
  const was = [
    { value: '1', label: 'Single' },
    { value: '2', label: 'Married' },
  ];
  const swapped = [
    { value: '1', label: 'MARRIED' },
    { value: '2', label: 'Single' },
  ];
  expect(findOptionByLabel(was, '2', 'Married')).toBe(was[1]);
  expect(findOptionByLabel(swapped, '2', 'Married')).toBe(swapped[0]);
  expect(findOptionByLabel(swapped, '2', '')).toBe(swapped[1]);
  expect(findOptionByLabel([{ value: '2', label: 'Widowed' }], '2', 'Married')).toBeUndefined();
  const twins = ['a', 'b'].map((value) => ({ value, label: 'Other' }));
  expect(findOptionByLabel(twins, 'b', 'Other')).toBe(twins[1]);
  expect(findOptionByLabel(twins, 'c', 'Other')).toBeUndefined();
});
