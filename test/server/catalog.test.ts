import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json } from '../../src/platform/json.ts';
import { describeCatalog } from '../../src/tool/catalog.ts';
import { root } from '../support/assay.ts';

const { toolsets } = await describeCatalog();
const tools = toolsets.flatMap((toolset) => toolset.tools);
const testSources = globSync(['{test,src}/**/*.test.ts', 'test/support/**/*.ts'], { cwd: root })
  .filter((file) => !file.endsWith('catalog.test.ts'))
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n');

/** What a model is shown of a tool, at four characters a token. */
const tokens = ({ name, description, inputSchema }: (typeof tools)[number]) =>
  JSON.stringify({ name, description, inputSchema }).length / 4;

/** The runner's scopes are named by its specification. */
const scopeOf = (toolset: string) =>
  new RegExp(
    toolset === 'wizards' ? '^(wizards:write|federalrunner:(read|execute))$' : `^${toolset}:(read|write|scan)$`,
  );

function keywords(schema: Json | undefined): string[] {
  if (Array.isArray(schema)) return schema.flatMap(keywords);
  if (!isJsonObject(schema)) return [];
  return Object.entries(schema).flatMap(([key, value]) => [key, ...keywords(value)]);
}

test('has unique names of tools, prompts and resources', () => {
  for (const names of [
    tools.map(({ name }) => name),
    toolsets.flatMap(({ prompts }) => prompts.map(({ name }) => name)),
    toolsets.flatMap(({ resources }) => resources.map(({ uriTemplate }) => uriTemplate)),
  ])
    expect(new Set(names).size).toBe(names.length);
});

/** Descriptions in a schema, at every depth. */
function descriptions(schema: Json | undefined): string[] {
  if (Array.isArray(schema)) return schema.flatMap(descriptions);
  if (!isJsonObject(schema)) return [];
  const own = typeof schema['description'] === 'string' ? [schema['description']] : [];
  return [...own, ...Object.values(schema).flatMap(descriptions)];
}

/** Words that continue another text. English has no more prepositions and pronouns than a list can hold. */
const continuations = new RegExp(
  `^(?:${[
    'about|after|among|at|before|between|beyond|by|for|from|in|into|of|on|over|per|since|than|through|to|until|with|without',
    'and|as|because|but|if|or|so|that|then|there|unless|which|while',
    'he|her|his|it|its|them|their|these|they|this|those|default|optional|otherwise',
  ].join('|')})\\b`,
  'i',
);

test('describes every argument and result so that the text is understood alone', () => {
  const texts = new Set(tools.flatMap((tool) => [tool.inputSchema, tool.outputSchema].flatMap(descriptions)));
  expect(texts.size).toBeGreaterThan(200);
  expect([...texts].filter((text) => continuations.test(text) || !/\S\s\S/.test(text))).toEqual([]);
});

test.each(['Of those that passed', 'Default: all active', 'Optional; must be that of the case', 'Percent'])(
  'takes "%s" for a fragment',
  (text) => {
    expect(continuations.test(text) || !/\S\s\S/.test(text)).toBe(true);
  },
);

test('keeps all tools within the token budget', () => {
  const total = tools.reduce((sum, tool) => sum + tokens(tool), 0);
  expect(total / tools.length).toBeLessThanOrEqual(190);
});

describe.each(tools)('$name', (tool) => {
  test('is defined in the file with its name', () => {
    // One name of the QA specification has 66 characters; no other may be longer than hosts like.
    expect(tool.name).toMatch(/^[a-z][a-z0-9_]{2,65}$/);
    const [file, ...others] = globSync(`src/${tool.toolset}/tools/**/${tool.name.replaceAll('_', '-')}.ts`, {
      cwd: root,
    });
    expect(others).toEqual([]);
    expect(readFileSync(join(root, file ?? ''), 'utf8')).toContain(`name: '${tool.name}'`);
  });

  test('has a description within limits that starts with its purpose', () => {
    expect(tool.title.length).toBeLessThanOrEqual(60);
    expect(tool.description.length).toBeLessThanOrEqual(600);
    expect(tool.description.split('. ')[0]?.length).toBeLessThanOrEqual(200);
    expect(tokens(tool)).toBeLessThanOrEqual(440);
  });

  test('has all four hints and a scope of its toolset', () => {
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations;
    expect(
      [readOnlyHint, destructiveHint, idempotentHint, openWorldHint].every((hint) => typeof hint === 'boolean'),
    ).toBe(true);
    expect(readOnlyHint && destructiveHint).toBe(false);
    expect(tool.scope).toMatch(scopeOf(tool.toolset));
  });

  test('takes a flat object with described fields that do not clash with CLI flags', () => {
    expect(keywords(tool.inputSchema)).not.toEqual(expect.arrayContaining(['anyOf']));
    for (const keyword of ['anyOf', 'oneOf', 'allOf', 'not', '$ref', '$schema'])
      expect(keywords(tool.inputSchema)).not.toContain(keyword);
    expect(tool.inputSchema['additionalProperties']).toBe(false);
    for (const [name, schema] of Object.entries(tool.inputSchema.properties)) {
      expect(isJsonObject(schema) && schema['description'], name).toBeTruthy();
      expect(['json', 'help']).not.toContain(name);
    }
  });

  test('returns an object', () => {
    expect(tool.outputSchema.type).toBe('object');
    expect(Object.keys(tool.outputSchema.properties).length).toBeGreaterThan(0);
  });

  test('is called by a test', () => {
    expect(testSources.includes(`'${tool.name}'`), `no test calls ${tool.name}`).toBe(true);
  });

  test('keeps its contract', async () => {
    const { toolset, ...contract } = tool;
    await expect(`${JSON.stringify(contract, null, 2)}\n`).toMatchFileSnapshot(`__snapshots__/tools/${tool.name}.json`);
  });
});
