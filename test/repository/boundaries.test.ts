import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../support/assay.ts';
import { findImportCycles, importsOf, loadedWith, readImportGraph } from '../support/source-code/import-graph.ts';
import { findModuleState } from '../support/source-code/module-state.ts';

const domains = ['coverage', 'standards', 'accessibility', 'wizards', 'qa'];

/** The files of a domain that know what a tool is. The rest of a domain knows no protocol. */
const toolFile = /^src\/\w+\/(?:tools|prompts|resources)\/|^src\/\w+\/(?:toolset|definitions)\.ts$/;

/** Who may import whom; a layer may always import itself. `index`: another domain, through its index.ts. */
const arrows: Record<string, readonly string[]> = {
  commands: ['server', 'tool', 'index', 'platform'],
  server: ['tool', 'platform'],
  tool: ['platform'],
  'domain tools': ['tool', 'domain', 'index', 'web', 'page', 'platform'],
  domain: ['index', 'web', 'page', 'platform'],
  web: ['platform'],
  page: ['platform'],
  platform: [],
};

/** Packages that one layer alone may use. */
const packageOwners: readonly (readonly [name: RegExp, layer: string])[] = [
  [/^@modelcontextprotocol\//, 'server'],
  [/^(?:pg|kysely\/migration)$/, 'platform'],
];

function layerOf(file: string): string | undefined {
  const [top, folder = '', part] = file.split('/');
  if (top !== 'src') return undefined;
  if (part === undefined) return 'commands';
  if (domains.includes(folder)) return toolFile.test(file) ? 'domain tools' : 'domain';
  // Until all of it has moved, a part of the layer is below the platform's folder.
  return folder === 'platform' && part === 'page' ? 'page' : folder;
}

/** Why this import is forbidden; undefined where it is allowed. */
function violation(from: string, target: string): string | undefined {
  const layer = layerOf(from) ?? '';
  const owner = packageOwners.find(([name]) => name.test(target))?.[1];
  if (owner !== undefined && owner !== layer) return `${from} imports ${target}: only ${owner} may`;
  const used = layerOf(target);
  if (used === undefined) return undefined;
  if (from === 'src/tool/toolsets.ts' && /^src\/\w+\/toolset\.ts$/.test(target)) return undefined;
  const isForeignDomain = used.startsWith('domain') && from.split('/')[1] !== target.split('/')[1];
  if (isForeignDomain && !/^src\/\w+\/index\.ts$/.test(target)) return `${from} imports ${target}: use its index.ts`;
  const arrow = isForeignDomain ? 'index' : used;
  if (layer === used && !isForeignDomain) return undefined;
  return arrows[layer]?.includes(arrow) ? undefined : `${from} imports ${target}: ${layer} may not use ${arrow}`;
}

const graph = await readImportGraph('src');

test('imports only along the arrows between the layers', () => {
  const violations = [...graph].flatMap(([from, imports]) =>
    imports.flatMap(({ target }) => violation(from, target) ?? []),
  );
  expect(violations).toEqual([]);
});

test('knows the layer of every file', () => {
  expect([...graph.keys()].filter((file) => arrows[layerOf(file) ?? ''] === undefined)).toEqual([]);
});

describe('the rules', () => {
  test.each([
    ['src/platform/a.ts', 'src/tool/tool.ts'],
    ['src/platform/a.ts', 'src/server/server.ts'],
    ['src/platform/a.ts', 'src/coverage/index.ts'],
    ['src/platform/a.ts', 'src/platform/page/model.ts'],
    ['src/platform/a.ts', '@modelcontextprotocol/server'],
    ['src/platform/page/a.ts', 'src/web/html.ts'],
    ['src/platform/a.ts', 'src/page/settle/settle.ts'],
    ['src/page/a.ts', 'src/web/html.ts'],
    ['src/page/a.ts', 'src/qa/index.ts'],
    ['src/coverage/a.ts', 'src/tool/tool.ts'],
    ['src/coverage/a.ts', 'src/coverage/tools/get-file-coverage.ts'],
    ['src/coverage/a.ts', 'src/server/server.ts'],
    ['src/coverage/a.ts', 'src/commands/command.ts'],
    ['src/coverage/a.ts', '@modelcontextprotocol/server'],
    ['src/coverage/tools/a.ts', 'src/server/server.ts'],
    ['src/standards/a.ts', 'src/coverage/lcov.ts'],
    ['src/standards/tools/a.ts', 'src/coverage/tools/get-file-coverage.ts'],
    ['src/tool/a.ts', 'src/commands/command.ts'],
    ['src/tool/a.ts', 'src/coverage/index.ts'],
    ['src/tool/a.ts', 'src/coverage/toolset.ts'],
    ['src/tool/a.ts', 'src/server/server.ts'],
    ['src/tool/a.ts', '@modelcontextprotocol/server'],
    ['src/server/a.ts', 'src/commands/command.ts'],
    ['src/server/a.ts', 'src/coverage/index.ts'],
    ['src/commands/a.ts', '@modelcontextprotocol/client'],
    ['src/commands/a.ts', 'src/coverage/lcov.ts'],
    ['src/commands/a.ts', 'src/coverage/toolset.ts'],
    ['src/qa/a.ts', 'pg'],
  ])('forbid %s to import %s', (from, target) => {
    expect(violation(from, target)).toContain(`${from} imports ${target}`);
  });

  test.each([
    ['src/coverage/a.ts', 'src/platform/errors.ts'],
    ['src/coverage/a.ts', 'src/coverage/lcov.ts'],
    ['src/qa/a.ts', 'src/page/settle/settle.ts'],
    ['src/page/a.ts', 'src/platform/errors.ts'],
    ['src/coverage/tools/a.ts', 'src/tool/tool.ts'],
    ['src/coverage/tools/a.ts', 'src/coverage/read.ts'],
    ['src/coverage/toolset.ts', 'src/tool/toolset.ts'],
    ['src/standards/a.ts', 'src/coverage/index.ts'],
    ['src/tool/toolsets.ts', 'src/coverage/toolset.ts'],
    ['src/server/a.ts', '@modelcontextprotocol/server'],
    ['src/server/a.ts', 'src/tool/tool.ts'],
    ['src/commands/a.ts', 'src/server/server.ts'],
    ['src/commands/a.ts', 'src/qa/index.ts'],
  ])('allow %s to import %s', (from, target) => {
    expect(violation(from, target)).toBeUndefined();
  });
});

test('finds types, re-exports and dynamic imports, and no import in a string', () => {
  const source = [
    "import type { A } from '../platform/a.ts';",
    "import { type B } from './b.ts';",
    "import './c.ts';",
    "export { d } from './d.ts';",
    "export const e = () => import('./e.ts');",
    "export const f = `import { x } from './x.ts'`;",
  ].join('\n');
  expect(importsOf('src/tool/a.ts', source)).toEqual([
    { target: 'src/platform/a.ts', isType: true, isDynamic: false },
    { target: 'src/tool/b.ts', isType: true, isDynamic: false },
    { target: 'src/tool/c.ts', isType: false, isDynamic: false },
    { target: 'src/tool/d.ts', isType: false, isDynamic: false },
    { target: 'src/tool/e.ts', isType: false, isDynamic: true },
  ]);
});

/** The tools that submit a job and return at once. */
const startTools = [...graph.keys()].filter((file) =>
  /\/tools\/(?:[\w-]+\/)?(?:[\w-]*workflow-start-[\w-]+|qa-report-final-generate|cwac-scan)\.ts$/.test(file),
);

test('starts a job without loading the code that runs it', () => {
  expect(startTools).toHaveLength(7);
  const runCode = /^playwright-core$|^src\/platform\/(?:page\/act|browser)\/|\/run-job\.ts$|^src\/qa\/cases\/derive\//;
  const loaded = startTools.flatMap((file) =>
    [...loadedWith(graph, [file])].filter((target) => runCode.test(target)).map((target) => `${file} loads ${target}`),
  );
  expect(loaded).toEqual([]);
});

test('loads at most 55 source files to start a job', () => {
  const counts = startTools.map((file) => {
    const sources = [...loadedWith(graph, [file])].filter((target) => target.startsWith('src/'));
    return { file, count: sources.length };
  });
  expect(counts.filter(({ count }) => count > 55)).toEqual([]);
});

test('has no import cycle, type imports included', () => {
  expect(findImportCycles(graph)).toEqual([]);
});

test('keeps no state in the modules of a domain', async () => {
  const modules = [...graph.keys()].filter(
    (file) => layerOf(file)?.startsWith('domain') && !/\.test\.ts$|test-support/.test(file),
  );
  const found = modules.map(async (file) => {
    const names = findModuleState(file, await readFile(join(root, file), 'utf8'));
    return names.map((name) => `${file}: ${name}`);
  });
  expect((await Promise.all(found)).flat()).toEqual([]);
});

test('finds variables and mutated constants at the top of a module, and none in a string or function', () => {
  const source = [
    'let count = 0;',
    'export let last: string | undefined;',
    'const cache = new Map<string, string>();',
    'const totals = { pages: 0 };',
    "const words = new Set(['a']);",
    'const script = `let x = 0; words.add(x)`;',
    'export function put(key: string) {',
    '  let local = key;',
    '  cache.set(key, local);',
    '  totals.pages += 1;',
    '  return words.has(key);',
    '}',
  ].join('\n');
  expect(findModuleState('a.ts', source)).toEqual(['count', 'last', 'cache', 'totals']);
});
