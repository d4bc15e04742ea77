import { lstat } from 'node:fs/promises';
import { posix } from 'node:path';
import { Failure, quote } from '../../platform/errors.ts';
import { GitError } from '../../platform/git/git-program.ts';
import {
  type GitCommand,
  type GitRepository,
  type OpenRepositoryOptions,
  openGitRepository,
} from '../../platform/git/git-repository.ts';
import type { ProgramResult } from '../../platform/process/run-program.ts';
import { normalizePath } from '../paths/source-path.ts';
import { type ChangedFile, parseDiff } from './git-diff.ts';

/** A git work tree. */
export interface GitWorkTree extends Pick<GitRepository, 'isShallow' | 'explain'> {
  /** Absolute and normalized. */
  root: string;
  /** Runs a command at the top of the work tree. */
  git(command: GitCommand, ...args: string[]): Promise<ProgramResult>;
}

/** The default base of a change: the first of these that exists. */
const defaultBases = ['origin/HEAD', 'origin/main', 'origin/master', 'main', 'master'];

export async function openWorkTree(folder: string, options: OpenRepositoryOptions = {}): Promise<GitWorkTree> {
  try {
    const { workTree, isShallow, run, explain } = await openGitRepository(folder, options);
    return {
      root: normalizePath(workTree),
      isShallow,
      explain,
      git: (command, ...args) =>
        run(command, args, { cwd: workTree }).catch((error: unknown) => {
          throw toGitFailure(error, folder);
        }),
    };
  } catch (error) {
    throw toGitFailure(error, folder);
  }
}

function toGitFailure(error: unknown, folder: string): unknown {
  if (!(error instanceof GitError)) return error;
  const { reason, message } = error;
  if (reason === 'not-repository' || reason === 'no-folder') return notRepositoryFailure(folder);
  if (reason === 'missing') return new Failure('unavailable', 'GIT_MISSING', message);
  if (reason === 'not-trusted') {
    const text = `The repository belongs to another user, so git does not trust it: ${quote(folder)}; if you do, run: ${message}`;
    return new Failure('unavailable', 'GIT_NOT_TRUSTED', text);
  }
  return new Failure('unavailable', 'GIT_FAILED', `git failed: ${quote(message, 500)}`, {}, { cause: error });
}

function notRepositoryFailure(folder: string): Failure {
  return new Failure('bad_input', 'GIT_NOT_REPOSITORY', `Not in a git repository: ${quote(folder)}; give repoPath`);
}

/** Finds the merge base of HEAD and a base, and the name of the base. */
export async function findMergeBase(repository: GitWorkTree, base?: string): Promise<{ base: string; commit: string }> {
  if ((await resolveCommit(repository, 'HEAD')) === undefined) {
    throw new Failure(
      'bad_input',
      'GIT_NO_COMMITS',
      'The repository has no commits yet, so there is nothing to compare with; commit first',
    );
  }
  const named = base === undefined ? await resolveDefaultBase(repository) : await resolveNamedBase(repository, base);
  const { code, stdout, stderr } = await repository.git('merge-base', named.commit, 'HEAD');
  if (code === 0) return { base: named.base, commit: stdout.toString('utf8').trim() };
  if (code !== 1) throw commandFailure(repository, { code, stdout, stderr });
  const fix = repository.isShallow
    ? 'this clone is shallow; fetch its history with "git fetch --unshallow"'
    : 'they share no history; give another base';
  throw new Failure('bad_input', 'GIT_NO_MERGE_BASE', `No common commit of HEAD and ${quote(named.base)}: ${fix}`);
}

/** Lists the lines of the work tree that differ from a commit, committed or not; of untracked files, all lines. */
export async function listChangesSince(repository: GitWorkTree, commit: string): Promise<ChangedFile[]> {
  const diff = await repository.git('diff', '-U0', '-M', '--ignore-submodules=all', commit, '--');
  if (diff.code !== 0) throw commandFailure(repository, diff);
  const others = await repository.git('ls-files', '--others', '--exclude-standard', '--full-name', '-z');
  if (others.code !== 0) throw commandFailure(repository, others);
  const untracked: ChangedFile[] = [];
  for (const path of others.stdout.toString('utf8').split('\0')) {
    // An entry with a trailing slash is a nested repository.
    if (path === '' || path.endsWith('/') || !(await isRegularFile(posix.join(repository.root, path)))) continue;
    untracked.push({ path, ranges: [[1, Number.POSITIVE_INFINITY]] });
  }
  return [...parseDiff(diff.stdout), ...untracked];
}

/** False for a symbolic link: its target is the source. */
async function isRegularFile(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

async function resolveNamedBase(repository: GitWorkTree, base: string): Promise<{ base: string; commit: string }> {
  // No git name starts with a dash; git would read it as an option.
  const commit = /^$|^-|\0/.test(base) ? undefined : await resolveCommit(repository, base);
  if (commit !== undefined) return { base, commit };
  const message = `Unknown base ${quote(base)}: no such branch, tag or commit in this repository`;
  throw new Failure('bad_input', 'GIT_UNKNOWN_BASE', message);
}

async function resolveDefaultBase(repository: GitWorkTree): Promise<{ base: string; commit: string }> {
  for (const base of defaultBases) {
    const commit = await resolveCommit(repository, base);
    if (commit !== undefined) return { base, commit };
  }
  const message = `No base to compare with: none of ${defaultBases.join(', ')} exists; give a branch, tag or commit as base`;
  throw new Failure('bad_input', 'GIT_NO_BASE', message);
}

async function resolveCommit(repository: GitWorkTree, name: string): Promise<string | undefined> {
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

function commandFailure(repository: GitWorkTree, finished: ProgramResult): Failure {
  return new Failure('unavailable', 'GIT_FAILED', `git ${repository.explain(finished)}`);
}
