import { Failure, quote } from '../../platform/errors.ts';
import { GitError } from '../../platform/git/git-program.ts';
import {
  type GitCommand,
  type GitRepository,
  type GitRunOptions,
  type OpenRepositoryOptions,
  openGitRepository,
} from '../../platform/git/git-repository.ts';
import type { ProgramResult } from '../../platform/process/run-program.ts';

/** A git work tree with its current commit and branch. */
export interface ProjectRepository extends Pick<GitRepository, 'gitDir' | 'commonDir' | 'hooks'> {
  /** Absolute, as git gives it. */
  root: string;
  /** The commit that is checked out; undefined before the first one. */
  head: string | undefined;
  /** Undefined where the head is detached. */
  branch: string | undefined;
  /** Part of the history is missing here. */
  shallow: boolean;
  /** Existing main branches with their commits. */
  mainBranches: ReadonlyMap<string, string>;
  /** Runs git in the folder that was opened. A non-zero exit code is an answer. */
  git(command: GitCommand, args: readonly string[], options?: GitRunOptions): Promise<ProgramResult>;
  /** The same where anything but success is a failure; the output as text. */
  read(command: GitCommand, args: readonly string[], options?: GitRunOptions): Promise<string>;
}

/** The default base of a change: the first of these refs that exists. */
const defaultBaseRefs = [
  'refs/remotes/origin/HEAD',
  'refs/remotes/origin/main',
  'refs/remotes/origin/master',
  'refs/heads/main',
  'refs/heads/master',
];
const commitIdPattern = /^[0-9a-f]{40,64}$/;

/** Finds the repository of a folder, if any. Git commands run in parallel, because starting them takes most of the time. */
export async function findRepository(
  folder: string,
  context: Pick<OpenRepositoryOptions, 'signal' | 'checkPath'>,
): Promise<ProjectRepository | undefined> {
  if (folder.includes('\0'))
    throw new Failure('bad_input', 'EINVAL', 'workingDirectory holds a NUL byte; pass the path of a folder');
  // A huge file is not compared line by line.
  const opened = await openGitRepository(folder, { ...context, bigFileThreshold: '32m' }).catch(
    handleOpenError(folder),
  );
  if (!opened) return undefined;
  const rethrowAs = (what: string) => (error: unknown) => {
    throw toGitFailure(what, error);
  };
  const git: ProjectRepository['git'] = (command, args, options) =>
    // A change could replace its base (git replace).
    opened.run(command, args, { ignoreReplacements: true, ...options }).catch(rethrowAs(`git ${command}`));
  const [head, branch, bases] = await Promise.all([
    git('rev-parse', ['--verify', '--quiet', 'HEAD^{commit}']),
    git('symbolic-ref', ['--quiet', '--short', 'HEAD']),
    git('for-each-ref', ['--format=%(objectname) %(refname)', ...defaultBaseRefs]),
  ]);
  return {
    root: opened.workTree,
    gitDir: opened.gitDir,
    commonDir: opened.commonDir,
    hooks: () => opened.hooks().catch(rethrowAs('git')),
    head: matchOutput(head, commitIdPattern),
    branch: matchOutput(branch, /./),
    shallow: opened.isShallow,
    mainBranches: parseRefs(bases.stdout.toString('utf8')),
    git,
    async read(command, args, options) {
      const finished = await git(command, args, options);
      if (finished.code === 0) return finished.stdout.toString('utf8');
      throw new Failure('unavailable', 'GIT_FAILED', `git ${command} ${opened.explain(finished)}`);
    },
  };
}

/** Short names in order of preference. */
function parseRefs(listing: string): ReadonlyMap<string, string> {
  const commits = new Map(
    listing.split('\n').map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]),
  );
  const short = (name: string) => name.replace(/^refs\/(?:heads|remotes)\//, '');
  return new Map(
    defaultBaseRefs.flatMap((name) => {
      const commit = commits.get(name);
      return commit === undefined ? [] : [[short(name), commit] as const];
    }),
  );
}

/** Splits the output of a git command with `-z`. */
export function splitNul(output: Buffer): string[] {
  const parts = output.toString('utf8').split('\0');
  if (parts.at(-1) === '') parts.pop();
  return parts;
}

/** Resolves a name to its commit; undefined if there is none. */
export async function resolveCommit(repository: ProjectRepository, name: string): Promise<string | undefined> {
  if (/^$|^-|\0/.test(name)) return undefined;
  const args = ['--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  return matchOutput(await repository.git('rev-parse', args), commitIdPattern);
}

/** Returns undefined outside of a work tree; throws if git cannot read one. */
function handleOpenError(folder: string): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof GitError)) throw error;
    if (error.reason === 'not-repository' || error.reason === 'no-work-tree') return undefined;
    if (error.reason === 'no-folder') {
      throw new Failure(
        'not_found',
        'ENOENT',
        `No such folder: workingDirectory ${quote(folder)}; pass a folder that exists`,
      );
    }
    if (error.reason !== 'not-trusted') throw toGitFailure('git', error);
    const message = `The repository at ${quote(folder)} belongs to another user, so git does not trust it; if you do, add it to safe.directory in your git configuration`;
    throw new Failure('unavailable', 'EACCES', message);
  };
}

function toGitFailure(what: string, error: unknown): unknown {
  if (!(error instanceof GitError)) return error;
  const { reason, message } = error;
  if (reason === 'missing') return new Failure('unavailable', 'ENOENT', message);
  if (reason === 'timeout')
    return new Failure(
      'unavailable',
      'ETIMEDOUT',
      `${what} took too long; call the tool again when the machine is less busy`,
      {},
      { cause: error },
    );
  return new Failure('unavailable', 'GIT_FAILED', `${what} failed: ${quote(message, 500)}`, {}, { cause: error });
}

function matchOutput({ code, stdout }: ProgramResult, wanted: RegExp): string | undefined {
  const text = stdout.toString('utf8').trim();
  return code === 0 && wanted.test(text) ? text : undefined;
}
