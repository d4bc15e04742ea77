import { expect, test } from 'vitest';
import { snakeCase } from './field-id.ts';

test.each([
  ['What is the student’s date of birth?', 'student_date_of_birth'],
  ["Parent's Adjusted Gross Income", 'parent_adjusted_gross_income'],
  ['Enter your ZIP code *', 'zip_code'],
  ['2024 income', '_2024_income'],
  ['Año de nacimiento', 'ano_de_nacimiento'],
  ['fsa_Input_ParentIncome', 'fsa_input_parent_income'],
  ['שם פרטי', ''],
  ['😀', ''],
])('converts %s to %s', (words, id) => {
  expect(snakeCase(words)).toBe(id);
});

test('cuts a long question between words', () => {
  const id = snakeCase('How many people are in the household, counting yourself and all of your dependents?');
  expect(id).toBe('how_many_people_are_in_the_household_counting');
});
