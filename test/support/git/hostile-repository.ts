import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Folder, newFolder } from '../folders.ts';
import { specText } from '../standards/governed-repo.ts';
import {
  environmentVectors,
  hookVectors,
  localVectors,
  otherFileVectors,
  partialVectors,
  submoduleVectors,
  userVectors,
  type Vector,
} from './git-vectors.ts';
import { isolatedGit, newRepo, plainEnvironment, type Repo } from './repos.ts';

/** Programs that leave a file behind when they are started, one for each vector. */
export interface Traps extends AsyncDisposable {
  /** Where the programs are; also their folder on the PATH. */
  folder: string;
  programOf(vector: Pick<Vector, 'name'>): string;
  /** The names of the vectors whose programs were started since the last call. */
  started(): string[];
  /** Command lines of processes that belong to these programs. */
  running(): string[];
}

export async function newTraps(): Promise<Traps> {
  const folder = await newFolder();
  const marks = join(folder.path, 'started');
  mkdirSync(marks);
  const programs = join(folder.path, 'programs');
  mkdirSync(programs);
  const all = [
    ...localVectors,
    ...Object.values(otherFileVectors),
    ...submoduleVectors,
    ...partialVectors,
    ...hookVectors,
    ...environmentVectors,
    ...userVectors,
    { name: 'git-of-project' },
  ];
  const write = (path: string, mark: string) => {
    writeFileSync(path, `#!/bin/sh\n: > '${join(marks, mark)}'\n`);
    chmodSync(path, 0o755);
  };
  for (const { name } of all) {
    write(join(programs, name), name);
    mkdirSync(join(programs, `${name}-folder`));
  }
  write(join(programs, 'hooks-path-folder', 'reference-transaction'), 'hooks-path');
  write(join(programs, 'env-GIT_EXEC_PATH-folder', 'git-evil-exec'), 'env-GIT_EXEC_PATH');
  // A git of the repository must not run.
  write(join(programs, 'env-GIT_EXEC_PATH-folder', 'git'), 'env-GIT_EXEC_PATH');
  return {
    folder: programs,
    programOf: ({ name }) => (name.startsWith('env-GIT_TRACE') ? join(marks, name) : join(programs, name)),
    started() {
      const names = readdirSync(marks);
      for (const name of names) rmSync(join(marks, name));
      return names;
    },
    running: () =>
      execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
        .split('\n')
        .filter((line) => line.includes(folder.path)),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** The configuration of the vectors, in bytes. */
const configOf = (vectors: readonly Vector[], traps: Traps) =>
  Buffer.from(vectors.map((vector) => vector.settings?.(traps.programOf(vector)) ?? '').join(''), 'latin1');
const attributesOf = (vectors: readonly Vector[]) =>
  Buffer.from(vectors.flatMap(({ attributes }) => (attributes ? [`${attributes}\n`] : [])).join(''), 'latin1');

const report = '<testsuites><testsuite name="s"><testcase name="A1 adds"/></testsuite></testsuites>\n';
const changedFiles = (vectors: readonly Vector[], text: string) =>
  Object.fromEntries(vectors.flatMap(({ name, attributes }) => (attributes ? [[`${name}.txt`, text]] : [])));

/** A repository whose settings, attributes, hooks and submodule name a program each. All its objects are there. */
export async function hostileRepo(traps: Traps): Promise<Repo> {
  const others = Object.values(otherFileVectors);
  const vectors = [...localVectors, ...others, ...userVectors];
  const repo = await newRepo({
    ...changedFiles(vectors, 'line one\n'),
    'plain.txt': 'line one\n',
    'src/sum.js': 'export const sum = 0;\n',
    'reports/junit.xml': report,
    '.caws/working-spec.yaml': specText({ contracts: [], risk_tier: 3, scope: { in: ['**'], out: [] } }),
    '.gitattributes': attributesOf(vectors.filter((vector) => vector !== otherFileVectors.info)),
  });
  await addSubmodule(repo, traps);
  repo.git('checkout', '-q', '-b', 'side');
  await repo.commit('side', { 'merge-driver.txt': 'line of side\n' });
  repo.git('checkout', '-q', '-b', 'work', 'main');
  await repo.commit('work', { 'merge-driver.txt': 'line of work\n' });
  await signCommits(repo);
  await repo.put({ ...changedFiles(vectors, 'line two\n'), 'plain.txt': 'line two\n', 'src/sum.js': 'export {};\n' });
  await repo.put({ 'inner/inner.txt': 'line two\n', 'coverage/lcov.info': 'SF:plain.txt\nDA:1,1\nend_of_record\n' });
  // An own object store is an alternate too.
  await repo.put({ '.git/objects/info/alternates': `${join(repo.path, '.git/modules/inner/objects')}\n` });
  await repo.put({ '.git/info/attributes': attributesOf([otherFileVectors.info]) });
  await repo.put({
    '.git/included': configOf([otherFileVectors.included], traps),
    '.git/included-if': configOf([otherFileVectors.includedIf], traps),
    '.git/config.worktree': configOf([otherFileVectors.worktree], traps),
  });
  await appendFile(
    join(repo.path, '.git/config'),
    Buffer.concat([
      Buffer.from('[include]\n\tpath = included\n[includeIf "gitdir:**"]\n\tpath = included-if\n'),
      Buffer.from('[extensions]\n\tworktreeConfig = true\n[log]\n\tshowSignature = true\n'),
      configOf([otherFileVectors.info, ...localVectors], traps),
    ]),
  );
  return repo;
}

async function addSubmodule(repo: Repo, traps: Traps): Promise<void> {
  await using source = await newRepo({ 'inner.txt': 'line one\n', '.gitattributes': attributesOf(submoduleVectors) });
  repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', source.path, 'inner');
  await repo.commit('with a submodule');
  await appendFile(join(repo.path, '.git/modules/inner/config'), configOf(submoduleVectors, traps));
}

/** Commits of a test report with a signature of each kind: the last of `work`, and of a branch for each. */
async function signCommits(repo: Repo): Promise<void> {
  const kinds = { x509: 'SIGNED MESSAGE', ssh: 'SSH SIGNATURE', openpgp: 'PGP SIGNATURE' };
  const [headers = '', ...message] = repo.git('cat-file', 'commit', 'HEAD').split('\n\n');
  for (const [kind, title] of Object.entries(kinds)) {
    await repo.put({ 'reports/junit.xml': report.replace('A1', kind) });
    repo.git('add', 'reports/junit.xml');
    const [parent, tree] = [repo.git('rev-parse', 'HEAD'), repo.git('write-tree')];
    const renewed = headers.replace(/^parent .*$/m, `parent ${parent}`).replace(/^tree .*$/m, `tree ${tree}`);
    const signature = `gpgsig -----BEGIN ${title}-----\n \n eA==\n -----END ${title}-----`;
    await writeFile(join(repo.path, '.git/signed'), `${renewed}\n${signature}\n\n${message.join('\n\n')}\n`);
    const commit = repo.git('hash-object', '-t', 'commit', '-w', '.git/signed');
    repo.git('update-ref', `refs/heads/signed-${kind}`, commit);
    repo.git('reset', '-q', '--soft', commit);
  }
}

/** A partial clone whose remotes name a program each, with a blob of its main branch missing, and with hooks. */
export async function partialRepo(traps: Traps): Promise<Repo> {
  const repo = await newRepo({
    'missing.txt': 'line one\n',
    'plain.txt': 'line one\n',
    '.caws/working-spec.yaml': specText({ contracts: [], risk_tier: 3, scope: { in: ['**'], out: [] } }),
  });
  repo.git('checkout', '-q', '-b', 'work');
  await repo.commit('work', { 'missing.txt': 'line two\n' });
  const id = repo.git('rev-parse', 'main:missing.txt');
  await repo.put({ [`.git/objects/${id.slice(0, 2)}/${id.slice(2)}`]: null });
  await repo.put({ 'coverage/lcov.info': 'SF:plain.txt\nDA:1,1\nend_of_record\n' });
  for (const vector of hookVectors) {
    const path = join(repo.path, '.git/hooks', vector.name);
    cpSync(traps.programOf(vector), path);
  }
  await appendFile(
    join(repo.path, '.git/config'),
    Buffer.concat([
      Buffer.from('[protocol]\n\tallow = always\n[protocol "ext"]\n\tallow = always\n'),
      configOf(partialVectors, traps),
    ]),
  );
  return repo;
}

/** A repository without any setting of its own, for programs that the environment or the user's configuration names. */
export async function plainRepo(traps: Traps): Promise<Repo> {
  const files = { ...changedFiles(userVectors, 'line one\n'), 'plain.txt': 'line one\n' };
  const repo = await newRepo({
    ...files,
    '.gitattributes': attributesOf(userVectors),
    '.caws/working-spec.yaml': specText({ contracts: [], risk_tier: 3, scope: { in: ['**'], out: [] } }),
    // What npm puts on the PATH before everything else.
    'node_modules/.bin/git': readFileSync(traps.programOf({ name: 'git-of-project' })),
  });
  chmodSync(join(repo.path, 'node_modules/.bin/git'), 0o755);
  repo.git('checkout', '-q', '-b', 'work');
  await repo.put({ ...changedFiles(userVectors, 'line two\n'), 'plain.txt': 'line two\n' });
  await repo.put({ 'coverage/lcov.info': 'SF:plain.txt\nDA:1,1\nend_of_record\n' });
  return repo;
}

/** A home folder whose git configuration names programs. */
export async function hostileHome(traps: Traps): Promise<Folder> {
  const home = await newFolder();
  await home.write('.gitconfig', configOf(userVectors, traps));
  return home;
}

/** Runs the control of a vector in a copy of its repository, and returns whether its program was started. */
export async function controlStarts(
  { name, control }: Vector,
  repo: Folder,
  traps: Traps,
  env: Record<string, string> = {},
): Promise<boolean> {
  await using copy = await newFolder();
  cpSync(repo.path, copy.path, { recursive: true, verbatimSymlinks: true });
  traps.started();
  // The answer of a file monitor would hide the changes that the other programs are started for.
  const quiet = name.includes('fsmonitor') || name.includes('PARAMETERS') ? [] : ['-c', 'core.fsmonitor=false'];
  const args = [...quiet, ...control.args];
  const [program, all] = control.terminal ? ['script', ['-qec', `git ${args.join(' ')}`, '/dev/null']] : ['git', args];
  spawnSync(program, all, {
    cwd: copy.path,
    env: {
      ...plainEnvironment(),
      ...isolatedGit,
      TERM: 'xterm',
      PATH: `${process.env['PATH']}:${traps.folder}`,
      ...control.env,
      ...env,
    },
    input: control.input ?? '',
    timeout: 20_000,
  });
  return traps.started().includes(name);
}
