// Runs a task of this repository on its own Node 24, after installing what is missing. Plain JavaScript, because on a
// fresh clone it is started by whatever Node the machine has.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findInstalledCommand, nodeArguments, root, runNpm } from './programs.mjs';

const tasks = {
  demo: ['node', 'bin/assay.js', 'demo'],
  test: ['node', 'scripts/test.ts'],
  // Unit tests do not wait, so more workers than cores only load the same modules again.
  'test:unit': ['vitest', 'run', '--project', 'unit', '--maxWorkers=100%'],
  'test:watch': ['vitest', 'watch', '--project', 'unit'],
  bench: ['node', 'scripts/bench.ts'],
  clients: ['node', 'bench/clients/run.ts'],
  build: ['node', 'scripts/build.ts'],
  docs: ['node', 'scripts/docs.ts'],
  pictures: ['node', 'scripts/pictures.ts'],
  conformance: ['node', 'scripts/conformance.ts'],
  sites: ['node', 'scripts/sites.ts'],
  release: ['node', 'scripts/release.ts'],
  fix: ['biome', 'check', '--write', '.'],
};

const [task, ...args] = process.argv.slice(2);
if (!task || !tasks[task]) fail(`unknown task. Tasks: ${Object.keys(tasks).join(', ')}.`);
if (Number(process.versions.node.split('.')[0]) < 20) fail(`needs Node 20 or newer, this is ${process.versions.node}.`);
try {
  installPackages();
  check(spawnSync(localNode(), nodeArguments([...tasks[task], ...args]), { cwd: root, stdio: 'inherit' }));
} catch (error) {
  fail(error.message);
}

function installPackages() {
  // npm writes this file at the end of each installation.
  const installed = join(root, 'node_modules/.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs) return;
  console.error('Installing the packages of package-lock.json (once; about half a minute) …');
  check(runNpm(['ci', '--no-audit', '--no-fund', '--loglevel=error', '--update-notifier=false']));
}

function localNode() {
  const local = findInstalledCommand(root, 'node');
  if (local) return local;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  return fail(
    `no Node 24 package exists for ${process.platform} ${process.arch}. Install Node 24 or newer and try again.`,
  );
}

/** Ends with the exit code of a program that failed. */
function check({ status, signal, error }) {
  if (error) throw error;
  if (status !== 0) process.exit(status ?? (signal ? 130 : 1));
}

function fail(message) {
  console.error(`${task ?? 'run'}: ${message}`);
  process.exit(2);
}
