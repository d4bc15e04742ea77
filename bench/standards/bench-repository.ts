import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isolatedEnvironment } from '../../src/platform/git/git-program.ts';

const FILES = 5000;
const COMMITS = 10_000;
const LINES = 40;
const folder = join(tmpdir(), `assay-bench-standards-${FILES}-${COMMITS}-1`);

const environment = {
  ...isolatedEnvironment(),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Bench',
  GIT_AUTHOR_EMAIL: 'bench@example.test',
  GIT_COMMITTER_NAME: 'Bench',
  GIT_COMMITTER_EMAIL: 'bench@example.test',
};

export function git(repo: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', ['-C', repo, ...args], { encoding: 'utf8', env: environment });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout;
}

const pathOf = (index: number) =>
  `src/part${index % 50}/deep${Math.floor(index / 50) % 10}/${index % 7 === 0 ? `file${index}.test.ts` : `file${index}.ts`}`;
const textOf = (index: number, version: number) =>
  Array.from(
    { length: LINES },
    (_, line) => `export const value${line} = ${line === version % LINES ? version : index};\n`,
  ).join('');

/** The history as input of `git fast-import`: all files, then one changed file per commit. */
function* history(): Generator<string> {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  for (let commit = 0; commit < COMMITS; commit++) {
    const message = commit === 0 ? 'chore: begin' : `${commit % 3 === 0 ? 'fix' : 'feat'}: change ${commit}`;
    yield `commit refs/heads/main\ncommitter Bench <bench@example.test> ${1_700_000_000 + commit * 600} +0000\n${data(message)}`;
    const changed = commit === 0 ? Array.from({ length: FILES }, (_, index) => index) : [(commit * 7919) % FILES];
    for (const index of changed) yield `M 100644 inline ${pathOf(index)}\n${data(textOf(index, commit))}`;
  }
}

const spec = `id: FEAT-0001
title: A change in a large repository
risk_tier: 2
mode: feature
blast_radius: { modules: [core] }
operational_rollback_slo: 5m
scope: { in: [src/], out: [dist/] }
invariants: [It works]
acceptance: [{ id: A1, given: a, when: b, then: c }]
non_functional: {}
contracts: [{ type: json-schema, path: docs/options.schema.json }]
`;

/** Creates the repository once and keeps it: 5,000 files, 10,000 commits, a branch with ten changed files, and test reports. */
export async function benchRepository(): Promise<string> {
  if (existsSync(join(folder, 'ready'))) return join(folder, 'repo');
  rmSync(folder, { recursive: true, force: true });
  const repo = join(folder, 'repo');
  mkdirSync(repo, { recursive: true });
  git(repo, 'init', '-q', '-b', 'main');
  const importer = spawn('git', ['-C', repo, 'fast-import', '--quiet'], {
    env: environment,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const ended = once(importer, 'close');
  for (const part of history()) if (!importer.stdin.write(part)) await once(importer.stdin, 'drain');
  importer.stdin.end();
  const [code] = await ended;
  if (code !== 0) throw new Error(`git fast-import exited with ${code}`);
  git(repo, 'reset', '-q', '--hard');
  git(repo, 'checkout', '-q', '-b', 'work');
  write(repo, '.caws/working-spec.yaml', spec);
  write(repo, '.gitignore', 'reports/\ncoverage/\n');
  write(repo, 'docs/options.schema.json', '{"type":"object"}\n');
  for (let index = 1; index <= 10; index++) write(repo, pathOf(index), textOf(index, 77));
  git(repo, 'add', '-A');
  git(repo, 'commit', '-q', '-m', 'feat: the change');
  git(repo, 'gc', '-q');
  writeReports(repo);
  write(folder, 'ready', '');
  return repo;
}

function writeReports(repo: string): void {
  const cases = Array.from(
    { length: 5000 },
    (_, index) => `<testcase classname="part" name="${index === 0 ? 'A1: works' : `test ${index}`}" time="0.01"/>`,
  );
  write(repo, 'reports/junit.xml', `<testsuites><testsuite name="all">${cases.join('\n')}</testsuite></testsuites>`);
  const records = Array.from({ length: FILES }, (_, index) => {
    const lines = Array.from({ length: LINES }, (_, line) => `DA:${line + 1},1`).join('\n');
    return `SF:${pathOf(index)}\n${lines}\nBRDA:1,0,0,1\nBRDA:1,0,1,1\nend_of_record\n`;
  });
  write(repo, 'coverage/lcov.info', records.join(''));
  const later = new Date(Date.now() + 1000);
  for (const report of ['reports/junit.xml', 'coverage/lcov.info']) utimesSync(join(repo, report), later, later);
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
