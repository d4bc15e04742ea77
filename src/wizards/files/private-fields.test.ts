import { expect, test } from 'vitest';
import { isPersonalName } from './private-fields.ts';

test.each([
  'When were you born?',
  'Date of birth',
  'How much do you earn each month?',
  'How much do you get paid?',
  'Take-home pay',
  'Claimant',
  'Your spouse',
  'co-applicant 2',
  'Surname',
  'firstName',
  'A-Number',
  'Medicaid ID',
  'Claim No.',
  'claim_no',
  'Bank account',
  'Nationality',
  'Country of citizenship',
  'HIV status',
  'Any allergies?',
  'Where do you live?',
  'Place of residence',
  'Are you a permanent resident?',
  'Have you ever been convicted?',
])('treats %s as private', (name) => {
  expect(isPersonalName(name)).toBe(true);
});

test.each([
  'Number of children',
  'What is the student’s state of residence?',
  'Household size',
  'Loan amount',
  'Interest rate',
  'Filing status',
  'Year in college',
  'hobby',
  'Do you have one? Yes or no',
  'I agree to the terms and conditions',
  'Age',
  'Remarks of the applicant',
])('does not treat %s as private', (name) => {
  expect(isPersonalName(name)).toBe(false);
});
