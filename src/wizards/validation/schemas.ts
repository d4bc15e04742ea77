import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { Failure } from '../../platform/errors.ts';
import type { JsonObject } from '../../platform/json.ts';

export interface SchemaError extends Pick<ErrorObject, 'keyword' | 'instancePath' | 'schemaPath' | 'message'> {
  params: Record<string, unknown>;
  /** The rule that was broken. */
  schema: unknown;
  /** What whoever wrote the rule says about it. */
  said: unknown;
}

/** User-data schemas, each compiled once for as long as it stays the same. */
export interface Schemas {
  /** What a schema has against data. */
  check(schema: JsonObject, data: JsonObject): SchemaError[];
  /** Throws where the schema itself is broken. */
  compile(schema: JsonObject): ValidateFunction;
}

const KEPT = 100;

export function createSchemas(): Schemas {
  const compiled = new Map<string, ValidateFunction>();

  function compile(schema: JsonObject): ValidateFunction {
    const text = JSON.stringify(schema);
    const known = compiled.get(text);
    if (known) return known;
    const check = compileAnew(schema);
    const [oldest] = compiled.keys();
    if (compiled.size >= KEPT && oldest !== undefined) compiled.delete(oldest);
    compiled.set(text, check);
    return check;
  }

  return {
    compile,
    check(schema, data) {
      const check = compile(schema);
      if (check(data)) return [];
      return (check.errors ?? []).map((error) => ({
        ...error,
        schema: error.schema,
        said: error.parentSchema?.['$comment'] ?? error.parentSchema?.['description'],
      }));
    },
  };
}

/** With its meta-schema of its own draft; a schema is compiled so seldom that the time for that does not matter. */
function compileAnew(schema: JsonObject): ValidateFunction {
  const old = /draft-0[4-7]/.test(String(schema['$schema'] ?? ''));
  const { $id: _, $schema: __, ...bare } = schema;
  try {
    const options = { allErrors: true, strict: false, verbose: true, logger: false } as const;
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
