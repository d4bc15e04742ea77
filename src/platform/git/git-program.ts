import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { delimiter, isAbsolute, join, sep } from 'node:path';
import { systemCode } from '../errors.ts';
import { ProgramLimitError, type ProgramResult, runProgram } from '../process/run-program.ts';

export type GitErrorReason =
  | 'missing'
  | 'not-repository'
  | 'no-work-tree'
  | 'no-folder'
  | 'not-trusted'
  | 'timeout'
  | 'failed';

/** Git could not answer. Each domain converts this to a `Failure` with the code of its specification. */
export class GitError extends Error {
  readonly reason: GitErrorReason;

  constructor(reason: GitErrorReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'GitError';
    this.reason = reason;
  }
}

export interface RunGitOptions {
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal | undefined;
  maxOutputBytes?: number | undefined;
}

const TIMEOUT_MS = 45_000;
const MEBIBYTE = 1024 * 1024;

/**
 * Git reads many files of a repository into memory without a limit: references, settings, alternates, objects. Each may be a
 * link to a device without an end. The limit is an eighth of the memory of the machine or container, from 128 MiB to 1 GiB.
 */
const MAX_MEMORY_BYTES = Math.min(
  1024 * MEBIBYTE,
  Math.max(128 * MEBIBYTE, Math.floor(Math.min(process.constrainedMemory() || totalmem(), totalmem()) / 8)),
);

/**
 * Variables that git inherits from this process. Git, the linker and the shell read dozens of variables that name a program,
 * a file to write or another repository, so only those in this list are passed on.
 */
const inherited = [
  'PATH',
  'HOME',
  'XDG_CONFIG_HOME',
  'TMPDIR',
  'LD_LIBRARY_PATH',
  'SUDO_UID',
  ...['SystemRoot', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'APPDATA', 'ProgramData', 'TEMP', 'TMP', 'PATHEXT'],
];

/** Variables that locate the user's configuration, and control how strictly git checks the owner of a repository. */
const inheritedForSettings = [
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_DISCOVERY_ACROSS_FILESYSTEM',
  'GIT_TEST_ASSUME_DIFFERENT_OWNER',
];

/** Git takes no locks, prompts for nothing, and no transport (built-in or helper) may be used. */
const fixed = {
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
};

/** The environment for reading a repository with a configuration of Assay instead of its own. */
export function isolatedEnvironment(): NodeJS.ProcessEnv {
  return { ...pick(inherited), ...fixed };
}

/** The environment in which git finds the user's own configuration. Only for commands that start no program whatever it says. */
export function userEnvironment(): NodeJS.ProcessEnv {
  return { ...pick([...inherited, ...inheritedForSettings]), ...fixed };
}

function pick(names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/**
 * Starts git (the path from `findGit`) with an argument array and exactly the given environment. Ends its whole process tree
 * at the time, output and memory limits and on cancellation. Throws `GitError`, or the signal's reason on cancellation.
 */
export async function runGit(program: string, args: readonly string[], options: RunGitOptions): Promise<ProgramResult> {
  try {
    return await runProgram(program, args, {
      timeoutMs: TIMEOUT_MS,
      maxMemoryBytes: MAX_MEMORY_BYTES,
      ...options,
    });
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof ProgramLimitError && error.limit === 'time') {
      throw new GitError('timeout', `git took longer than ${TIMEOUT_MS / 1000} seconds`, { cause: error });
    }
    if (error instanceof ProgramLimitError && error.limit === 'memory') {
      const message = `git used more than ${Math.floor(MAX_MEMORY_BYTES / MEBIBYTE)} MiB of memory; a file in the repository is too large, damaged or a device: check it with "git fsck", or use a new clone`;
      throw new GitError('failed', message, { cause: error });
    }
    if (systemCode(error) === 'ENOENT') throw gitMissing();
    throw new GitError('failed', error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/**
 * Returns the absolute path of git; throws `GitError` without one. Skips folders that a project controls: relative entries of
 * PATH (and the working directory, which Windows searches before PATH) and `node_modules/.bin`, which npm puts first.
 */
export async function findGit(): Promise<string> {
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    if (!isAbsolute(folder) || folder.split(sep).includes('node_modules')) continue;
    const path = join(folder, name);
    if (await isExecutable(path)) return path;
  }
  throw gitMissing();
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** The first version that can skip the user's configuration (`GIT_CONFIG_GLOBAL`). */
export const OLDEST_GIT_VERSION = '2.32';

/** Returns the version line of git, such as `git version 2.39.5`. */
export async function readGitVersion(): Promise<string> {
  const { stdout } = await runGit(await findGit(), ['--version'], { env: isolatedEnvironment() });
  return stdout.toString('utf8').trim();
}

export function isSupportedGit(version: string): boolean {
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 32);
}

function gitMissing(): GitError {
  return new GitError('missing', 'git was not found; install it, or put it on the PATH');
}
