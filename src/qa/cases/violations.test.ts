import { describe, expect, test } from 'vitest';
import { type FieldFacts, lengthOf, validValue } from './values.ts';
import { trialsOf } from './violations.ts';

const field = (facts: Partial<FieldFacts>): FieldFacts => ({
  key: 'field',
  label: 'Field',
  kind: 'text',
  required: false,
  options: [],
  ...facts,
});
const ids = (facts: Partial<FieldFacts>) => trialsOf(field(facts)).map(({ id, expected }) => `${id} ${expected}`);

describe('values', () => {
  test('are what somebody would write there', () => {
    expect(validValue(field({ label: 'First name' }))).toBe('Ada');
    expect(validValue(field({ autocomplete: 'postal-code', pattern: '[0-9]{4}' }))).toMatch(/^\d{4}$/);
    expect(validValue(field({ kind: 'email' }))).toContain('@example.com');
    expect(
      validValue(field({ kind: 'select', options: ['', 'UK', 'FR'].map((label) => ({ label, value: label })) })),
    ).toBe('UK');
    expect(validValue(field({ kind: 'number', min: '5', max: '5' }))).toBe('5');
    expect(validValue(field({ kind: 'number', min: '1', max: '10', value: '2' }))).toBe('3');
    expect(validValue(field({ label: 'City', autocomplete: 'address-level2' }))).toBe('London');
    expect(validValue(field({ kind: 'date', min: '2031-01-01' }))).toBe('2031-01-01');
    expect(validValue(field({ kind: 'date', label: 'Date of birth' }))).toBe('1990-05-17');
  });

  test('keep to the lengths of their field', () => {
    for (const [minLength, maxLength] of [
      [1, 3],
      [30, 40],
      [8, 8],
    ] as const)
      for (const kind of ['text', 'textarea', 'password', 'email']) {
        const length = lengthOf(validValue(field({ kind, minLength, maxLength })) ?? '');
        expect(length).toBeGreaterThanOrEqual(minLength);
        expect(length).toBeLessThanOrEqual(maxLength);
      }
  });
});

describe('trials', () => {
  test('a field without constraints gives none', () => {
    expect(ids({})).toEqual([]);
  });

  test('required: empty is specified, blank only observed', () => {
    expect(ids({ required: true })).toEqual(['empty rejected', 'blank observed']);
  });

  test('lengths are tried at and beyond each limit', () => {
    const trials = trialsOf(field({ minLength: 3, maxLength: 10 }));
    expect(trials.map(({ value, expected, flag }) => [value.length, expected, flag])).toEqual([
      [3, 'accepted', undefined],
      [2, 'rejected', 'tooShort'],
      [10, 'accepted', undefined],
      [11, 'cut', undefined],
    ]);
  });

  test('numbers are tried at and beyond each limit, between steps, and as no number', () => {
    const trials = trialsOf(field({ kind: 'number', min: '1', max: '10', step: '2' }));
    expect(trials.map(({ value, expected }) => `${value} ${expected}`)).toEqual([
      '1 accepted',
      '-1 rejected',
      '9 accepted',
      '11 rejected',
      '4 rejected',
      '--1 rejected',
    ]);
  });

  test('dates are tried a day beyond their limits, over the end of a month', () => {
    const trials = trialsOf(field({ kind: 'date', min: '2030-03-01', max: '2030-12-31' }));
    expect(trials.map(({ value }) => value)).toEqual(['2030-03-01', '2030-02-28', '2030-12-31', '2031-01-01']);
  });

  test('types and patterns are broken', () => {
    expect(ids({ kind: 'email' })).toEqual(['wrong-type rejected']);
    expect(ids({ pattern: '[A-Z]{3}' })).toEqual(['pattern rejected']);
  });
});
