import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { Failure, quote } from '../../platform/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../platform/json.ts';
import { runWithTimeLimit } from '../../platform/text/pattern-time-limit.ts';

export interface SchemaError extends Pick<ErrorObject, 'keyword' | 'instancePath' | 'schemaPath' | 'message'> {
  params: Record<string, unknown>;
  /** The violated rule. */
  schema: unknown;
  /** The `$comment` or description of the rule. */
  explanation: unknown;
}

/** Compiles user-data schemas, each once while its text stays the same. */
export interface SchemaCompiler {
  /** The errors of data against a schema. Throws `broken_wizard` if a pattern takes too long. */
  check(schema: JsonObject, data: JsonObject): SchemaError[];
  /** Throws `broken_wizard` if the schema is invalid. */
  compile(schema: JsonObject): unknown;
}

const MAX_COMPILED = 100;

interface Compiled {
  check: ValidateFunction;
  /** The pattern that was matched last. */
  lastPattern(): string | undefined;
}

export function createSchemaCompiler(): SchemaCompiler {
  const compiled = new Map<string, Compiled>();

  function compile(schema: JsonObject): Compiled {
    const text = JSON.stringify(schema);
    const known = compiled.get(text);
    if (known) return known;
    const made = compileSchema(schema);
    const [oldest] = compiled.keys();
    if (compiled.size >= MAX_COMPILED && oldest !== undefined) compiled.delete(oldest);
    compiled.set(text, made);
    return made;
  }

  return {
    compile,
    check(schema, data) {
      const { check, lastPattern } = compile(schema);
      const passed = runWithTimeLimit(() => check(data));
      if (!passed) throw slowPatternError(schema, lastPattern());
      if (passed.value) return [];
      return (check.errors ?? []).map((error) => ({
        ...error,
        schema: error.schema,
        explanation: error.parentSchema?.['$comment'] ?? error.parentSchema?.['description'],
      }));
    },
  };
}

/** Uses the draft that the schema names. Schemas are compiled so seldom that a new Ajv each time does not matter. */
function compileSchema(schema: JsonObject): Compiled {
  const old = /draft-0[4-7]/.test(String(schema['$schema'] ?? ''));
  const { $id: _, $schema: __, ...bare } = schema;
  let last: string | undefined;
  const regExp = (source: string, flags: string) => {
    const rule = new RegExp(source, flags);
    const test = (text: string) => {
      last = source;
      return rule.test(text);
    };
    // Ajv identifies patterns by their text.
    return { test, toString: () => String(rule) };
  };
  // Only generated code in files uses this.
  regExp.code = 'new RegExp';
  try {
    const options = { allErrors: true, strict: false, verbose: true, logger: false, code: { regExp } } as const;
    const ajv = old ? new Ajv(options) : new Ajv2020(options);
    formats.default(ajv);
    return { check: ajv.compile(bare), lastPattern: () => last };
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : '';
    throw new Failure('configuration', 'broken_wizard', `The user-data schema of the wizard is broken: ${reason}.`, {
      corrective_action:
        'Fix or remove the schema file beside the wizard. Without one, the schema is derived from the fields.',
    });
  }
}

/** Does not contain the value, which may be private. */
function slowPatternError(schema: JsonObject, pattern: string | undefined): Failure {
  const name = pattern === undefined ? undefined : findPropertyWithPattern(schema, pattern);
  const what = pattern === undefined ? 'The user-data schema' : `The pattern ${quote(pattern)}`;
  const message = `${what}${name ? ` of ${name}` : ''} takes too long to check this value.`;
  return new Failure('configuration', 'broken_wizard', message, {
    corrective_action:
      'Simplify the pattern in the wizard file and in the schema file beside it: it must not repeat a repetition, as in (a+)+.',
  });
}

/** The property that uses this pattern. */
function findPropertyWithPattern(schema: Json, pattern: string): string | undefined {
  if (Array.isArray(schema))
    return schema.map((one) => findPropertyWithPattern(one, pattern)).find((name) => name !== undefined);
  if (!isJsonObject(schema)) return undefined;
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  for (const [name, rule] of Object.entries(properties))
    if (JSON.stringify(rule).includes(JSON.stringify(pattern))) return name;
  return Object.values(schema)
    .map((one) => findPropertyWithPattern(one, pattern))
    .find((name) => name !== undefined);
}
