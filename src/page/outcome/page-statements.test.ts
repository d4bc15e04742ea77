import { expect, test } from 'vitest';
import { statesThat } from './page-statements.ts';

test.each([
  'Your application has not been submitted. You still need to upload documents.',
  'Your application is incomplete.',
  'Your claim for food benefits is still on hold.',
  'We could not verify your identity.',
  'Your application is on hold because of missing documents.',
  'Your application was not sent to the agency.',
  'You have not yet signed your form.',
  'Application status: Not submitted',
  'Ihr Antrag wurde noch nicht übermittelt.',
  'Votre demande n’a pas été envoyée.',
  'When we tried to save it, an error occurred.',
  'If you see this page, there was a problem.',
  'We checked if you are eligible, but there was an error.',
  'We could not process your claim. If you need help, call us.',
])('recognizes a failure: %s', (line) => {
  expect(statesThat(line, 'plain')).toBe(true);
});

test.each([
  'If there is a problem with your application, we will contact you by email.',
  'We will contact you if there is a problem with your application.',
  'If you do not receive the email within 10 minutes, check your spam folder or please try again.',
  'We may be unable to process your claim if you do not send the documents within 30 days.',
  'We cannot process your claim if the documents are late.',
  'Falls ein Fehler aufgetreten ist, rufen Sie uns an.',
  'Your answers were not saved.',
  'Your answers are not sent to the agency.',
  'We cannot confirm your eligibility until you apply.',
  'This form is not filed with your tax return.',
  'Unfortunately you are not eligible.',
])('does not take this for a failure: %s', (line) => {
  expect(statesThat(line, 'plain')).toBe(false);
});

test('treats consent as a consequence, but not agreement links or cookie notices', () => {
  const consents = [
    'I authorize the agency to disclose my federal tax information.',
    'By clicking Continue, you certify that all of it is true.',
    'Your consent',
    'Do you agree?',
    'Hiermit stimme ich der Weitergabe zu',
    'J’accepte les conditions',
  ];
  const harmless = [
    'User agreement',
    'We ask for your consent to cookies',
    'Authorized use only',
    'Our privacy notice',
  ];
  expect(consents.filter((line) => !statesThat(line, 'consequence'))).toEqual([]);
  expect(harmless.filter((line) => statesThat(line, 'consequence'))).toEqual([]);
});

test('recognizes a rejection in a heading alone', () => {
  const line = 'Your application for heating help has been rejected.';
  expect([statesThat(line, 'refused'), statesThat(line, 'plain')]).toEqual([true, false]);
});
