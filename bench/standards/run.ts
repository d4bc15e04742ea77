/**
 * `npm run bench -- standards`: first ways to cheat and honest changes; a cheat that passes without being named, or an honest change
 * that does not pass, ends with exit code 1. Then the time of the gates in a repository of 5,000 files and 10,000 commits, relative to git. Measures
 * the release build; the repository is kept in the temporary folder.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packRelease } from '../../scripts/programs.mjs';
import { startStdioServer } from '../mcp/stdio-server.ts';
import { median, printTable } from '../table.ts';
import { benchRepository, git } from './bench-repository.ts';
import { runCheatBench } from './cheat-bench.ts';

const ROUNDS = 9;
const failures = await runCheatBench((line) => process.stdout.write(`${line}\n`));
for (const failure of failures) process.stderr.write(`${failure}\n`);
if (failures.length > 0) process.exitCode = 1;
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
try {
  const repo = await benchRepository();
  git(repo, 'reset', '-q');
  git(repo, 'checkout', '-q', '--', 'src');
  await measure(repo, installRelease());
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function installRelease(): string {
  packRelease(folder);
  run('bash', ['-c', `tar -xzf ${folder}/*.tgz -C ${folder}`], folder);
  return join(folder, 'package/bin/assay.js');
}

function run(program: string, args: readonly string[], cwd: string): void {
  const { status, stderr, stdout } = spawnSync(program, args, { encoding: 'utf8', cwd });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}${stdout}`);
}

/** Median time of several runs, after one run that warms up the caches. */
async function medianMs(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  return median(times.slice(1));
}

async function measure(repo: string, bin: string): Promise<void> {
  const call = (...args: string[]) => run(process.execPath, [bin, 'call', ...args], repo);
  const status = await medianMs(() => run('git', ['status', '--porcelain'], repo));
  const numstat = await medianMs(() => run('git', ['diff', '--numstat', 'main'], repo));
  const node = await medianMs(() => run(process.execPath, ['-e', '0'], repo));
  const cold = await medianMs(() => call('caws_status'));
  const evaluated = await medianMs(() => call('caws_evaluate'));

  process.chdir(repo);
  const server = startStdioServer([bin, 'serve', '--toolsets', 'standards'], '2026-07-28');
  await server.open();
  const ask = (name: string, args: Record<string, unknown> = {}) =>
    server.request('tools/call', { name, arguments: args });
  const monitored = await medianMs(() =>
    ask('caws_quality_monitor', { action: 'file_saved', files: ['src/part1/deep0/file1.ts'] }),
  );
  const again = await medianMs(() => ask('caws_evaluate'));
  await server.close();

  call('caws_hooks', '--subcommand', 'install');
  appendFileSync(join(repo, 'src/part1/deep0/file1.ts'), 'export const one = 1;\n');
  git(repo, 'add', 'src');
  const hook = await medianMs(() => run('git', ['hook', 'run', 'pre-commit'], repo));
  call('caws_hooks', '--subcommand', 'remove');
  git(repo, 'reset', '-q', '--hard');

  const row = (name: string, ms: number, bar?: number) => [
    name,
    ms.toFixed(0),
    (ms / status).toFixed(1),
    (ms / numstat).toFixed(1),
    bar === undefined ? '' : `${bar} ms: ${ms <= bar ? 'met' : 'MISSED'}`,
  ];
  const met = cold <= 1000 && monitored <= 150 && hook <= 500;
  printTable(
    `5,000 files, 10,000 commits (median of ${ROUNDS})`,
    ['', 'ms', '× git status', '× git diff --numstat', 'target'],
    [
      row('git status', status),
      row('git diff --numstat main', numstat),
      row('node -e 0', node),
      row('caws_status, cold', cold, 1000),
      row('caws_evaluate, cold', evaluated),
      row('caws_evaluate, warm', again),
      row('caws_quality_monitor, warm', monitored, 150),
      row('pre-commit hook', hook, 500),
    ],
    met ? 'all targets met' : 'MISSED: a target is not met',
  );
}
