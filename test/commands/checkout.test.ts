import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';

/** A clone with its packages installed: the sources are copied, the packages are links. */
let folder: Folder;
let bin: string;
beforeAll(async () => {
  folder = await newFolder();
  bin = join(folder.path, 'bin/assay.js');
  for (const name of ['bin', 'src', 'scripts', 'skills', 'package.json'])
    cpSync(join(root, name), join(folder.path, name), { recursive: true });
  mkdirSync(join(folder.path, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')).filter((entry) => entry !== '.cache'))
    symlinkSync(join(root, 'node_modules', name), join(folder.path, 'node_modules', name));
});
afterAll(() => folder[Symbol.asyncDispose]());

const builds = () =>
  readdirSync(join(folder.path, 'node_modules/.cache/assay-builds')).filter((name) => name !== 'latest');
const assay = (...args: string[]) => spawnSync(process.execPath, [bin, ...args], { encoding: 'utf8' });

test('builds once for clients that start at the same time, and writes only the result to stdout', async () => {
  const started = ['--version', '--version'].map((flag) => spawn(process.execPath, [bin, flag], { stdio: 'pipe' }));
  const outputs = await Promise.all(
    started.map(async (child) => {
      let stdout = '';
      child.stdout.on('data', (chunk: Buffer) => {
        stdout += chunk;
      });
      const [code] = await once(child, 'close');
      return { code, stdout };
    }),
  );
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(outputs).toEqual([0, 0].map((code) => ({ code, stdout: `${version}\n` })));
  expect(builds()).toHaveLength(1);
  expect(assay('--version')).toMatchObject({ status: 0, stderr: '' });
});

test('builds again after an edit, and keeps the build that servers may run', () => {
  const main = join(folder.path, 'src/main.ts');
  writeFileSync(main, readFileSync(main, 'utf8').replace('Unknown command', 'No such command'));
  expect(assay('nonsense')).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining('No such command'),
  });
  expect(builds()).toHaveLength(2);
});

test('builds again for a new or removed file, but not for a unit test', () => {
  const fresh = join(folder.path, 'src/qa/fresh.ts');
  const before = builds();
  writeFileSync(join(folder.path, 'src/qa/fresh.test.ts'), '');
  expect(assay('--version')).toMatchObject({ status: 0, stderr: '' });
  expect(builds()).toEqual(before);
  writeFileSync(fresh, 'export {};\n');
  expect(assay('--version')).toMatchObject({ status: 0, stderr: expect.stringContaining('building this checkout') });
  expect(builds()).toHaveLength(before.length + 1);
  rmSync(fresh);
  expect(assay('--version')).toMatchObject({ status: 0, stderr: '' });
  expect(builds()).toHaveLength(before.length + 1);
});

test('names the next step when a build fails', () => {
  writeFileSync(join(folder.path, 'src/main.ts'), 'export const = 1;\n');
  const { status, stdout, stderr } = assay('--version');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('src/main.ts:1');
  expect(stderr).toMatch(/assay: the build of this checkout failed\. .*"npm run build"/);
  expect(builds()).toHaveLength(3);
});

test('says how to install the packages when there are none', () => {
  rmSync(join(folder.path, 'node_modules'), { recursive: true });
  const { status, stdout, stderr } = assay('serve');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toBe(`assay: the packages of this checkout are not installed. Run "npm ci" in ${folder.path}/.\n`);
});
