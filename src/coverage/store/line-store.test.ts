import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLineStore, type LineStore } from './line-store.ts';
import { createPartStore } from './part-store.ts';

function linesIn(store: LineStore, file: number): [number, boolean][] {
  const lines: [number, boolean][] = [];
  store.visit(file, (word, found, hit) => {
    for (let bit = 0; bit < 32; bit++)
      if ((found >>> bit) & 1) lines.push([word * 32 + bit, ((hit >>> bit) & 1) === 1]);
  });
  return lines;
}

it('stores lines like a map', () => {
  const line = fc.oneof(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 1, max: 2 ** 31 - 1 }));
  const entry = fc.record({ file: fc.nat(3), line, hit: fc.boolean() });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 300 }), (entries) => {
      const store = createLineStore();
      const expected = new Map<number, Map<number, boolean>>();
      for (const { file, line, hit } of entries) {
        store.add(file, line >>> 5, 1 << line, hit ? 1 << line : 0);
        const known = expected.get(file) ?? new Map<number, boolean>();
        expected.set(file, known.set(line, (known.get(line) ?? false) || hit));
      }
      for (let file = 0; file < 4; file++) {
        const lines = [...(expected.get(file) ?? [])].sort(([a], [b]) => a - b);
        expect(linesIn(store, file)).toEqual(lines);
        const counted = { found: lines.length, hit: lines.filter(([, hit]) => hit).length };
        expect(store.count(file)).toEqual(lines.length > 0 ? counted : undefined);
        expect(store.has(file)).toBe(lines.length > 0);
      }
    }),
  );
});

it('distinguishes many files and pages', () => {
  const store = createLineStore();
  for (let file = 0; file < 3000; file++)
    for (let word = 0; word < 5; word++) store.add(file, word * 8 + (file % 8), 3, 1);
  for (let file = 0; file < 3000; file++) expect(store.count(file)).toEqual({ found: 10, hit: 5 });
});

it('allows a visitor to add to the store', () => {
  const store = createLineStore();
  for (let word = 0; word < 40; word++) store.add(0, word, 1, 0);
  store.visit(0, (word, found) => store.add(1, word + 1000, found, found));
  expect(store.count(1)).toEqual({ found: 40, hit: 40 });
});

it('throws beyond a limit', () => {
  const lines = createLineStore(2);
  const parts = createPartStore('branches', 2);
  for (const file of [0, 1]) {
    lines.add(file, 0, 1, 1);
    parts.add(file, 1, 1, true);
  }
  expect(() => lines.add(2, 0, 1, 1)).toThrow('more than 2 pages of 256 lines');
  expect(() => parts.add(2, 1, 1, true)).toThrow('more than 2 branches');
});

it('stores parts like a map', () => {
  const entry = fc.record({ file: fc.nat(2), line: fc.nat(5), name: fc.nat(40), hit: fc.boolean() });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 400 }), (entries) => {
      const store = createPartStore('parts');
      const expected = new Map<string, boolean>();
      for (const { file, line, name, hit } of entries) {
        store.add(file, line, name * 0x5000001, hit);
        const key = `${file} ${line} ${name}`;
        expected.set(key, (expected.get(key) ?? false) || hit);
      }
      for (let file = 0; file < 3; file++) {
        const parts: string[] = [];
        store.visit(file, (line, name, hit) => parts.push(`${line} ${name / 0x5000001} ${hit}`));
        const known = [...expected]
          .filter(([key]) => key.startsWith(`${file} `))
          .map(([key, hit]) => `${key.slice(2)} ${hit}`);
        expect(parts.sort()).toEqual(known.sort());
        expect(store.count(file)?.found ?? 0).toBe(known.length);
        expect(store.has(file)).toBe(known.length > 0);
      }
    }),
  );
});
