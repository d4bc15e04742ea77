import { expect, test } from 'vitest';
import { describeUniqueToken } from './unique-token-text.ts';

test('what differs from run to run is said in words, also where it was cut off', () => {
  expect(describeUniqueToken('Enter “ada.{{unique}}@example.com” in “Email”')).toBe(
    'Enter “ada.(new each time)@example.com” in “Email”',
  );
  expect(describeUniqueToken('Enter “A long text, {{uniq…” in “Text”')).toBe(
    'Enter “A long text, (new each time)…” in “Text”',
  );
  expect(describeUniqueToken('The page says “{{name}} is {…”')).toBe('The page says “{{name}} is {…”');
});
