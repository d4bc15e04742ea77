import { describe, expect, test } from 'vitest';
import { lengthOf, UNIQUE } from './unique.ts';
import { type FieldFacts, validValue } from './values.ts';

const field = (facts: Partial<FieldFacts>): FieldFacts => ({
  key: 'field',
  label: 'Field',
  kind: 'text',
  required: false,
  options: [],
  ...facts,
});

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

  test('keep to the steps of their field', () => {
    expect(validValue(field({ kind: 'date', min: '2030-01-01', step: '7' }))).toBe('2030-06-11');
    expect(validValue(field({ kind: 'time', min: '09:00', step: '3600' }))).toBe('10:00');
    expect(validValue(field({ kind: 'number', step: '5' }))).toBe('5');
  });

  test.each([
    ['[0-9]+', 9],
    ['[a-z0-9]+', 8],
    ['[a-z]{3,}', 6],
    ['[A-Z]{2}[0-9]{2}[A-Z0-9]{1,30}', 15],
    ['([0-9]{4} ?)+', 19],
    ['(?=.*\\d)(?=.*[a-z]).+', 30],
  ])('of %s are found for a least length of %i', (pattern, minLength) => {
    const value = validValue(field({ pattern, minLength }))?.replace(UNIQUE, 'a1b2c3d4') ?? '';
    expect(value).toMatch(new RegExp(`^(?:${pattern})$`, 'v'));
    expect(value.length).toBeGreaterThanOrEqual(minLength);
  });

  test('with a pattern are another each time where it lets them be', () => {
    expect(validValue(field({ key: 'username', pattern: '[a-z0-9-]{3,20}' }))).toBe('ada-{{unique}}');
    expect(validValue(field({ key: 'username', pattern: '[a-z0-9]{8}' }))).toBe('{{unique}}');
  });

  test('keep to the lengths of their field', () => {
    for (const [minLength, maxLength] of [
      [3, 3],
      [6, 9],
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
