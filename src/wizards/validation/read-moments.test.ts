import { describe, expect, test } from 'vitest';
import { readSingleAnswer } from './test-support.ts';

describe('a date', () => {
  test.each([
    ['29 February 2000'],
    ['29th of February, 2000'],
    ['Feb 29 2000'],
    ['February 29th, 2000'],
    ['Tuesday, February 29, 2000'],
    ['2000 Feb. 29'],
    ['29-Feb-2000'],
    ['29. Februar 2000'],
    ['le 29 février 2000'],
    ['29 de febrero de 2000'],
    ['29 februari 2000'],
    ['29/02/2000'],
    ['29-2-2000'],
    ['2000/02/29'],
    ['2000.2.29'],
  ])('is read from %s', (given) => {
    expect(readSingleAnswer({ field_type: 'date' }, given).answer).toEqual({
      kind: 'date',
      date: { year: 2000, month: 2, day: 29 },
    });
  });

  test.each([
    ['29 February 2001', 'does not exist in the calendar'],
    ['February 2000', 'is not a complete date'],
    ['29 February March 2000', 'is not a date'],
    ['1 jui 2000', 'is not a date'],
    ['sometime in May 2000', 'is not a date'],
    ['02-03-2000', 'could be two dates'],
    ['29/02/00', 'is not a date'],
  ])('is not read from %s', (given, error) => {
    expect(readSingleAnswer({ field_type: 'date' }, given).error).toContain(error);
  });

  test('is read in the order that a date field names', () => {
    const field = { field_type: 'date', surroundings: { placeholder: 'DD/MM/YYYY' } };
    expect(readSingleAnswer(field, '04/05/2007').answer).toMatchObject({ date: { year: 2007, month: 5, day: 4 } });
    expect(readSingleAnswer({ field_type: 'date' }, '04/05/2007').answer).toMatchObject({ date: { month: 4, day: 5 } });
  });
});

describe('a time', () => {
  test.each([
    ['10:15 PM', '22:15'],
    ['10:15pm', '22:15'],
    ['10 p.m.', '22:00'],
    ['12:00 AM', '00:00'],
    ['12:30 PM', '12:30'],
    ['9:05', '09:05'],
    ['22.15', '22:15'],
    ['22h15', '22:15'],
    ['22:15:30', '22:15:30'],
  ])('is read from %s', (given, text) => {
    expect(readSingleAnswer({ format: 'time' }, given).answer).toEqual({ kind: 'text', text });
  });

  test.each(['24:00', '10:60', '13 PM', '0 AM', '10', 'noon', 1015])('is not read from %s', (given) => {
    expect(readSingleAnswer({ format: 'time' }, given).error).toBe('is not a time');
  });

  test('is held to the limits of its field', () => {
    const field = { format: 'time', min: '09:00', max: '17:00' };
    expect(readSingleAnswer(field, '5:30 PM').error).toBe('must not be after 17:00');
    expect(readSingleAnswer(field, '8:59').error).toBe('must not be before 09:00');
    expect(readSingleAnswer(field, '5 pm').answer).toEqual({ kind: 'text', text: '17:00' });
  });
});

test.each([
  ['datetime', '29 February 2000 10:15 pm', '2000-02-29T22:15'],
  ['datetime', '2000-02-29T22:15', '2000-02-29T22:15'],
  ['datetime', '29.02.2000, 22:15', '2000-02-29T22:15'],
  ['datetime', '2000-02-29', undefined],
  ['datetime', '2000-02-30 22:15', undefined],
  ['month', '2026-05', '2026-05'],
  ['month', 'May 2026', '2026-05'],
  ['month', '5/2026', '2026-05'],
  ['month', '2026-13', undefined],
  ['week', '2026-W20', '2026-W20'],
  ['week', '2026W53', '2026-W53'],
  ['week', '2025-W53', undefined],
])('reads a field for a %s from %s as %s', (format, given, text) => {
  const { answer, error } = readSingleAnswer({ format }, given);
  expect(answer).toEqual(text === undefined ? undefined : { kind: 'text', text });
  expect(error === undefined).toBe(text !== undefined);
});
