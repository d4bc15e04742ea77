import { expect, test } from 'vitest';
import { describeUniqueToken } from './unique-token-text.ts';

test('replaces the unique token with readable text, also when truncated', () => {
  expect(describeUniqueToken('Enter “ada.{{unique}}@example.com” in “Email”')).toBe(
    'Enter “ada.(new each time)@example.com” in “Email”',
  );
  expect(describeUniqueToken('Enter “A long text, {{uniq…” in “Text”')).toBe(
    'Enter “A long text, (new each time)…” in “Text”',
  );
  expect(describeUniqueToken('The page says “{{name}} is {…”')).toBe('The page says “{{name}} is {…”');
});
