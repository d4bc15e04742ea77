import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type FieldConstraints, hasOnlyShortLivedValues, validValue } from './field-values.ts';
import { filledLength, UNIQUE_TOKEN } from './unique-token.ts';

const field = (facts: Partial<FieldConstraints>): FieldConstraints => ({
  key: 'field',
  label: 'Field',
  kind: 'text',
  required: false,
  options: [],
  ...facts,
});

beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 16, 15, 57) }));
afterAll(() => void vi.useRealTimers());

describe('validValue', () => {
  test('suggests a plausible value for each kind of field', () => {
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

  test('respects the steps of the field', () => {
    expect(validValue(field({ kind: 'date', min: '2030-01-01', step: '7' }))).toBe('2030-06-11');
    expect(validValue(field({ kind: 'time', min: '09:00', step: '3600' }))).toBe('10:00');
    expect(validValue(field({ kind: 'number', step: '5' }))).toBe('5');
  });

  test.each([
    ['date', { min: '2026-11-17' }, '2030-06-14'],
    ['date', { min: '2031-11-16' }, '2033-11-05'],
    ['date', { min: '2026-11-17', max: '2026-12-31' }, '2026-12-31'],
    ['date', { min: '2026-11-16', max: '2027-11-16' }, '2027-11-16'],
    ['date', { max: '2026-11-16' }, '2026-11-16'],
    ['datetime', { min: '2026-11-16T15:57' }, '2030-06-14T10:30'],
    ['month', { min: '2026-11' }, '2030-06'],
  ])('of a %s with %o are taken for as long as can be', (kind, limits, value) => {
    expect(validValue(field({ kind, ...limits }))).toBe(value);
    expect(hasOnlyShortLivedValues(field({ kind, ...limits }))).toBe(false);
  });

  test.each([
    ['date', { min: '2026-11-16', max: '2026-12-16' }],
    ['date', { min: '2026-10-17', max: '2026-11-16' }],
    ['date', { min: '2026-11-17', step: '7' }],
    ['datetime', { min: '2026-11-16T15:57:12' }],
    ['week', { min: '2026-W47', max: '2026-W48' }],
  ])('of a %s with %o are none that would be taken for long', (kind, limits) => {
    expect(hasOnlyShortLivedValues(field({ kind, ...limits }))).toBe(true);
  });

  test.each([
    ['date', 'Check-in', 'Check-out'],
    ['date', 'From', 'To'],
    ['date', 'Arrival', 'Departure'],
    ['datetime', 'Departure', 'Return'],
    ['time', 'Opens at', 'Open until'],
    ['month', 'First month', 'End of the contract'],
  ])('of a %s that begins something are before those of what ends it', (kind, begins, ends) => {
    const [from = '', to = ''] = [begins, ends].map((label) => validValue(field({ kind, label })));
    expect(from < to).toBe(true);
  });

  test('respects the maximum date as it was seen', () => {
    const day = field({ kind: 'date', max: '2026-11-21' });
    expect(validValue(day, new Date(2026, 10, 6))).toBe('2026-11-21');
  });

  test('respects date limits that have moved since they were seen', () => {
    const year = field({ kind: 'date', min: '2026-09-01', max: '2027-09-01' });
    expect(validValue(year, new Date(2026, 8, 1))).toBe('2027-11-16');
  });

  test.each([
    ['[0-9]+', 9],
    ['[a-z0-9]+', 8],
    ['[a-z]{3,}', 6],
    ['[A-Z]{2}[0-9]{2}[A-Z0-9]{1,30}', 15],
    ['([0-9]{4} ?)+', 19],
    ['(?=.*\\d)(?=.*[a-z]).+', 30],
  ])('of %s are found for a least length of %i', (pattern, minLength) => {
    const value = validValue(field({ pattern, minLength }))?.replace(UNIQUE_TOKEN, 'a1b2c3d4') ?? '';
    expect(value).toMatch(new RegExp(`^(?:${pattern})$`, 'v'));
    expect(value.length).toBeGreaterThanOrEqual(minLength);
  });

  test('is unique per run if the pattern allows it', () => {
    expect(validValue(field({ key: 'username', pattern: '[a-z0-9-]{3,20}' }))).toBe('ada-{{unique}}');
    expect(validValue(field({ key: 'username', pattern: '[a-z0-9]{8}' }))).toBe('{{unique}}');
  });

  test('respects the length limits of the field', () => {
    for (const [minLength, maxLength] of [
      [3, 3],
      [6, 9],
      [30, 40],
      [8, 8],
    ] as const)
      for (const kind of ['text', 'textarea', 'password', 'email']) {
        const length = filledLength(validValue(field({ kind, minLength, maxLength })) ?? '');
        expect(length).toBeGreaterThanOrEqual(minLength);
        expect(length).toBeLessThanOrEqual(maxLength);
      }
  });
});
