import { expect, test } from 'vitest';
import { sampleForPattern, violatePattern } from './pattern-values.ts';

const patterns = [
  '[0-9]{5}',
  '\\d{4}-\\d{2}',
  '[A-Z]{2}\\d{6}[A-Z]',
  '(?:GB|IE)-[a-z]+',
  '^[A-Za-z][A-Za-z0-9_]{3,15}$',
  '\\+?[0-9 ]{7,15}',
  '(?=.*\\d)(?=.*[a-z]).{8,}',
  '[^<>]{1,20}',
  '(a|b)?c{2,4}x*',
  'SKU-[0-9]{4}(-[A-Z]{1,2})?',
];

test.each(patterns)('%s is satisfied, and violated, by what is made for it', (pattern) => {
  const rule = new RegExp(`^(?:${pattern})$`, 'v');
  const accepted = sampleForPattern(pattern);
  expect(accepted).toMatch(rule);
  expect(violatePattern(pattern, accepted ?? '')).not.toMatch(rule);
});

test('prefers a proposed value that the pattern accepts', () => {
  expect(sampleForPattern('[0-9]{5}', ['Ada', '12345'])).toBe('12345');
});

test('returns nothing for an invalid pattern', () => {
  expect(sampleForPattern('[0-9')).toBeUndefined();
  expect(violatePattern('(', 'x')).toBeUndefined();
  expect(violatePattern('.*', 'x')).toBeUndefined();
});

test.each(['([^q]+)+[^x]', '(a+)+', '((q{9999}){9999}){99}', '(x+x+)+y', `${'('.repeat(900)}a${')'.repeat(900)}`])(
  'a pattern that would keep the process for ever, %s, is given up',
  (pattern) => {
    const sample = sampleForPattern(pattern, [
      'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!',
      'Test a1b2c3d4',
    ]);
    expect(sample?.length ?? 0).toBeLessThan(100);
    expect(violatePattern(pattern, 'a'.repeat(60))?.length ?? 0).toBeLessThan(400);
  },
);
