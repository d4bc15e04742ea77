import { expect, test } from 'vitest';
import { readable } from './readable.ts';

test('what differs from run to run is said in words, also where it was cut off', () => {
  expect(readable('Enter “ada.{{unique}}@example.com” in “Email”')).toBe(
    'Enter “ada.(new each time)@example.com” in “Email”',
  );
  expect(readable('Enter “A long text, {{uniq…” in “Text”')).toBe('Enter “A long text, (new each time)…” in “Text”');
  expect(readable('The page says “{{name}} is {…”')).toBe('The page says “{{name}} is {…”');
});
