import { expect, test } from 'vitest';
import { isBenignMessage } from './benign-messages.ts';

test.each([
  'Thank you We received your application.',
  'Your answers have been saved.',
  'This is only an estimate.',
  'Report a problem with this page',
  'Vielen Dank!',
])('treats good news in an alert box as benign: %s', (text) => {
  expect(isBenignMessage(text)).toBe(true);
});

test.each([
  'Thank you. The age is wrong.',
  'Thank you, but your answers could not be saved.',
  'Your answers have been saved. Please correct the date.',
  'Sent without a signature? That will not do.',
  'The age is wrong.',
  'Report a problem with your age before you go on',
])('treats other alerts as complaints: %s', (text) => {
  expect(isBenignMessage(text)).toBe(false);
});
