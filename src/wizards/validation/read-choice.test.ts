import { describe, expect, test } from 'vitest';
import { readSingleAnswer } from './test-support.ts';

const select = (options: (string | [value: string, site_value: string])[], more: object = {}) => ({
  field_type: 'select',
  options: options.map((option) =>
    typeof option === 'string'
      ? { value: option, label: option }
      : { value: option[0], label: option[0], site_value: option[1] },
  ),
  ...more,
});

describe('a choice', () => {
  test.each([
    [["Bachelor's degree", "Master's degree"], 'Bachelor', "Bachelor's degree"],
    [['Illinois (IL)', 'Indiana (IN)'], 'in', 'Indiana (IN)'],
    [['US - United States', 'FR - France'], 'United States', 'US - United States'],
    [['Yes, I agree', 'No, I do not'], 'yes', 'Yes, I agree'],
    [['1 adult', '2 adults'], '1', '1 adult'],
  ])('of %j is read from its part %s', (options, given, value) => {
    const { answer, note } = readSingleAnswer(select(options), given);
    expect(answer).toEqual({ kind: 'choice', value });
    expect(note).toBe(`read as ${value}`);
  });

  test.each([
    [['Yes, always', 'Yes, sometimes'], 'yes', 'could be "Yes, always" or "Yes, sometimes"'],
    [['Single', 'Not married'], 'married', 'is not one of the choices'],
    [['Self employed', 'Retired'], 'employed', 'is not one of the choices'],
    [['1,000 to 5,000', 'More'], '1', 'is not one of the choices'],
    [['5 to 10 years', 'Longer'], '5', 'is not one of the choices'],
    [['Unmarried', 'Widowed'], 'un', 'is not one of the choices'],
  ])('of %j is not read from %s', (options, given, error) => {
    expect(readSingleAnswer(select(options), given).error).toContain(error);
  });

  test("is read from the site's own value, except beside labels that are numbers", () => {
    const rooms = select([
      ['One room', '1'],
      ['Two rooms', '2'],
    ]);
    expect(readSingleAnswer(rooms, '2').answer).toEqual({ kind: 'choice', value: 'Two rooms' });
    expect(readSingleAnswer(rooms, 1).answer).toEqual({ kind: 'choice', value: 'One room' });
    const numbers = select([
      ['1', '0'],
      ['2', '1'],
    ]);
    expect(readSingleAnswer(numbers, '1').answer).toEqual({ kind: 'choice', value: '1' });
    expect(readSingleAnswer(numbers, '0').error).toContain('is not one of the choices');
  });

  test('reports all wrong choices of a list at once', () => {
    const { error } = readSingleAnswer(select(['Red', 'Blue'], { multiple: true }), ['Red', 'Grey', 'Pink']);
    expect(error).toMatch(/^\[1\] is not one .*; \[2\] is not one /);
  });
});

test.each(['x', '1', '0', 1, 0, [1], [true], {}, 'none', 'selected'])('does not tick a checkbox for %j', (given) => {
  expect(readSingleAnswer({ field_type: 'checkbox' }, given).error).toBe('is neither true nor false');
});

describe('a number with its unit', () => {
  test.each([
    ['Height (cm)', '180 cm', '180'],
    ['Height (m)', '1.8 m', '1.8'],
    ['Income', '1.8 m', '1800000'],
    ['Height in metres', '1.8 m', '1.8'],
    ['Weight', '82,5 kg', '82.5'],
    ['Price in euros', '€ 1.200,50', '1200.5'],
    ['Rate', "1'250.50", '1250.5'],
    ['Rate', '5,5 %', '5.5'],
    ['Distance', '1.234.567', '1234567'],
  ])('for %s is read from %s', (label, given, text) => {
    expect(readSingleAnswer({ field_type: 'number', label }, given).answer).toEqual({ kind: 'text', text });
  });

  test.each([
    ['Height in inches', '180 cm', 'is in centimetres, but the field asks for inches'],
    ['Price in euros', '$12', 'is in dollars, but the field asks for euros'],
    ['Weight', '82 stones', 'is not a number'],
    ['Price', '€12 usd', 'is not a number'],
    ['Price', '1.2,3', 'is not a number'],
  ])('for %s is rejected: %s', (label, given, error) => {
    expect(readSingleAnswer({ field_type: 'number', label }, given).error).toBe(error);
  });
});
