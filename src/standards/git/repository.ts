import { Failure, quote, systemCode } from '../../platform/errors.ts';
import { gitEnvironment, listFilters, lookingOnly, withoutFilters } from '../../platform/git-environment.ts';
import { type Finished, runProgram } from '../../platform/process.ts';

/** A git work tree, and where it stands. */
export interface Repository {
  /** Absolute, as git gives it. */
  root: string;
  /** The commit that is checked out; undefined before the first one. */
  head: string | undefined;
  /** Undefined where the head is detached. */
  branch: string | undefined;
  /** Part of the history is missing here. */
  shallow: boolean;
  /** Those of the usual main branches that are here, with their commits. */
  mainBranches: ReadonlyMap<string, string>;
  /** Runs git in the folder that was opened. A non-zero exit code is an answer. */
  git(args: readonly string[], options?: GitOptions): Promise<Finished>;
  /** The same where anything but success is a failure; the output as text. */
  read(args: readonly string[], options?: GitOptions): Promise<string>;
}

export interface GitOptions {
  /** Another folder than the one that was opened. */
  cwd?: string;
  maxOutputBytes?: number;
  env?: NodeJS.ProcessEnv;
}

/** Where a branch is taken to have begun, when nobody says: the first of these that exists. */
const usualBases = [
  'refs/remotes/origin/HEAD',
  'refs/remotes/origin/main',
  'refs/remotes/origin/master',
  'refs/heads/main',
  'refs/heads/master',
];
const commitId = /^[0-9a-f]{40,64}$/;

/** The repository that a folder lies in, if any. Git is asked everything at once: starting it is what takes time. */
export async function findRepository(folder: string, signal?: AbortSignal): Promise<Repository | undefined> {
  if (folder.includes('\0')) throw new Failure('bad_input', 'EINVAL', 'workingDirectory holds a NUL byte');
  const ask = (...args: string[]) => runGit(folder, args, signal);
  const [place, head, branch, bases, filters] = await Promise.all([
    ask('rev-parse', '--is-shallow-repository', '--show-toplevel'),
    ask('rev-parse', '--verify', '--quiet', 'HEAD^{commit}'),
    ask('symbolic-ref', '--quiet', '--short', 'HEAD'),
    ask('for-each-ref', '--format=%(objectname) %(refname)', ...usualBases),
    ask(...listFilters),
  ]);
  if (place.code !== 0) return notOpened(folder, place);
  const [shallow = '', ...rest] = place.stdout.toString('utf8').split('\n');
  const settings = withoutFilters(filters.stdout);
  const run = (args: readonly string[], options: GitOptions = {}) =>
    runGit(options.cwd ?? folder, args, signal, { ...options, env: { ...settings, ...options.env } });
  return {
    // A path may hold line ends: everything but the last one is part of it.
    root: rest.slice(0, -1).join('\n'),
    head: textOf(head, commitId),
    branch: textOf(branch, /./),
    shallow: shallow === 'true',
    mainBranches: refsIn(bases.stdout.toString('utf8')),
    git: run,
    async read(args, options) {
      const finished = await run(args, options);
      if (finished.code !== 0) throw gitFailed(args[0] ?? '', finished);
      return finished.stdout.toString('utf8');
    },
  };
}

/** Names as people use them, in the order in which they are preferred. */
function refsIn(listing: string): ReadonlyMap<string, string> {
  const commits = new Map(
    listing.split('\n').map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]),
  );
  const short = (name: string) => name.replace(/^refs\/(?:heads|remotes)\//, '');
  return new Map(
    usualBases.flatMap((name) => {
      const commit = commits.get(name);
      return commit === undefined ? [] : [[short(name), commit] as const];
    }),
  );
}

/** The parts of what git prints with `-z`. */
export function nulSeparated(output: Buffer): string[] {
  const parts = output.toString('utf8').split('\0');
  if (parts.at(-1) === '') parts.pop();
  return parts;
}

/** The commit that a name stands for, if it does. */
export async function commitOf(repository: Repository, name: string): Promise<string | undefined> {
  if (/^$|^-|\0/.test(name)) return undefined;
  const asked = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  return textOf(await repository.git(asked), commitId);
}

function gitFailed(command: string, { code, stderr }: Finished): Failure {
  const said = stderr.trim().split('\n', 1)[0] ?? '';
  return new Failure('unavailable', 'GIT_FAILED', `git ${command} failed with code ${code}: ${quote(said, 300)}`);
}

function notOpened(folder: string, finished: Finished): undefined {
  const { stderr } = finished;
  // A bare repository, or the inside of `.git`, has no work tree.
  if (/not a git repository|must be run in a work tree/i.test(stderr)) return undefined;
  if (/cannot change to/i.test(stderr)) {
    throw new Failure('not_found', 'ENOENT', `No such folder: workingDirectory ${quote(folder)}`);
  }
  if (!/dubious ownership/.test(stderr)) throw gitFailed('rev-parse', finished);
  const message = `The repository at ${quote(folder)} belongs to another user, so git does not trust it; if you do, add it to safe.directory in your git configuration`;
  throw new Failure('unavailable', 'EACCES', message);
}

function textOf({ code, stdout }: Finished, wanted: RegExp): string | undefined {
  const text = stdout.toString('utf8').trim();
  return code === 0 && wanted.test(text) ? text : undefined;
}

async function runGit(
  folder: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
  { maxOutputBytes, env }: GitOptions = {},
): Promise<Finished> {
  try {
    // Nothing is fetched; a huge file is not compared line by line.
    const settings = [...lookingOnly, '-c', 'core.bigFileThreshold=32m', '-c', 'core.quotePath=false'];
    return await runProgram('git', ['-C', folder, ...settings, ...args], {
      env: { ...gitEnvironment(), GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1', ...env },
      ...(signal && { signal }),
      ...(maxOutputBytes && { maxOutputBytes }),
    });
  } catch (error) {
    signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    if (/took longer than/.test(reason)) {
      throw new Failure('unavailable', 'ETIMEDOUT', `git ${args[0]} took too long`, {}, { cause: error });
    }
    throw systemCode(error) === 'ENOENT'
      ? new Failure('unavailable', 'ENOENT', 'git was not found; install it, or put it on the PATH')
      : new Failure('unavailable', 'GIT_FAILED', `git failed: ${quote(reason)}`, {}, { cause: error });
  }
}
