import { expect, test } from 'vitest';
import { parseResultValue } from './result-value.ts';

test.each([
  ['$1,234', 'money', '1234'],
  ['about $1,234.50 a month', 'money', '1234.5'],
  ['$1,234 for 10 years', 'money', '1234'],
  ['−$1,500', 'money', '-1500'],
  ['(1,500)', 'number', '-1500'],
  ['-1,500', 'number', '-1500'],
  ['67 years', 'number', '67'],
  ['5.5 %', 'number', '5.5'],
  ['May 15, 2030', 'date', '2030-05-15'],
  ['You can retire on 2030-05-15.', 'date', '2030-05-15'],
  ['Yes', 'yes_no', 'yes'],
  ['No, you are not eligible', 'yes_no', 'no'],
] as const)('%j as %s is %s', (text, type, value) => {
  expect(parseResultValue(text, type)).toBe(value);
});

test.each([
  ['could not be calculated', 'money'],
  ['between $1,000 and $2,000', 'money'],
  ['call 1-800-555-0100', 'money'],
  ['Ring 555 0100', 'number'],
  ['5 of 7', 'number'],
  ['some day', 'date'],
  ['2030-05-15 or 2031-05-15', 'date'],
  ['2030-02-31', 'date'],
  ['perhaps', 'yes_no'],
  ['Nobody knows', 'yes_no'],
] as const)('%j is no %s', (text, type) => {
  expect(parseResultValue(text, type)).toBeUndefined();
});
