import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { packRelease } from '../../scripts/programs.mjs';
import { describeCatalog } from '../../src/tool/catalog.ts';
import { testHome } from '../sites/workspace.ts';
import { root } from '../support/assay.ts';
import { type Folder, lcov, newFolder } from '../support/folders.ts';
import { junit, openapi, specText } from '../support/standards/governed-repo.ts';

/** What Claude Code reads of a plugin. Skills are found by their folder. */
const pluginManifest = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]*$/),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  description: z.string().min(1),
  author: z.strictObject({ name: z.string().min(1) }),
  homepage: z.url(),
  repository: z.url(),
  license: z.literal('MIT'),
  keywords: z.array(z.string()),
  mcpServers: z.strictObject({ assay: z.strictObject({ command: z.string(), args: z.array(z.string()) }) }),
});

/** The package as it would be published: packed, and unpacked where there is nothing else. */
let folder: Folder;
let released: string;
beforeAll(async () => {
  folder = await newFolder();
  packRelease(folder.path);
  const [tarball = ''] = readdirSync(folder.path);
  run('tar', ['-xzf', tarball], folder.path);
  released = join(folder.path, 'package/bin/assay.js');
  // What `npm install` would install with it: its dependencies, and nothing else of this checkout.
  const manifest = JSON.parse(readFileSync(join(folder.path, 'package/package.json'), 'utf8'));
  for (const name of [...Object.keys(manifest.dependencies), '@sparticuz/chromium']) {
    const link = join(folder.path, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link);
  }
});
afterAll(() => folder[Symbol.asyncDispose]());

function run(program: string, args: string[], cwd: string) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

const assay = (...args: string[]) =>
  spawnSync(process.execPath, [released, ...args], { cwd: folder.path, encoding: 'utf8' });

test('has only unbundled dependencies and no install scripts', () => {
  const manifest = JSON.parse(readFileSync(join(folder.path, 'package/package.json'), 'utf8'));
  expect(Object.keys(manifest.dependencies)).toEqual(['axe-core', 'html-validate', 'playwright-core']);
  expect(manifest.optionalDependencies ?? {}).toEqual({});
  for (const script of ['preinstall', 'install', 'postinstall', 'prepare'])
    expect(manifest.scripts).not.toHaveProperty(script);
  expect(readdirSync(join(folder.path, 'package'))).not.toContain('src');
  expect(readFileSync(join(folder.path, 'package/dist/THIRD-PARTY.txt'), 'utf8')).toMatch(/^zod \d.*MIT/m);
});

test('lists the same tools as the sources', async () => {
  const { stdout, status } = assay('tools', '--json');
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify((await describeCatalog()).toolsets)));
});

test('loads neither Web Crypto, threads nor file streams of Node to list its tools', () => {
  const atExit = `data:text/javascript,process.on('exit',()=>process.stderr.write(process.moduleLoadList.join('\\n')))`;
  const request = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
  const input = [request, { jsonrpc: '2.0', method: 'notifications/initialized' }, list].map(
    (one) => `${JSON.stringify(one)}\n`,
  );
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', atExit, released, 'serve'], {
    cwd: folder.path,
    encoding: 'utf8',
    input: input.join(''),
  });
  expect(stdout).toContain('get_overall_coverage');
  const loaded = stderr.split('\n');
  expect(loaded).toContain('NativeModule crypto');
  for (const name of ['internal/crypto/webcrypto', 'worker_threads', 'internal/fs/streams'])
    expect(loaded).not.toContain(`NativeModule ${name}`);
});

test('calls a tool, reports an error, and shows its version', async () => {
  await folder.write('lcov.info', lcov({ a: [1, 0] }));
  expect(JSON.parse(assay('call', 'get_overall_coverage', '--lcov-path', 'lcov.info').stdout)).toEqual({ overall: 50 });
  expect(assay('call', 'get_overall_coverage', '--lcov-path', 'none')).toMatchObject({
    status: 1,
    stderr: 'Error: LCOV file not found at path none\nPass one of the existing reports: lcov.info\n',
  });
  expect(assay('--version').stdout.trim()).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
});

