import { expect, test } from 'vitest';
import { isKept, optionCalled } from './same-value.ts';

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
])('%s is kept as %s', (asked, got) => {
  expect(isKept(asked, got)).toBe(true);
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
])('%s is not kept as %s', (asked, got) => {
  expect(isKept(asked, got)).toBe(false);
});

test('an option is the one of its name, whatever its value is by now', () => {
  const was = [
    { value: '1', label: 'Single' },
    { value: '2', label: 'Married' },
  ];
  const swapped = [
    { value: '1', label: 'MARRIED' },
    { value: '2', label: 'Single' },
  ];
  expect(optionCalled(was, '2', 'Married')).toBe(was[1]);
  expect(optionCalled(swapped, '2', 'Married')).toBe(swapped[0]);
  expect(optionCalled(swapped, '2', '')).toBe(swapped[1]);
  expect(optionCalled([{ value: '2', label: 'Widowed' }], '2', 'Married')).toBeUndefined();
  const twins = ['a', 'b'].map((value) => ({ value, label: 'Other' }));
  expect(optionCalled(twins, 'b', 'Other')).toBe(twins[1]);
  expect(optionCalled(twins, 'c', 'Other')).toBeUndefined();
});
