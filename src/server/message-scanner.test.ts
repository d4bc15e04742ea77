import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMessageScanner } from './message-scanner.ts';

function scan(text: string, cuts: readonly number[] = []): string | undefined {
  const bytes = Buffer.from(text);
  const scanner = createMessageScanner();
  const borders = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  for (let i = 1; i < borders.length; i++) {
    const exceeded = scanner.scan(bytes.subarray(borders[i - 1], borders[i]));
    if (exceeded) return exceeded;
  }
  return undefined;
}

const many = (count: number, make: (i: number) => string) => Array.from({ length: count }, (_, i) => make(i)).join(',');

test.each([
  ['nested arrays', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, /nested at most 72 deep/],
  ['nested objects', `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`, /nested at most 72 deep/],
  ['many keys', `{${many(30_000, (i) => `"k${i}":1`)}}`, /at most 21000 values/],
  ['one key many times', `{${many(30_000, () => '"a":1')}}`, /at most 21000 values/],
  ['many elements', `[${many(30_000, () => '1')}]`, /at most 21000 values/],
  ['many empty objects', `[${many(11_000, () => '{}')}]`, /at most 21000 values/],
  ['brackets behind a string that ends in a backslash', `["\\\\",${'['.repeat(100)}`, /nested at most 72 deep/],
])('rejects %s', (_what, text, limit) => {
  expect(scan(text)).toMatch(limit);
});

test.each([
  ['10,000 paths', JSON.stringify({ paths: Array.from({ length: 10_000 }, (_, i) => `src/${i}.ts`) })],
  ['brackets and commas in a string', JSON.stringify('[{,'.repeat(50_000))],
  ['brackets behind an escaped quote', JSON.stringify(`"${'['.repeat(1000)}\\"${'{'.repeat(1000)}\\`)],
  ['brackets behind escapes', `"\\u0022\\n${'['.repeat(1000)}"`],
  ['a long number', '1'.repeat(100_000)],
  ['whitespace', ' '.repeat(100_000)],
])('accepts %s', (_what, text) => {
  expect(scan(text)).toBeUndefined();
});

const cuts = fc.array(fc.nat());

test('decides the same, however the bytes are split', () => {
  const text = fc.string({ unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', 'u', 'ä', '𝄞'), maxLength: 400 });
  fc.assert(
    fc.property(text, cuts, (json, at) => {
      const nested = `${'['.repeat(70)}${json}`;
      expect(scan(nested, at)).toBe(scan(nested));
    }),
  );
});

test('accepts every JSON text within the limits of nesting and values', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 20 }), cuts, (json, at) => {
      expect(scan(json, at)).toBeUndefined();
    }),
  );
});