test('reads contracts and reports of every kind', async () => {
  const contracts = {
    openapi,
    graphql: 'type Query { sum: Int }\n',
    proto: 'syntax = "proto3";\nmessage Sum { int32 value = 1; }\n',
    'json-schema': JSON.stringify({
      $schema: 'http://json-schema.org/draft-07/schema#',
      properties: { sum: { type: 'integer' } },
    }),
  };
  for (const [type, text] of Object.entries(contracts)) await folder.write(`held/${type}`, text);
  const declared = Object.keys(contracts).map((type) => ({ type, path: type }));
  await folder.write('held/.caws/working-spec.yaml', specText({ contracts: declared }));
  await folder.write('held/a.tap', 'TAP version 13\nok 1 - A1 adds\n1..1\n');
  await folder.write('held/junit.xml', junit({ 'A2 refuses a text': 'failed' }));
  const { stdout } = assay('call', 'caws_evaluate', '--working-directory', 'held');
  const { criteria } = JSON.parse(stdout).evaluation;
  const actual = (wanted: string) => criteria.find(({ id }: { id: string }) => id === wanted)?.actual;
  expect([actual('contract_compliance'), actual('test_results'), actual('acceptance_criteria')]).toEqual([4, 1, 1]);
});

test('is a plugin whose skills and server configuration work', async () => {
  const plugin = join(folder.path, 'package');
  const read = (path: string) => readFileSync(join(plugin, path), 'utf8');
  const manifest = pluginManifest.parse(JSON.parse(read('.claude-plugin/plugin.json')));
  expect(manifest.version).toBe(JSON.parse(read('package.json')).version);
  for (const name of readdirSync(join(root, 'skills')))
    expect(read(`skills/${name}/SKILL.md`)).toContain(`name: ${name}`);
  const { command, args } = manifest.mcpServers.assay;
  const client = new Client({ name: 'plugin', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command,
      args: args.map((arg) => arg.replace(/\$\{CLAUDE_PLUGIN_ROOT\}/, plugin)),
      cwd: folder.path,
      env: { PATH: dirname(process.execPath), ASSAY_HOME: join(folder.path, 'plugin-home') },
    }),
  );
  expect((await client.listTools()).tools.length).toBeGreaterThan(80);
  await client.close();
});

test('runs the demo', () => {
  const env = { ...process.env, ASSAY_HOME: testHome };
  const { stdout, status } = spawnSync(process.execPath, [released, 'demo'], {
    cwd: folder.path,
    encoding: 'utf8',
    env,
  });
  expect(status).toBe(0);
  expect(stdout).toContain('25 % are tested; not src/cart.js:13-18');
  expect(stdout).toContain('100 % are tested');
  expect(stdout).toContain('Result: Quality standards met');
  expect(stdout).toMatch(/A report in \d formats: .*report\.html/);
  expect(stdout).toContain('success, to Oslo, cost 20.00, arrives tomorrow');
  expect(stdout).toMatch(/1 fails:\n.*product defect/);
  // JSON is printed only with --verbose.
  expect(stdout).not.toContain('{"');
  expect(readFileSync(/QA report: (.+)/.exec(stdout)?.[1] ?? '', 'utf8')).toContain('Failed tests');
});

test.each([
  ['the package', () => released, /Install Node 24 or newer/],
  ['a checkout', () => join(root, 'bin/assay.js'), /This checkout has one: .*node_modules/],
])('%s names the version that it needs to an older Node', (_what, file, hint) => {
  const older = 'Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.11.1"}})';
  const { status, stderr } = spawnSync(process.execPath, ['--import', `data:text/javascript,${older}`, file()], {
    encoding: 'utf8',
  });
  expect(status).toBe(2);
  expect(stderr).toMatch(/needs Node 24 or newer, but this is Node 20\.11\.1/);
  expect(stderr).toMatch(hint);
});
