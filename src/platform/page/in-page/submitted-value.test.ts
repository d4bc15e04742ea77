import { describe, expect, test } from 'vitest';
import { compareSubmittedValue } from './submitted-value.ts';

test.each([
  ['85,000', '85000'],
  ['$1,234.50', '1234.5'],
  ['12.50', '1250'],
  ['60.000,00 €', '60000'],
  ['05', '5'],
  ['05/15/2007', '2007-05-15'],
  ['05/15/2007', '20070515'],
  ['15.05.2007', '2007-05-15'],
  ['2027-06-16', '2027-06-16T00:00:00'],
  ['2027-06-16', '2027-06-15T22:00:00.000Z'],
  ['2027-06-16', '1813104000000'],
  ['2027-06-16', '1813104000'],
  ['2027-06-16', 'Wed Jun 16 2027 00:00:00 GMT-0500 (Central Daylight Time)'],
  ['05/15/2007', '15 May 2007'],
  ['14:30', '2:30 PM'],
  ['14:30', '14:30:00'],
  ['3125550188', '13125550188'],
  ['(555) 010-9999', '+15550109999'],
  ['020 7946 0958', '+442079460958'],
  ['123-45-6789', '123456789'],
  ['DE89 3704 0044 0532', 'DE89370400440532'],
  ['A line\nand another', 'A line\r\nand another'],
  ['anna@example.org', 'ANNA@EXAMPLE.ORG'],
  ['***-**-4321', '123-45-4321'],
  ['Zoë', 'Zo\ufffd'],
])('accepts %j submitted as %j', (current, sent) => {
  expect(compareSubmittedValue(current, sent)).toBe('same');
});

test.each([
  ['40', '41'],
  ['40', ''],
  ['-5', '5'],
  ['100000', '10000'],
  ['100000', '1000'],
  ['50', '5000'],
  ['12.5', '125'],
  ['1,234', '1.234'],
  ['1/2', '12'],
  ['2-10', '210'],
  ['40-12 Bell Blvd', '4012 Bell Blvd'],
  ['02134', '2134'],
  ['12345678901234567', '12345678901234568'],
  ['05/15/2007', '2007-05-16'],
  ['04/05/2007', '2007-05-04'],
  ['1/11/2007', '11/1/2007'],
  ['2027-06-16', '2027-06-15T00:00:00'],
  ['2027-06-16', '2027-06-18T00:00:00Z'],
  ['14:30', '2:30 AM'],
  ['3125550188', '23125550188'],
  ['Annabel', 'Anna'],
  ['Illinois', 'Iowa'],
  ['555 0109', '555 0108'],
])('rejects %j submitted as %j', (current, sent) => {
  expect(compareSubmittedValue(current, sent)).toBe('other');
});

describe('the meaning of a value', () => {
  test('includes the unit that the page shows', () => {
    expect(compareSubmittedValue('50', '5000', { scales: [2] })).toBe('same');
    expect(compareSubmittedValue('60', '60000', { scales: [3] })).toBe('same');
    expect(compareSubmittedValue('5', '0.05', { scales: [-2] })).toBe('same');
    expect(compareSubmittedValue('100000', '1000', { scales: [2, 3] })).toBe('other');
  });

  test('includes the order of date parts', () => {
    expect(compareSubmittedValue('04/05/2007', '2007-05-04', { day: '2007-05-04' })).toBe('same');
    expect(compareSubmittedValue('04/05/2007', '2007-05-04', { order: 'dmy' })).toBe('same');
    expect(compareSubmittedValue('04/05/2007', '2007-04-05', { order: 'dmy' })).toBe('other');
    expect(compareSubmittedValue('04/05/2007', '05/04/2007', { day: '2007-04-05' })).toBe('other');
    expect(compareSubmittedValue('16.06.2027', '06/16/2027')).toBe('same');
    expect(compareSubmittedValue('04/05/2007', '2007-05-04', { order: 'any' })).toBe('same');
  });

  test('includes that it is a suggestion, which may have a code', () => {
    expect(compareSubmittedValue('Oak College', '217156', { isProposal: true })).toBe('unknown');
    expect(compareSubmittedValue('Illinois', 'IL', { isProposal: true })).toBe('unknown');
    expect(compareSubmittedValue('Oak College', 'Elm College', { isProposal: true })).toBe('other');
    expect(compareSubmittedValue('Oak College', '217156')).toBe('unlike');
  });
});

test('reports opaque for a cipher and unlike for words of another kind', () => {
  expect(compareSubmittedValue('hunter2', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08')).toBe(
    'opaque',
  );
  expect(compareSubmittedValue('Anna', 'AnnaBellaCharlotteVictoriaMary')).toBe('other');
  expect(compareSubmittedValue('40', 'over')).toBe('unlike');
});
