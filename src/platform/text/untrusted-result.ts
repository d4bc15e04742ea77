import type { z } from 'zod';
import { getUntrustedMark, MOST_NAME_CHARACTERS, type UntrustedMark } from './untrusted-schema.ts';
import { cleanText, escapeName } from './untrusted-text.ts';

type Schema = z.core.$ZodType;

interface Position {
  schema: Schema | undefined;
  /** The mark of the schema or of an enclosing one. */
  mark: UntrustedMark | undefined;
  /** Path of the mark, or of this position without one. */
  path: string;
}

/**
 * Prepares a result for the client. Cleans every string, and escapes and cuts every key like a name. Strings that the schema
 * marks as untrusted are also cut, and `untrusted` lists their positions. Data that is already clean is not copied.
 */
export function presentResult<Data>(data: Data, schema?: Schema): { data: Data; untrusted: string[] } {
  const found = new Set<string>();
  const presented = present(data, descend({ schema: undefined, mark: undefined, path: '' }, schema, ''), found);
  return { data: presented as Data, untrusted: [...found] };
}

/** Cleans every string and key of data without a schema, such as a report. */
export function cleanValue<Data>(data: Data): Data {
  return presentResult(data).data;
}

function present(value: unknown, position: Position, found: Set<string>): unknown {
  if (typeof value === 'string') return presentString(value, position, found);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  return Array.isArray(value) ? presentList(value, position, found) : presentObject(value, position, found);
}

function presentString(value: string, { mark, path }: Position, found: Set<string>): string {
  if (!mark) return cleanText(value, { max: Number.POSITIVE_INFINITY });
  if (value !== '') found.add(path);
  return mark.kind === 'name' ? escapeName(value, mark.max) : cleanText(value, { max: mark.max });
}

function presentList(list: readonly unknown[], position: Position, found: Set<string>): unknown {
  const schema = matchUnion(position.schema, list);
  let changed = false;
  const items = list.map((item, index) => {
    const below = descend(position, itemSchema(schema, index), '[]');
    const presented = present(item, below, found);
    changed ||= presented !== item;
    return presented;
  });
  return changed ? items : list;
}

function presentObject(value: object, position: Position, found: Set<string>): unknown {
  const schema = matchUnion(position.schema, value);
  const keyMark =
    schema?._zod.def.type === 'record' ? getUntrustedMark((schema as z.core.$ZodRecord)._zod.def.keyType) : undefined;
  let changed = false;
  const taken = new Map<string, number>();
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    const below = descend(position, valueSchema(schema, key), schema && isNamed(schema, key) ? `.${key}` : '.*');
    if (keyMark && !position.mark) found.add(below.path);
    const presented = present(item, below, found);
    const name = freeKey(escapeName(key, MOST_NAME_CHARACTERS), taken);
    changed ||= presented !== item || name !== key;
    return [name, presented];
  });
  // Unlike an assignment, fromEntries keeps a key named `__proto__`.
  return changed ? Object.fromEntries(entries) : value;
}

/** Keeps keys unique after escaping and cutting. `taken` counts the uses of each key, so that many equal keys stay linear. */
function freeKey(key: string, taken: Map<string, number>): string {
  let number = taken.get(key) ?? 0;
  let name = key;
  while (taken.has(name)) name = `${key} (${++number})`;
  taken.set(key, Math.max(number, 1));
  if (name !== key) taken.set(name, 1);
  return name;
}

/** Returns the position of a child. Below a marked schema everything belongs to the mark, and the path stays that of the mark. */
function descend(around: Position, schema: Schema | undefined, step: string): Position {
  const { inner, mark } = unwrapSchema(schema);
  if (around.mark) return { schema: inner, mark: around.mark, path: around.path };
  return { schema: inner, mark, path: `${around.path}${step}`.replace(/^\./, '') };
}

/** Unwraps optional, default and similar schemas, and returns the mark of any of them. */
export function unwrapSchema(schema: Schema | undefined): {
  inner: Schema | undefined;
  mark: UntrustedMark | undefined;
} {
  let inner = schema;
  let mark: UntrustedMark | undefined;
  while (inner) {
    mark ??= getUntrustedMark(inner);
    const next = resolveLazy(inner);
    if (!next) break;
    inner = next;
  }
  return { inner, mark };
}

function resolveLazy(schema: Schema): Schema | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return def.innerType;
    case 'pipe':
      return def.out;
    case 'lazy':
      return def.getter();
    default:
      return undefined;
  }
}

/** Of a union the option that the value fits. */
export function matchUnion(schema: Schema | undefined, value: unknown): Schema | undefined {
  const def = schema && (schema as z.core.$ZodTypes)._zod.def;
  if (def?.type !== 'union') return schema;
  const option = def.options.find((each) => (each as z.ZodType).safeParse(value).success);
  return matchUnion(unwrapSchema(option).inner, value);
}

export function itemSchema(schema: Schema | undefined, index: number): Schema | undefined {
  const def = schema && (schema as z.core.$ZodTypes)._zod.def;
  if (def?.type === 'array') return def.element;
  return def?.type === 'tuple' ? (def.items[index] ?? def.rest ?? undefined) : undefined;
}

function isNamed(schema: Schema, key: string): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === 'object' && Object.hasOwn(def.shape, key);
}

export function valueSchema(schema: Schema | undefined, key: string): Schema | undefined {
  const def = schema && (schema as z.core.$ZodTypes)._zod.def;
  if (def?.type === 'record') return def.valueType;
  if (def?.type !== 'object') return undefined;
  return Object.hasOwn(def.shape, key) ? def.shape[key] : def.catchall;
}
