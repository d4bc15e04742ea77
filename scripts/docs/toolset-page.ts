import { isJsonObject, type Json, type JsonObject } from '../../src/platform/json.ts';
import { settings } from '../../src/platform/settings.ts';
import { shortenNames } from '../../src/server/short-names.ts';
import type { CatalogTool, CatalogToolset, ObjectSchema } from '../../src/tool/catalog.ts';
import { code, table } from './markdown.ts';

/** Renders the docs page of a toolset: its tools with arguments and results, then prompts and resources. */
export function toolsetPage({ title, summary, tools, prompts, resources }: CatalogToolset): string {
  const parts = [`# ${title}`, summary, ...tools.flatMap(toolSection)];
  if (prompts.length > 0) {
    parts.push('## Prompts');
    parts.push(
      table(
        ['Prompt', 'Purpose', 'Arguments'],
        prompts.map(({ name, description, arguments: args }) => [
          code(name),
          description,
          args
            .map(
              (argument) => `${code(argument.name)}${argument.required ? '' : ' (optional)'}: ${argument.description}`,
            )
            .join('; '),
        ]),
      ),
    );
  }
  if (resources.length > 0) {
    parts.push('## Resources');
    parts.push(
      table(
        ['URI', 'Type', 'Content'],
        resources.map(({ uriTemplate, mimeType, description }) => [code(uriTemplate), mimeType, description]),
      ),
    );
  }
  return `${parts.join('\n\n')}\n`;
}

function toolSection(tool: CatalogTool): string[] {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations;
  const traits = [
    readOnlyHint ? 'read-only' : destructiveHint ? 'deletes or overwrites data' : 'adds or changes data',
    idempotentHint ? 'idempotent' : 'not idempotent',
    openWorldHint ? 'accesses other systems' : 'stays on this machine',
    `scope ${code(tool.scope)}`,
  ];
  return [
    `## ${code(tool.name)}`,
    tool.description,
    ...[...shortenNames([tool.name], settings.maxNameLength.parse(undefined, '')).values()].map(
      (alias) => `Listed as ${code(alias)}, because many hosts accept at most 64 characters (\`--max-name-length\`).`,
    ),
    `*${tool.title}: ${traits.join('; ')}.*`,
    '### Arguments',
    fieldTable(tool.inputSchema) ?? 'None.',
    '### Result',
    fieldTable(tool.outputSchema) ?? 'None.',
  ];
}

function fieldTable(schema: ObjectSchema): string | undefined {
  const rows = fields(schema, '');
  return rows.length > 0 ? table(['Field', 'Type', 'Meaning'], rows) : undefined;
}

function fields(schema: JsonObject, prefix: string): string[][] {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties).flatMap(([name, value]) => {
    const field = isJsonObject(value) ? value : {};
    const notes = [
      String(field['description'] ?? ''),
      'default' in field ? `(default ${code(JSON.stringify(field['default']))})` : '',
      limits(field),
    ];
    const row = [
      code(`${prefix}${name}`),
      `${typeOf(field)}${required.includes(name) && !('default' in field) ? '' : ', optional'}`,
      notes.filter(Boolean).join(' '),
    ];
    const items = isJsonObject(field['items']) ? field['items'] : {};
    return [row, ...fields(field, `${prefix}${name}.`), ...fields(items, `${prefix}${name}[].`)];
  });
}

function limits(field: JsonObject): string {
  const bounds = [
    ['minimum', 'at least'],
    ['maximum', 'at most'],
    ['minItems', 'at least this many:'],
    ['maxItems', 'at most this many:'],
  ].flatMap(([keyword = '', words]) => (keyword in field ? [`${words} ${field[keyword]}`] : []));
  return bounds.length > 0 ? `(${bounds.join(', ')})` : '';
}

function typeOf(schema: Json | undefined): string {
  if (!isJsonObject(schema)) return 'any';
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => code(JSON.stringify(value))).join(' or ');
  if (Array.isArray(schema['anyOf'])) return schema['anyOf'].map(typeOf).join(' or ');
  if (schema['type'] === 'array') return `list of ${typeOf(schema['items'])}`;
  if (schema['type'] === 'object' && isJsonObject(schema['additionalProperties']))
    return `map of ${typeOf(schema['additionalProperties'])}`;
  const { type } = schema;
  return Array.isArray(type) ? type.join(' or ') : String(type ?? 'any');
}
