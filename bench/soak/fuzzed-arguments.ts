/** A JSON Schema as `tools/list` gives it. */
export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  minimum?: number;
  maximum?: number;
  format?: string;
}

/** Values that earlier calls returned under a key such as `projectId`, and addresses and paths that exist. */
export interface KnownValues {
  ids: ReadonlyMap<string, readonly string[]>;
  urls: readonly string[];
  paths: readonly string[];
}

export type Random = () => number;

/** mulberry32: a seed gives the same sequence on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const pick = <Value>(random: Random, values: readonly Value[]): Value | undefined =>
  values[Math.floor(random() * values.length)];

/** No value here is an address outside of this machine, or a path that a tool could write to. */
const hostileStrings = [
  '',
  ' ',
  '\0',
  '\u001b]0;title\u0007\u009b31m\u202eabc',
  '\ud800',
  '__proto__',
  'constructor',
  '../../../../etc/passwd',
  '/dev/zero',
  '/dev/null/x',
  "'; drop table jobs; --",
  '=HYPERLINK("x")',
  '<script>alert(1)</script>',
  '{{unique}}',
  '#{7*7}',
  '%00%ff',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'http://127.0.0.1:9/closed',
  'http://[::1',
  '2026-02-30',
  '-1',
  '1e309',
  'NaN',
  'x'.repeat(10_000),
  '🤷🏽‍♀️'.repeat(50),
  '(a+)+$',
];
const hostileValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  Number.MAX_SAFE_INTEGER,
  1e300,
  [],
  {},
  [null],
  [[[[[[]]]]]],
  { __proto__: null, toString: 'x' },
  Array.from({ length: 500 }, (_, index) => index),
  ...hostileStrings,
];

/** Probability that a field keeps a valid value instead of a hostile one. */
const VALID_SHARE = 0.85;

/** Generates arguments for a tool: about half of them are valid, the others have one or more hostile fields. */
export function fuzzedArguments(schema: Schema, known: KnownValues, random: Random): Record<string, unknown> {
  const validShare = random() < 0.5 ? 1 : VALID_SHARE;
  const value = valueFor('', schema, known, random, validShare, 0);
  const args: Record<string, unknown> = { ...(typeof value === 'object' ? value : {}) };
  if (validShare < 1 && random() < 0.1) args[pick(random, hostileStrings) || 'unknown'] = pick(random, hostileValues);
  return args;
}

function valueFor(
  key: string,
  schema: Schema,
  known: KnownValues,
  random: Random,
  validShare: number,
  depth: number,
): unknown {
  if (random() >= validShare) return pick(random, hostileValues);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return pick(random, schema.enum);
  if (schema.anyOf) return valueFor(key, pick(random, schema.anyOf) ?? {}, known, random, validShare, depth);
  const type = Array.isArray(schema.type) ? pick(random, schema.type) : schema.type;
  switch (type) {
    case 'object':
      return objectFor(schema, known, random, validShare, depth);
    case 'array': {
      const count = depth > 3 ? 0 : Math.floor(random() * 4);
      return Array.from({ length: count }, () =>
        valueFor(key.replace(/s$/, ''), schema.items ?? {}, known, random, validShare, depth + 1),
      );
    }
    case 'integer':
    case 'number':
      return numberFor(schema, random);
    case 'boolean':
      return random() < 0.5;
    case 'null':
      return null;
    case 'string':
      return stringFor(key, schema, known, random);
    default:
      return pick(random, hostileValues);
  }
}

function objectFor(schema: Schema, known: KnownValues, random: Random, validShare: number, depth: number): object {
  const required = new Set(schema.required);
  const entries = Object.entries(schema.properties ?? {})
    .filter(([name]) => (required.has(name) ? random() < validShare || validShare === 1 : random() < 0.4))
    .map(([name, property]) => [name, valueFor(name, property, known, random, validShare, depth + 1)]);
  return Object.fromEntries(entries);
}

function numberFor({ minimum = 0, maximum = 50 }: Schema, random: Random): number {
  const top = Math.min(Math.max(maximum, minimum), minimum + 50);
  return minimum + Math.floor(random() * (top - minimum + 1));
}

function stringFor(key: string, { format }: Schema, known: KnownValues, random: Random): unknown {
  if (/ur[il]$/i.test(key) || format === 'uri') return pick(random, known.urls);
  if (/path|dir|folder|file/i.test(key)) return pick(random, known.paths);
  const ids = known.ids.get(key) ?? [];
  if (ids.length > 0 && random() < 0.9) return pick(random, ids);
  if (format === 'date-time') return '2026-01-01T00:00:00Z';
  return random() < 0.7 ? `soak ${Math.floor(random() * 1000)}` : pick(random, hostileStrings);
}

/** Adds every id of a result to the known values and keeps the newest of each kind. */
export function collectIds(value: unknown, ids: Map<string, string[]>, key = ''): void {
  if (Array.isArray(value)) {
    for (const item of value.slice(0, 20)) collectIds(item, ids, key.replace(/s$/, ''));
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) collectIds(item, ids, name);
  } else if (typeof value === 'string' && /id$/i.test(key) && value.length <= 200) {
    ids.set(key, [...(ids.get(key) ?? []).filter((id) => id !== value), value].slice(-30));
  }
}
