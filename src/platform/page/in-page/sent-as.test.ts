import { expect, test } from 'vitest';
import { isSentAs } from './sent-as.ts';

test.each([
  ['85,000', '85000'],
  ['$1,234.50', '1234.5'],
  ['12.50', '1250'],
  ['05/15/2007', '2007-05-15'],
  ['(555) 010-9999', '+15550109999'],
  ['A line\nand another', 'A line\r\nand another'],
  ['anna@example.org', 'ANNA@EXAMPLE.ORG'],
  ['hunter2', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  ['Zoë', 'Zo\ufffd'],
])('%j may be sent as %j', (held, sent) => {
  expect(isSentAs(held, sent)).toBe(true);
});

test.each([
  ['40', '41'],
  ['40', ''],
  ['-5', '5'],
  ['05/15/2007', '2007-05-16'],
  ['Annabel', 'Anna'],
  ['Illinois', 'Iowa'],
  ['555 0109', '555 0108'],
])('%j may not be sent as %j', (held, sent) => {
  expect(isSentAs(held, sent)).toBe(false);
});
