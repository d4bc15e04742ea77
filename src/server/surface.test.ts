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
    questions: [],
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
  ['serves everything without a selection, in catalog order', {}, ['red_get', 'red_set', 'blue_get', 'blue_drop']],
  ['serves all tools of a toolset', { toolsets: ['blue'] }, ['blue_get', 'blue_drop']],
  ['serves every toolset for "all"', { toolsets: ['all'] }, ['red_get', 'red_set', 'blue_get', 'blue_drop']],
  ['serves only the named tools', { tools: ['blue_drop'] }, ['blue_drop']],
  ['adds single tools to toolsets', { toolsets: ['red'], tools: ['blue_get'] }, ['red_get', 'red_set', 'blue_get']],
  ['serves only tools that change nothing with read-only', { readOnly: true }, ['red_get', 'blue_get']],
  ['applies read-only to named tools', { tools: ['red_set'], readOnly: true }, []],
  ['applies exclusion to named tools', { tools: ['red_set'], excludeTools: ['red_set'] }, []],
  [
    'applies exclusion to "all"',
    { toolsets: ['all'], excludeTools: ['red_get'] },
    ['red_set', 'blue_get', 'blue_drop'],
  ],
])('%s', (_rule, choice, expected) => {
  expect(names(choice)).toEqual(expected);
});

test.each<[SurfaceChoice, RegExp]>([
  [{ toolsets: ['redd'] }, /Unknown toolset "redd"\. Did you mean red\? Known: red, blue, all/],
  [{ tools: ['red_gte'] }, /Unknown tool "red_gte"\. .*Known: red_get/],
  [{ excludeTools: ['x'] }, /Unknown tool "x"/],
])('rejects an unknown name and lists the known ones: %j', (choice, message) => {
  expect(() => chooseSurface(catalog, choice)).toThrow(message);
  expect(() => chooseSurface(catalog, choice)).toThrow(Failure);
});

test('narrows the surface of the operator, and cannot widen it', () => {
  const served = chooseSurface(catalog, { readOnly: true });
  expect([...narrowSurface(served, { toolsets: ['red'] }).tools.keys()]).toEqual(['red_get']);
  expect([...narrowSurface(served, { toolsets: ['all'], readOnly: false }).tools.keys()]).toEqual([
    'red_get',
    'blue_get',
  ]);
  expect(() => narrowSurface(served, { tools: ['red_set'] })).toThrow(/Unknown tool "red_set"/);
});

test('leaves out a toolset without tools', () => {
  expect(chooseSurface(catalog, { tools: ['red_get'] }).toolsets.map(({ name }) => name)).toEqual(['red']);
});

test('explains why a tool is not served', () => {
  const { explain } = chooseSurface(catalog, { toolsets: ['red'], excludeTools: ['red_get'], readOnly: true });
  expect(explain('red_get')).toContain('excluded');
  expect(explain('red_set')).toContain('read-only');
  expect(explain('blue_get')).toContain('belongs to the toolset "blue"');
  expect(chooseSurface(catalog, {}).explain('red_gett')).toBe('Tool "red_gett" not found. Did you mean red_get?');
});

test('leaves out file tools over HTTP without folders, unless a toolset has no others', () => {
  const files = (entry: CatalogTool): CatalogTool => ({ ...entry, local: 'files' });
  const [red, blue] = catalog.toolsets.map((set) => ({ ...set, tools: [...set.tools] }));
  if (!red || !blue) throw new Error('the catalog has two toolsets');
  red.tools = red.tools.map((entry) => (entry.name === 'red_set' ? files(entry) : entry));
  blue.tools = blue.tools.map(files);
  const served = (withFolders: boolean) =>
    chooseSurface({ toolsets: [red, blue] }, { toolsets: ['red', 'blue'], remote: true, withFolders });
  expect([...served(false).tools.keys()]).toEqual(['red_get', 'blue_get', 'blue_drop']);
  expect(served(false).explain('red_set')).toContain('no folders are allowed');
  expect(served(true).tools.size).toBe(4);
});

test('serves a tool that starts programs over HTTP only by its own name', () => {
  const [red] = catalog.toolsets;
  if (!red) throw new Error('the catalog has a toolset');
  const tools = red.tools.map(
    (entry): CatalogTool => (entry.name === 'red_set' ? { ...entry, local: 'programs' } : entry),
  );
  const serve = (choice: Parameters<typeof chooseSurface>[1]) =>
    chooseSurface({ toolsets: [{ ...red, tools }] }, { withFolders: true, ...choice });
  const remote = { remote: true };
  expect(serve({ ...remote, toolsets: ['all'] }).tools.has('red_set')).toBe(false);
  expect(serve({ ...remote, toolsets: ['red'] }).explain('red_set')).toContain('must name the tool itself');
  expect(serve({ ...remote, tools: ['red_set'] }).tools.has('red_set')).toBe(true);
  expect(serve({}).tools.has('red_set')).toBe(true);
});
