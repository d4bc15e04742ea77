import { expect, test } from 'vitest';
import { Failure } from '../platform/errors.ts';
import type { Catalog, CatalogTool } from '../tool/catalog.ts';
import type { Effect } from '../tool/tool.ts';
import { chooseSurface, narrowSurface, type SurfaceChoice } from './surface.ts';

function tool(toolset: string, name: string, effect: Effect): CatalogTool {
  const schema = { type: 'object' as const, properties: {} };
  return {
    toolset,
    name,
    title: name,
    description: name,
    effect,
    scope: `${toolset}:read`,
    inputSchema: schema,
    outputSchema: schema,
    annotations: {
      title: name,
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'destroy',
      idempotentHint: false,
      openWorldHint: false,
    },
  };
}

function toolset(name: string, tools: [string, Effect][]): Catalog['toolsets'][number] {
  return {
    name,
    title: name,
    summary: name,
    tools: tools.map(([toolName, effect]) => tool(name, toolName, effect)),
    prompts: [],
    resources: [],
  };
}

const catalog: Catalog = {
  toolsets: [
    toolset('red', [
      ['red_get', 'read'],
      ['red_set', 'write'],
    ]),
    toolset('blue', [
      ['blue_get', 'read'],
      ['blue_drop', 'destroy'],
    ]),
  ],
};

const names = (choice: SurfaceChoice) => [...chooseSurface(catalog, choice).tools.keys()];

test.each<[string, SurfaceChoice, string[]]>([
  ['nothing chosen is everything, in the order of the catalog', {}, ['red_get', 'red_set', 'blue_get', 'blue_drop']],
  ['a toolset is all of its tools', { toolsets: ['blue'] }, ['blue_get', 'blue_drop']],
  ['"all" is every toolset', { toolsets: ['all'] }, ['red_get', 'red_set', 'blue_get', 'blue_drop']],
  ['single tools alone are only those', { tools: ['blue_drop'] }, ['blue_drop']],
  ['single tools come beside toolsets', { toolsets: ['red'], tools: ['blue_get'] }, ['red_get', 'red_set', 'blue_get']],
  ['read-only leaves what changes nothing', { readOnly: true }, ['red_get', 'blue_get']],
  ['read-only wins over a tool that is named', { tools: ['red_set'], readOnly: true }, []],
  ['exclusion wins over a tool that is named', { tools: ['red_set'], excludeTools: ['red_set'] }, []],
  ['exclusion wins over "all"', { toolsets: ['all'], excludeTools: ['red_get'] }, ['red_set', 'blue_get', 'blue_drop']],
])('%s', (_rule, choice, expected) => {
  expect(names(choice)).toEqual(expected);
});

test.each<[SurfaceChoice, RegExp]>([
  [{ toolsets: ['redd'] }, /no toolset "redd"\. Did you mean red\? There are: red, blue, all/],
  [{ tools: ['red_gte'] }, /no tool "red_gte"\. .*There are: red_get/],
  [{ excludeTools: ['x'] }, /no tool "x"/],
])('a name that is not there is refused, with those that are: %j', (choice, message) => {
  expect(() => chooseSurface(catalog, choice)).toThrow(message);
  expect(() => chooseSurface(catalog, choice)).toThrow(Failure);
});

test('a request narrows what the operator chose, and cannot widen it', () => {
  const served = chooseSurface(catalog, { readOnly: true });
  expect([...narrowSurface(served, { toolsets: ['red'] }).tools.keys()]).toEqual(['red_get']);
  expect([...narrowSurface(served, { toolsets: ['all'], readOnly: false }).tools.keys()]).toEqual([
    'red_get',
    'blue_get',
  ]);
  expect(() => narrowSurface(served, { tools: ['red_set'] })).toThrow(/no tool "red_set"/);
});

test('a toolset with nothing left is not there', () => {
  expect(chooseSurface(catalog, { tools: ['red_get'] }).toolsets.map(({ name }) => name)).toEqual(['red']);
});

test('a tool that is not served says why', () => {
  const { explain } = chooseSurface(catalog, { toolsets: ['red'], excludeTools: ['red_get'], readOnly: true });
  expect(explain('red_get')).toContain('excluded');
  expect(explain('red_set')).toContain('read-only');
  expect(explain('blue_get')).toContain('belongs to the toolset "blue"');
  expect(chooseSurface(catalog, {}).explain('red_gett')).toBe('Tool "red_gett" not found. Did you mean red_get?');
});

test('over HTTP, without folders, a toolset is served without the tools that work on files; one of nothing else is not cut', () => {
  const files = (entry: CatalogTool): CatalogTool => ({ ...entry, local: 'files' });
  const [red, blue] = catalog.toolsets.map((set) => ({ ...set, tools: [...set.tools] }));
  if (!red || !blue) throw new Error('the catalog has two toolsets');
  red.tools = red.tools.map((entry) => (entry.name === 'red_set' ? files(entry) : entry));
  blue.tools = blue.tools.map(files);
  const served = (withFolders: boolean) =>
    chooseSurface({ toolsets: [red, blue] }, { toolsets: ['red', 'blue'], remote: true, withFolders });
  expect([...served(false).tools.keys()]).toEqual(['red_get', 'blue_get', 'blue_drop']);
  expect(served(false).explain('red_set')).toContain('no folders were named');
  expect(served(true).tools.size).toBe(4);
});
