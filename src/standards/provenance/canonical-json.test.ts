import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, digestJson } from './canonical-json.ts';

test('ignores the order of keys at any depth, but not values', () => {
  const one = { b: [{ y: 1, x: { d: null, c: 'z' } }], a: true };
  const other = { a: true, b: [{ x: { c: 'z', d: null }, y: 1 }] };
  expect(canonicalJson(one)).toBe('{"a":true,"b":[{"x":{"c":"z","d":null},"y":1}]}');
  expect(digestJson('p', one)).toBe(digestJson('p', other));
  expect(digestJson('p', one)).not.toBe(digestJson('q', one));
});

test('serializes every JSON value to the same text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const parsed = JSON.parse(canonicalJson(value));
      expect(parsed).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(parsed)).toBe(canonicalJson(value));
    }),
  );
});

test.each([undefined, Number.NaN, Number.POSITIVE_INFINITY, () => 1, 1n])('rejects %s', (value) => {
  expect(() => canonicalJson({ deep: [value] })).toThrow(TypeError);
});
