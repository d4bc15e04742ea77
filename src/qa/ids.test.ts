import { expect, test } from 'vitest';
import { createIdSequence } from './ids.ts';

test('creates rising ids within a millisecond and random ids otherwise', () => {
  const newId = createIdSequence();
  const ids = Array.from({ length: 20_000 }, () => newId('step', 1));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
  expect(ids.every((id) => /^step_[0-9a-km-z]{16}$/.test(id))).toBe(true);
  const others = Array.from({ length: 200 }, (_, at) => newId('step', at + 2));
  expect(others.toSorted()).not.toEqual(others);
  expect(new Set(others.map((id) => id.slice(0, 8))).size).toBeGreaterThan(190);
});
