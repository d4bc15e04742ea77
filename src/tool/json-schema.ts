import { toJSONSchema, type ZodObject } from 'zod';
import { isJsonObject, type JsonObject } from '../platform/json.ts';
import type { ObjectSchema } from './catalog.ts';

/** JSON Schema 2020-12 is the protocol's default dialect, so `$schema` would only cost tokens. */
export function objectSchema(schema: ZodObject, io: 'input' | 'output'): ObjectSchema {
  const { $schema, ...converted } = toJSONSchema(schema, { io, override: dropRedundantKeywords });
  const { type, properties, ...rest }: JsonObject = JSON.parse(JSON.stringify(converted), freeForm);
  if (type !== 'object' || !isJsonObject(properties)) throw new Error(`the ${io} schema is not an object`);
  return { type, properties, ...rest };
}

/** More characters or pages than a model asks for. */
const BEYOND_USE = 1_000;

/**
 * What tells a model nothing: that integers are safe and counts not negative, that a text it must give is not empty, how long a
 * list or a long text may get. The arguments are checked all the same.
 */
function dropRedundantKeywords({
  jsonSchema,
}: {
  jsonSchema: { minimum?: number; maximum?: number; minLength?: number; maxLength?: number; maxItems?: number };
}): void {
  const { minimum, maximum = 0, maxLength = 0 } = jsonSchema;
  if (minimum === Number.MIN_SAFE_INTEGER || minimum === 0 || minimum === 1) delete jsonSchema.minimum;
  if (maximum > BEYOND_USE) delete jsonSchema.maximum;
  if (maxLength >= BEYOND_USE) delete jsonSchema.maxLength;
  if (jsonSchema.minLength === 1) delete jsonSchema.minLength;
  delete jsonSchema.maxItems;
}

/** `additionalProperties: {}` as `true`, which means the same. Some hosts reject schemas without a keyword. */
function freeForm(key: string, value: unknown): unknown {
  const isEmpty = isJsonObject(value) && Object.keys(value).length === 0;
  return key === 'additionalProperties' && isEmpty ? true : value;
}
