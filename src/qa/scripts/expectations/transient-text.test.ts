import { expect, test } from 'vitest';
import { dependsOnCurrentDate } from './transient-text.ts';

const now = new Date(2026, 10, 16, 12);
const at = (text: string, entered: string[] = []) => dependsOnCurrentDate(text, entered, now);

test.each([
  'Delivery by Thursday 19 November',
  'Prices updated 3 hours ago',
  'Arrives 2026-11-19',
  'Valid until 19/11/2026',
  'Valid until 11/19/26',
  'Lieferung bis 19.11.2026',
  'Lieferung bis 19.11.',
  'Lieferung am Donnerstag',
  'Nov 19th, 2026',
  'the 19th of November',
  'Le 19 novembre 2026',
  '19 de noviembre de 2026',
  'Delivery by Thursday',
  'Your parcel arrives on Friday.',
  'Next delivery: Monday',
  'Ready in 2 days',
  'Posted yesterday',
  'vor 3 Stunden',
  'Updated just now',
  '5m ago',
  'Kept until 14:30',
])('treats as transient: %s', (text) => {
  expect(at(text)).toBe(true);
});

test.each([
  'Founded on 4 July 1976',
  'Booked for 14 June 2030',
  'Booked for 2030-06-14',
  'Open Monday to Friday',
  'Closed on Sundays',
  'Delivered every Thursday',
  'Total 42.00',
  'Version 1.2.3',
  'Server 127.0.0.1',
  'You may order 3 items',
  'We answer within two days of work',
  'Maybe 5 customers',
  'Page 1 of 12',
  'Sign up today',
])('treats as stable: %s', (text) => {
  expect(at(text)).toBe(false);
});

test('treats a date entered by the script as stable unless it is today', () => {
  expect(at('Booked for 1 December', ['2026-12-01'])).toBe(false);
  expect(at('Booked for 1 December', ['2026-12-02'])).toBe(true);
  expect(at('Booked on 16 November', ['2026-11-16'])).toBe(true);
});
