import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { trialsForField } from './field-trials.ts';
import type { FieldConstraints } from './field-values.ts';
import { filledLength, UNIQUE_TOKEN } from './unique-token.ts';

const field = (facts: Partial<FieldConstraints>): FieldConstraints => ({
  key: 'field',
  label: 'Field',
  kind: 'text',
  required: false,
  options: [],
  ...facts,
});
const ids = (facts: Partial<FieldConstraints>) =>
  trialsForField(field(facts)).map(({ id, expected }) => `${id} ${expected}`);

// Dates near today, or a round distance away, count as relative limits.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 16, 15, 57) }));
afterAll(() => void vi.useRealTimers());

describe('trialsForField', () => {
  test('returns none for a field without constraints', () => {
    expect(ids({})).toEqual([]);
  });

  test('expects an empty required field to be rejected and observes a blank one', () => {
    expect(ids({ required: true })).toEqual(['empty rejected', 'blank observed']);
  });

  test('tries lengths at and beyond each limit', () => {
    const trials = trialsForField(field({ minLength: 3, maxLength: 10 }));
    expect(trials.map(({ value, expected, flag }) => [filledLength(value), expected, flag])).toEqual([
      [3, 'accepted', undefined],
      [2, 'rejected', 'tooShort'],
      [10, 'accepted', undefined],
      [11, 'cut', undefined],
    ]);
  });

  test('tries numbers at and beyond each limit, between steps, and text', () => {
    const trials = trialsForField(field({ kind: 'number', min: '1', max: '10', step: '2' }));
    expect(trials.map(({ value, expected }) => `${value} ${expected}`)).toEqual([
      '1 accepted',
      '-1 rejected',
      '9 accepted',
      '11 rejected',
      '4 rejected',
      '--1 rejected',
    ]);
  });

  test.each([
    [{ min: '0.01', max: '99.99', step: '0.01' }, '0.01 0 99.99 100 0.025'],
    [{ min: '0.1', max: '0.7', step: '0.1' }, '0.1 0 0.7 0.8 0.25'],
    [{ min: '-0.3', max: '0.35', step: '0.1' }, '-0.3 -0.4 0.3 0.4 -0.15'],
    [{ min: '0.5', max: '3', step: 'any' }, '0.5 -0.5 3 4'],
    [{ max: '1e3', step: '2.5', value: '0.5' }, '998 1000.5 4.25'],
    [
      { max: '99999999999999999999', step: '0.00000001' },
      '99999999999999999999 99999999999999999999.00000001 0.000000015',
    ],
    [{ min: '9', max: '1' }, ''],
  ])('of a number with %o each trial is exact', (limits, values) => {
    const trials = trialsForField(field({ kind: 'number', ...limits })).filter(({ typed }) => !typed);
    expect(trials.map(({ value }) => value).join(' ')).toBe(values);
  });

  test('tries dates one day beyond their limits, across the end of a month', () => {
    const trials = trialsForField(field({ kind: 'date', min: '2030-03-01', max: '2030-12-31' }));
    expect(trials.map(({ value }) => value)).toEqual(['2030-03-01', '2030-02-28', '2030-12-31', '2031-01-01']);
  });

  test.each([
    ['date', { min: '2030-01-01', step: '7' }, '2030-01-01 2029-12-25 2030-01-02'],
    ['time', { min: '09:00', max: '17:10', step: '900' }, '09:00 08:45 17:00 17:15 09:01'],
    ['time', { min: '00:00', max: '23:59' }, '00:00 23:59'],
    ['time', { min: '22:00', max: '06:00' }, ''],
    ['datetime', { min: '2030-01-01T00:00' }, '2030-01-01T00:00 2029-12-31T23:59'],
    ['month', { min: '2030-01', max: '2030-12' }, '2030-01 2029-12 2030-12 2031-01'],
    ['week', { min: '2027-W01', max: '2026-W53' }, ''],
    ['week', { max: '2026-W53' }, '2026-W53 2027-W01'],
  ])('a %s with %o is tried at and beyond its limits', (kind, limits, values) => {
    expect(
      trialsForField(field({ kind, ...limits }))
        .map(({ value }) => value)
        .join(' '),
    ).toBe(values);
  });

  test.each([
    ['date', { min: '2026-11-17' }, '2016-11-19'],
    ['date', { min: '2026-11-16', max: '2026-12-31' }, '2016-11-18 2026-12-31 2027-01-01'],
    ['date', { max: '2026-11-16' }, '2036-11-13'],
    ['date', { min: '1900-01-01', max: '2008-11-16' }, '1900-01-01 1899-12-31 2018-11-14'],
    ['date', { min: '2026-11-17', step: '7' }, ''],
    ['datetime', { min: '2026-11-16T15:57', max: '2027-11-16T15:57' }, '2016-11-18T15:57 2037-11-13T15:57'],
    ['month', { min: '2026-11', max: '2027-06' }, '2016-11 2027-06 2027-07'],
    ['week', { max: '2026-W47' }, '2036-W46'],
  ])('of a %s with %o nothing is tried right at a limit that moves with the days', (kind, limits, values) => {
    const trials = trialsForField(field({ kind, ...limits }));
    expect(trials.map(({ value }) => value).join(' ')).toBe(values);
  });

  test.each(['2026-11-18', '2026-12-07', '2026-12-16', '2026-12-17', '2027-02-14', '2027-11-16', '2008-11-15'])(
    'treats the maximum %s as relative to today',
    (max) => expect(ids({ kind: 'date', max })).toEqual(['above-max rejected']),
  );

  test.each(['2026-12-31', '2027-01-01', '2027-06-30', '2030-12-31', '1999-12-31', '9999-12-31'])(
    'treats the maximum %s as fixed',
    (max) => expect(ids({ kind: 'date', max })[0]).toBe('max accepted'),
  );

  test('measures a relative limit from the day on which it was seen', () => {
    const seen = new Date(2026, 8, 1);
    const until = (max: string) => trialsForField(field({ kind: 'date', max }), seen).map(({ id }) => id);
    expect(until('2026-09-08')).toEqual(['above-max']);
    expect(until('2026-11-16')).toEqual(['max', 'above-max']);
  });

  test('violates types and patterns', () => {
    expect(ids({ kind: 'email' })).toEqual(['wrong-type rejected']);
    expect(ids({ pattern: '[A-Z]{3}' })).toEqual(['pattern rejected']);
    expect(ids({ kind: 'file', accept: '.pdf' })).toEqual(['wrong-type observed']);
    expect(ids({ kind: 'file' })).toEqual([]);
  });

  test('tries lengths with values that the pattern accepts', () => {
    const trials = trialsForField(field({ pattern: '[a-z0-9]+', minLength: 4, maxLength: 12 }));
    for (const { id, value, expected } of trials)
      if (id !== 'pattern' && expected !== 'cut')
        expect(value.replace(UNIQUE_TOKEN, 'a1b2c3d4')).toMatch(/^[a-z0-9]+$/);
    expect(trials.map(({ id, value }) => `${id} ${filledLength(value)}`)).toEqual([
      'min-length 4',
      'below-min-length 3',
      'max-length 12',
      'above-max-length 13',
      expect.stringContaining('pattern '),
    ]);
  });

  test('makes accepted values unique as far as the length allows', () => {
    const trials = trialsForField(field({ key: 'username', label: 'User name', minLength: 8, maxLength: 20 }));
    for (const { expected, value } of trials)
      if (expected === 'accepted' || expected === 'cut') expect(value).toContain(UNIQUE_TOKEN);
  });

  test('keeps an email address valid at every length', () => {
    for (const [minLength, maxLength] of [
      [6, 12],
      [20, 64],
      [22, 254],
    ]) {
      const trials = trialsForField(field({ kind: 'email', minLength: minLength ?? 0, maxLength: maxLength ?? 0 }));
      expect(trials.map(({ id }) => id)).toContain('above-max-length');
      for (const { id, value } of trials.filter(({ flag }) => flag !== 'typeMismatch')) {
        const [name = '', domain = ''] = value.replace(UNIQUE_TOKEN, 'a1b2c3d4').split('@');
        expect(name.length, id).toBeLessThanOrEqual(64);
        expect(domain, id).toMatch(/^[a-z]{1,63}(\.[a-z]{1,63})*$/);
      }
    }
  });
});
