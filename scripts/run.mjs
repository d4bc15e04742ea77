// Runs a task of this repository on its own Node 24, after installing what is missing. Plain JavaScript, because on a
// fresh clone it is started by whatever Node the machine has.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const inRoot = (path) => fileURLToPath(new URL(path, root));
const tasks = {
  demo: ['bin/assay.js', 'demo'],
  test: ['scripts/test.ts'],
  // Unit tests do not wait, so more workers than cores only load the same modules again.
  'test:unit': ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', '--maxWorkers=100%'],
  'test:watch': ['node_modules/vitest/vitest.mjs', 'watch', '--project', 'unit'],
  bench: ['scripts/bench.ts'],
  clients: ['bench/clients/run.ts'],
  build: ['scripts/build.ts'],
  docs: ['scripts/docs.ts'],
  pictures: ['scripts/pictures.ts'],
  conformance: ['scripts/conformance.ts'],
  sites: ['scripts/sites.ts'],
  release: ['scripts/release.ts'],
  fix: ['node_modules/@biomejs/biome/bin/biome', 'check', '--write', '.'],
};

const [task, ...args] = process.argv.slice(2);
if (!task || !tasks[task]) fail(`unknown task. Tasks: ${Object.keys(tasks).join(', ')}.`);
if (Number(process.versions.node.split('.')[0]) < 20) fail(`needs Node 20 or newer, this is ${process.versions.node}.`);
installPackages();
run(localNode(), [...tasks[task], ...args]);

function installPackages() {
  // npm writes this file at the end of each installation.
  const installed = inRoot('node_modules/.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(inRoot('package-lock.json')).mtimeMs) return;
  console.error('Installing the packages of package-lock.json (once; about half a minute) …');
  const npm = process.env.npm_execpath;
  const flags = ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--update-notifier=false'];
  if (npm) run(process.execPath, [npm, ...flags], { keepGoing: true });
  else run(process.platform === 'win32' ? 'npm.cmd' : 'npm', flags, { keepGoing: true });
}

function localNode() {
  const local = inRoot(process.platform === 'win32' ? 'node_modules/.bin/node.cmd' : 'node_modules/.bin/node');
  if (existsSync(local)) return local;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  return fail(
    `no Node 24 package exists for ${process.platform} ${process.arch}. Install Node 24 or newer and try again.`,
  );
}

function run(program, programArgs, { keepGoing = false } = {}) {
  const { status, signal, error } = spawnSync(program, programArgs, { cwd: inRoot('.'), stdio: 'inherit' });
  if (error) fail(`${program}: ${error.message}`);
  if (status !== 0) process.exit(status ?? (signal ? 130 : 1));
  if (!keepGoing) process.exit(0);
}

function fail(message) {
  console.error(`${task ?? 'run'}: ${message}`);
  process.exit(2);
}
