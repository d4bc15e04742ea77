import { fuzzedArguments, type KnownValues, type Schema } from '../soak/fuzzed-arguments.ts';

export interface HostileCall {
  /** Argument and what is wrong with it. */
  name: string;
  args: Record<string, unknown>;
}

/** Below the limit of a message over HTTP: 4 MiB and 21,000 values, 72 levels deep. */
const LONG = 3_500_000;
const MANY = 9_000;
const DEEP = 60;

const pattern = (index: number) => `(a?){17}b{${index}}`;
const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: [nested(levels - 1)] });
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, index]));

const texts: [string, string][] = [
  ['long', 'x'.repeat(LONG)],
  ['long, all quotes', '"'.repeat(LONG / 2)],
  ['long, all line ends', '\n'.repeat(LONG / 2)],
  ['repeated repetition', `${'(a+)+'.repeat(100)}$`],
  ['glob', `${'*a'.repeat(100)}b`],
];

/** Arguments that are valid as far as a schema tells; every optional one is given. */
export function validArguments(schema: Schema, known: KnownValues): Record<string, unknown> {
  return fuzzedArguments(schema, known, () => 0);
}

/** Replaces each argument by everything of its type that is large, and by what is not of its type. */
export function hostileCalls(schema: Schema, known: KnownValues): HostileCall[] {
  const valid = validArguments(schema, known);
  const calls = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    hostileValues(property, known).map(([what, value]) => ({
      name: `${name}: ${what}`,
      args: { ...valid, [name]: value },
    })),
  );
  return [...calls, { name: 'unknown arguments', args: { ...valid, ...keys(MANY) } }];
}

function hostileValues(schema: Schema, known: KnownValues): [string, unknown][] {
  const types = [schema, ...(schema.anyOf ?? [])].flatMap(({ type }) => type ?? []);
  const items = [schema, ...(schema.anyOf ?? [])].find((one) => one.items)?.items;
  return [
    ...(types.includes('string') ? texts : []),
    ...(types.includes('array') ? listsOf(items ?? {}, known) : []),
    ...(types.includes('object') || types.length === 0 ? objects : []),
    ['a deep value', nested(DEEP / 2)],
  ];
}

const objects: [string, unknown][] = [
  ['many keys', keys(MANY)],
  ['many lists', Object.fromEntries(Array.from({ length: MANY / 3 }, (_, index) => [`key${index}`, ['x']]))],
];

function listsOf(items: Schema, known: KnownValues): [string, unknown][] {
  const valid = validArguments({ type: 'object', properties: { item: items }, required: ['item'] }, known)['item'];
  const size = JSON.stringify(valid)?.match(/[{[,:]/g)?.length ?? 0;
  return [
    ['many empty texts', Array.from({ length: MANY }, () => '')],
    ['many patterns', Array.from({ length: MANY }, (_, index) => pattern(index))],
    ['many empty objects', Array.from({ length: MANY }, () => ({}))],
    ['many valid items', Array.from({ length: Math.floor(MANY / (size + 1)) }, () => valid)],
  ];
}
