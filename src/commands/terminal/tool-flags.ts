import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { Failure, quote } from '../../platform/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../platform/json.ts';
import { findNearestName } from '../../platform/text/nearest-name.ts';
import type { CatalogTool } from '../../tool/catalog.ts';

interface Argument {
  name: string;
  /** `lcovPath` also accepts `--lcov-path`. */
  flags: string[];
  schema: JsonObject;
  required: boolean;
}

function argumentsOf({ inputSchema }: CatalogTool): Argument[] {
  const required = Array.isArray(inputSchema['required']) ? inputSchema['required'] : [];
  return Object.entries(inputSchema.properties).map(([name, schema]) => ({
    name,
    flags: [...new Set([kebab(name), name])],
    schema: isJsonObject(schema) ? schema : {},
    required: required.includes(name),
  }));
}

/** `withOIDC` becomes `with-oidc`, and `baseURLList` becomes `base-url-list`: consecutive capitals are one word. */
const kebab = (name: string) =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();

/** Parses a tool's arguments: `--json '{…}'`, and a flag per argument, which overrides it. */
export function parseToolFlags(tool: CatalogTool, argv: readonly string[]): JsonObject {
  const known = argumentsOf(tool);
  const options: ParseArgsOptionsConfig = { json: { type: 'string' } };
  for (const { flags, schema } of known)
    for (const flag of flags)
      options[flag] = {
        type: schema['type'] === 'boolean' ? 'boolean' : 'string',
        multiple: schema['type'] === 'array',
      };
  const values = parseFlags(argv, options, tool.name);

  const args: JsonObject = values.json === undefined ? {} : jsonObject(values.json);
  for (const { name, flags, schema } of known) {
    const flagValue = flags.flatMap((flag) => (values[flag] === undefined ? [] : [{ flag, value: values[flag] }]))[0];
    if (flagValue) args[name] = readValue(`--${flagValue.flag}`, flagValue.value, schema);
  }
  return args;
}

function parseFlags(argv: readonly string[], options: ParseArgsOptionsConfig, tool: string) {
  try {
    return parseArgs({ args: [...argv], options, allowNegative: true }).values;
  } catch (error) {
    const unknown = argv.find((part) => part.startsWith('--') && !((part.slice(2).split('=')[0] ?? '') in options));
    const near = unknown && findNearestName(unknown.slice(2).split('=')[0] ?? '', Object.keys(options));
    const reason = unknown
      ? `Unknown flag ${quote(unknown, 60)}.${near ? ` Did you mean --${near}?` : ''}`
      : `${error instanceof Error ? error.message.split('\n')[0] : String(error)}.`;
    throw badUsage(`${reason} \`assay call ${tool} --help\` shows the flags.`);
  }
}

/** Converts a flag to the type of the schema. A value that does not fit stays text, so that the tool's validation names it. */
function readValue(flag: string, value: unknown, schema: JsonObject): Json {
  if (typeof value === 'boolean') return value;
  if (Array.isArray(value)) {
    const [only] = value;
    if (value.length === 1 && typeof only === 'string' && only.startsWith('[')) return json(flag, only);
    const items = isJsonObject(schema['items']) ? schema['items'] : {};
    // Enum values contain no commas, so a comma separates two of them.
    const parts = items['enum'] ? value.flatMap((item) => String(item).split(',')) : value;
    return parts.map((item) => readValue(flag, item, items));
  }
  const text = String(value);
  if (schema['type'] === 'string') return text;
  if (schema['type'] === 'object') return json(flag, text);
  if (schema['type'] === 'number' || schema['type'] === 'integer')
    return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
  return text;
}

function json(flag: string, text: string): Json {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badUsage(`${flag} must be JSON: ${error instanceof Error ? error.message : ''}, got ${quote(text)}.`);
  }
}

function jsonObject(text: unknown): JsonObject {
  const value = json('--json', String(text));
  if (!isJsonObject(value)) throw badUsage(`--json must be a JSON object, got ${quote(value)}.`);
  return value;
}

const badUsage = (message: string) => new Failure('configuration', 'BAD_USAGE', message);

/** Formats the help of a tool. `canWait`: the tool starts long work and accepts `--wait`. */
export function formatToolHelp(tool: CatalogTool, canWait = false): string {
  const lines = argumentsOf(tool).map(({ flags, schema, required }) => {
    const notes = [describeType(schema), required ? 'required' : '', describeBounds(schema)];
    if ('default' in schema) notes.push(`default ${JSON.stringify(schema['default'])}`);
    const entry = `  --${flags[0]}  (${notes.filter(Boolean).join('; ')})\n      ${schema['description'] ?? ''}`;
    return [entry, ...keysOf(schema)].join('\n');
  });
  return [
    `${tool.name}: ${tool.title}`,
    tool.description,
    '',
    "  --json '{…}'  (all arguments at once)",
    ...(canWait ? ['  --wait  (switch)\n      Wait until the started work has ended, and print its result'] : []),
    ...lines,
  ].join('\n');
}

/** Describes the keys of an object argument, or of the entries of a list argument. */
function keysOf(schema: JsonObject): string[] {
  const inner = isJsonObject(schema['items']) ? schema['items'] : schema;
  const properties = isJsonObject(inner['properties']) ? inner['properties'] : {};
  const required = Array.isArray(inner['required']) ? inner['required'] : [];
  return Object.entries(properties).map(([name, value]) => {
    const own = isJsonObject(value) ? value : {};
    const notes = [describeType(own), required.includes(name) && !('default' in own) ? 'required' : ''];
    notes.push(describeBounds(own), 'default' in own ? `default ${JSON.stringify(own['default'])}` : '');
    const described = typeof own['description'] === 'string' ? `: ${own['description']}` : '';
    return `      "${name}" (${notes.filter(Boolean).join('; ')})${described}`;
  });
}

function describeType(schema: JsonObject): string {
  if (Array.isArray(schema['enum'])) return schema['enum'].join(' | ');
  if (schema['type'] !== 'array') return String(schema['type'] ?? 'json');
  return `${isJsonObject(schema['items']) ? describeType(schema['items']) : 'json'}, repeatable`;
}

function describeBounds({ minimum, maximum }: JsonObject): string {
  if (minimum === undefined) return maximum === undefined ? '' : `at most ${maximum}`;
  return maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`;
}
