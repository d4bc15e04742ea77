import { Ajv, type ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { Failure } from '../../platform/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../platform/json.ts';
import type { Answer } from './answers.ts';
import { isoDate } from './words.ts';

export interface SchemaProblem {
  /** The property at the top that it concerns. */
  field: string;
  /** Something is not there that has to be. */
  missing: boolean;
  error: string;
  expected: string;
}

/** What a user-data schema says against data: draft 2020-12, or draft-07 where the schema says so. */
export function problemsBy(schema: JsonObject, data: JsonObject): SchemaProblem[] {
  const check = compile(schema);
  if (check(data)) return [];
  return (check.errors ?? []).flatMap((error) => problemOf(error) ?? []);
}

function compile(schema: JsonObject) {
  const old = /draft-0[4-7]/.test(String(schema['$schema'] ?? ''));
  const { $id: _, $schema: __, ...bare } = schema;
  try {
    // To check a schema against its own meta-schema costs more than everything else; what is wrong with it shows anyway.
    const options = { allErrors: true, strict: false, meta: false, validateSchema: false } as const;
    const ajv = old ? new Ajv(options) : new Ajv2020(options);
    formats.default(ajv);
    return ajv.compile(bare);
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : '';
    throw new Failure('configuration', 'broken_wizard', `The user-data schema of the wizard is broken: ${reason}.`, {
      corrective_action: 'Mend or remove the schema file beside the wizard; without one, it is made from the fields.',
    });
  }
}

function problemOf(error: ErrorObject): SchemaProblem | undefined {
  const [, top] = error.instancePath.split('/');
  const params: Record<string, unknown> = error.params;
  if (error.keyword === 'required' && top === undefined)
    return { field: String(params['missingProperty']), missing: true, error: 'is missing', expected: '' };
  // The parts of a rule are told one by one; that the rule as a whole failed says nothing more.
  if (top === undefined || ['if', 'anyOf', 'oneOf', 'allOf', 'not'].includes(error.keyword)) return undefined;
  const inside = error.instancePath.split('/').slice(2).join('.');
  const message = `${inside ? `${inside} ` : ''}${error.message ?? 'is not valid'}`;
  return { field: unescaped(top), missing: false, error: message, expected: expectedBy(error) };
}

const unescaped = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~');

function expectedBy({ keyword, params }: ErrorObject): string {
  const said: Record<string, unknown> = params;
  if (keyword === 'enum' && Array.isArray(said['allowedValues']))
    return `one of: ${said['allowedValues'].slice(0, 12).join(', ')}`;
  if (keyword === 'pattern') return `string matching ${said['pattern']}`;
  if (keyword === 'type') return String(said['type']);
  if (keyword === 'format') return String(said['format']);
  if (typeof said['limit'] === 'number') return `${said['comparison'] ?? keyword} ${said['limit']}`;
  return keyword;
}

/** What a schema says of a property, where it says anything. */
export function propertyIn(schema: JsonObject, field: string): JsonObject | undefined {
  const properties = schema['properties'];
  const property = isJsonObject(properties) && Object.hasOwn(properties, field) ? properties[field] : undefined;
  return isJsonObject(property) ? property : undefined;
}

/** An answer as the schema wants it. */
export function asJson(answer: Answer, schema: JsonObject | undefined): Json {
  switch (answer.kind) {
    case 'text':
      return typedFor(schema, answer.text);
    case 'choice':
      return typedFor(schema, answer.value);
    case 'choices':
      return [...answer.values];
    case 'switch':
      return typedFor(schema, answer.on);
    case 'date':
      return isoDate(answer.date);
    case 'group':
      return rowAsJson(answer.parts, schema);
    case 'rows': {
      const items = schema?.['items'];
      return answer.rows.map((row) => rowAsJson(row, isJsonObject(items) ? items : undefined));
    }
  }
}

function rowAsJson(row: ReadonlyMap<string, Answer>, schema: JsonObject | undefined): JsonObject {
  return Object.fromEntries([...row].map(([id, answer]) => [id, asJson(answer, schema && propertyIn(schema, id))]));
}

/** A text as the schema wants it: a number where it says number, a boolean where it says boolean. */
function typedFor(schema: JsonObject | undefined, value: Json): Json {
  const type = schema?.['type'];
  if (typeof value === 'string' && (type === 'number' || type === 'integer')) {
    const number = Number(value);
    return value.trim() !== '' && Number.isFinite(number) ? number : value;
  }
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  if (type === 'boolean' && typeof value === 'string') return value === 'yes' ? true : value === 'no' ? false : value;
  return value;
}
