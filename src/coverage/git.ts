import { lstat } from 'node:fs/promises';
import { posix } from 'node:path';
import { Failure, quote, systemCode } from '../platform/errors.ts';
import { gitEnvironment, listFilters, lookingOnly, withoutFilters } from '../platform/git-environment.ts';
import { type Finished, runProgram } from '../platform/process.ts';
import { type ChangedFile, parseDiff } from './diff.ts';
import { tidyPath } from './source-path.ts';

/** A git work tree. */
export interface Repository {
  /** Absolute and tidy. */
  root: string;
  git(...args: string[]): Promise<Finished>;
}

/** Where a branch is taken to have begun, when nobody says: the first of these that exists. */
const usualBases = ['origin/HEAD', 'origin/main', 'origin/master', 'main', 'master'];

export async function openRepository(folder: string, signal?: AbortSignal): Promise<Repository> {
  if (folder.includes('\0')) throw notRepository(folder);
  const top = await runGit(folder, ['rev-parse', '--show-toplevel'], signal);
  if (top.code !== 0) throw openingFailed(folder, top);
  const root = top.stdout.toString('utf8').replace(/\r?\n$/, '');
  const filters = withoutFilters((await runGit(root, listFilters, signal)).stdout);
  return { root: tidyPath(root), git: (...args) => runGit(root, args, signal, filters) };
}

function openingFailed(folder: string, { code, stdout, stderr }: Finished): Failure {
  if (/not a git repository|cannot change to/i.test(stderr)) return notRepository(folder);
  if (!/dubious ownership/.test(stderr)) return gitFailed({ code, stdout, stderr });
  const remedy =
    /git config --global --add safe\.directory .+/.exec(stderr)?.[0] ?? 'see safe.directory in git help config';
  const message = `The repository belongs to another user, so git does not trust it: ${quote(folder)}; if you do, run: ${remedy}`;
  return new Failure('unavailable', 'GIT_NOT_TRUSTED', message);
}

function notRepository(folder: string): Failure {
  return new Failure('bad_input', 'GIT_NOT_REPOSITORY', `Not in a git repository: ${quote(folder)}; give repoPath`);
}

/** The commit where the work at hand left its base, and the name of that base. */
export async function branchPoint(repository: Repository, base?: string): Promise<{ base: string; commit: string }> {
  if ((await commitOf(repository, 'HEAD')) === undefined) {
    throw new Failure('bad_input', 'GIT_NO_COMMITS', 'The repository has no commits yet, so nothing to compare with');
  }
  const named = base === undefined ? await usualBase(repository) : await givenBase(repository, base);
  const { code, stdout, stderr } = await repository.git('merge-base', named.commit, 'HEAD');
  if (code === 0) return { base: named.base, commit: stdout.toString('utf8').trim() };
  if (code !== 1) throw gitFailed({ code, stdout, stderr });
  const shallow =
    (await repository.git('rev-parse', '--is-shallow-repository')).stdout.toString('utf8').trim() === 'true';
  const fix = shallow
    ? 'this clone is shallow; fetch its history with "git fetch --unshallow"'
    : 'they share no history; give another base';
  throw new Failure('bad_input', 'GIT_NO_MERGE_BASE', `No common commit of HEAD and ${quote(named.base)}: ${fix}`);
}

/** Lines of the work tree that differ from a commit, committed or not; of files that git does not know yet, all lines. */
export async function changesSince(repository: Repository, commit: string): Promise<ChangedFile[]> {
  // Each option undoes something that the configuration of a user or a repository may ask for.
  const options = '-U0 --inter-hunk-context=0 -M --no-color --no-ext-diff --no-textconv --no-relative';
  const prefixes = '--src-prefix=a/ --dst-prefix=b/ --ignore-submodules=all';
  const diff = await repository.git('diff', ...options.split(' '), ...prefixes.split(' '), commit, '--');
  if (diff.code !== 0) throw gitFailed(diff);
  const others = await repository.git('ls-files', '--others', '--exclude-standard', '--full-name', '-z');
  if (others.code !== 0) throw gitFailed(others);
  const untracked: ChangedFile[] = [];
  for (const path of others.stdout.toString('utf8').split('\0')) {
    // A folder is a repository of its own.
    if (path === '' || path.endsWith('/') || !(await isPlainFile(posix.join(repository.root, path)))) continue;
    untracked.push({ path, ranges: [[1, Number.POSITIVE_INFINITY]] });
  }
  return [...parseDiff(diff.stdout), ...untracked];
}

/** A symbolic link is not: its source is where it leads. */
async function isPlainFile(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

async function givenBase(repository: Repository, base: string): Promise<{ base: string; commit: string }> {
  // No name in git begins with a dash; with one it would be an option.
  const commit = /^$|^-|\0/.test(base) ? undefined : await commitOf(repository, base);
  if (commit !== undefined) return { base, commit };
  const message = `Unknown base ${quote(base)}: no such branch, tag or commit in this repository`;
  throw new Failure('bad_input', 'GIT_UNKNOWN_BASE', message);
}

async function usualBase(repository: Repository): Promise<{ base: string; commit: string }> {
  for (const base of usualBases) {
    const commit = await commitOf(repository, base);
    if (commit !== undefined) return { base, commit };
  }
  const message = `No base to compare with: none of ${usualBases.join(', ')} exists; give a branch, tag or commit as base`;
  throw new Failure('bad_input', 'GIT_NO_BASE', message);
}

async function commitOf(repository: Repository, name: string): Promise<string | undefined> {
  const { code, stdout } = await repository.git(
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${name}^{commit}`,
  );
  const commit = stdout.toString('utf8').trim();
  return code === 0 && /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined;
}

async function runGit(
  folder: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
  settings: NodeJS.ProcessEnv = {},
): Promise<Finished> {
  const env = { ...gitEnvironment(), ...settings };
  try {
    return await runProgram('git', ['-C', folder, ...lookingOnly, ...args], {
      env,
      timeoutMs: 45_000,
      ...(signal && { signal }),
    });
  } catch (error) {
    signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw systemCode(error) === 'ENOENT'
      ? new Failure('unavailable', 'GIT_MISSING', 'git was not found; install it, or put it on the PATH')
      : new Failure('unavailable', 'GIT_FAILED', `git failed: ${quote(reason)}`, {}, { cause: error });
  }
}

function gitFailed({ code, stderr }: Finished): Failure {
  const said = stderr.trim().split('\n', 1)[0] ?? '';
  return new Failure('unavailable', 'GIT_FAILED', `git failed with code ${code}: ${quote(said, 300)}`);
}
