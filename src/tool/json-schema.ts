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

/** What tells a model nothing: that integers are safe, that a text it must give is not empty, how long a list may get. */
function dropRedundantKeywords({
  jsonSchema,
}: {
  jsonSchema: { minimum?: number; maximum?: number; minLength?: number; maxItems?: number };
}): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minLength === 1) delete jsonSchema.minLength;
  delete jsonSchema.maxItems;
}

/** `additionalProperties: {}` as `true`, which means the same. Some hosts reject schemas without a keyword. */
function freeForm(key: string, value: unknown): unknown {
  const isEmpty = isJsonObject(value) && Object.keys(value).length === 0;
  return key === 'additionalProperties' && isEmpty ? true : value;
}
