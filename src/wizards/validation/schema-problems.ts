import { isJsonObject, type Json, type JsonObject } from '../../platform/json.ts';
import { schemaProperty } from '../files/required-fields.ts';
import type { WizardAnswer } from './answers.ts';
import { toIsoDate } from './read-dates.ts';
import type { SchemaCompiler, SchemaError } from './schema-compiler.ts';

export interface SchemaProblem {
  /** The top-level property. For a rule between several: the first one that it names, or an empty text. */
  field: string;
  /** A required property is missing. */
  missing: boolean;
  error: string;
  expected: string;
}

/** The problems of data against a user-data schema. */
export function findSchemaProblems(schema: JsonObject, data: JsonObject, schemas: SchemaCompiler): SchemaProblem[] {
  const errors = schemas.check(schema, data);
  // Of anyOf and oneOf only the whole is reported: none of its rules alone has to hold.
  const choices = errors.filter(({ keyword, instancePath }) => instancePath === '' && /^(any|one)Of$/.test(keyword));
  const isInside = ({ schemaPath }: SchemaError) => choices.some((one) => schemaPath.startsWith(`${one.schemaPath}/`));
  return errors.filter((error) => !isInside(error)).flatMap((error) => problemOf(error) ?? []);
}

function problemOf(error: SchemaError): SchemaProblem | undefined {
  const [, top] = error.instancePath.split('/');
  if (top === undefined) return problemOfObject(error);
  // The parts of a rule are reported one by one, so the rule as a whole adds nothing.
  if (['if', 'anyOf', 'oneOf', 'allOf'].includes(error.keyword)) return undefined;
  const inside = error.instancePath.split('/').slice(2).join('.');
  const message = `${inside ? `${inside} ` : ''}${error.message ?? 'is not valid'}`;
  return { field: unescaped(top), missing: false, error: message, expected: expectedBy(error) };
}

/** A problem of the data as a whole, or of a rule between fields. */
function problemOfObject(error: SchemaError): SchemaProblem | undefined {
  const params: Record<string, unknown> = error.params;
  const { keyword } = error;
  const missing = params['missingProperty'];
  if (typeof missing === 'string') {
    const by = typeof params['property'] === 'string' ? ` together with ${params['property']}` : '';
    return { field: missing, missing: true, error: `is missing${by}`, expected: '' };
  }
  const extra = params['additionalProperty'] ?? params['unevaluatedProperty'] ?? params['propertyName'];
  if (typeof extra === 'string')
    return { field: extra, missing: false, error: 'is not allowed by the schema', expected: 'nothing' };
  if (keyword === 'if') return undefined;
  const named = namesIn(error.schema);
  const [field = ''] = named;
  const others = named.slice(1, 5).join(', ');
  const why = typeof error.explanation === 'string' ? `: ${error.explanation.slice(0, 200)}` : '';
  const together = others ? `together with ${others} ` : '';
  const says = keyword === 'not' ? 'is excluded' : (error.message ?? 'is not valid');
  return { field, missing: false, error: `${together}${says} by a rule of the schema${why}`, expected: keyword };
}

/** The properties that a rule names, in its order. */
function namesIn(rule: unknown): string[] {
  const found = new Set<string>();
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) walk(one);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    for (const [key, inside] of Object.entries(value)) {
      if (key === 'required' && Array.isArray(inside)) for (const name of inside) found.add(String(name));
      if (key === 'properties' && isRecord(inside)) for (const name of Object.keys(inside)) found.add(name);
      walk(inside);
    }
  };
  walk(rule);
  return [...found];
}

const isRecord = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

const unescaped = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~');

function expectedBy({ keyword, params }: SchemaError): string {
  const said: Record<string, unknown> = params;
  if (keyword === 'enum' && Array.isArray(said['allowedValues']))
    return `one of: ${said['allowedValues'].slice(0, 12).join(', ')}`;
  if (keyword === 'pattern') return `string matching ${said['pattern']}`;
  if (keyword === 'type') return String(said['type']);
  if (keyword === 'format') return String(said['format']);
  if (typeof said['limit'] === 'number') return `${said['comparison'] ?? keyword} ${said['limit']}`;
  return keyword;
}

/** An answer as JSON of the type that the schema requires. */
export function answerToJson(answer: WizardAnswer, schema: JsonObject | undefined): Json {
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
      return toIsoDate(answer.date);
    case 'group':
      return rowToJson(answer.parts, schema);
    case 'rows': {
      const items = schema?.['items'];
      return answer.rows.map((row) => rowToJson(row, isJsonObject(items) ? items : undefined));
    }
  }
}

function rowToJson(row: ReadonlyMap<string, WizardAnswer>, schema: JsonObject | undefined): JsonObject {
  return Object.fromEntries(
    [...row].map(([id, answer]) => [id, answerToJson(answer, schema && schemaProperty(schema, id))]),
  );
}

/** Converts a text to a number or boolean if the schema requires one. */
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
