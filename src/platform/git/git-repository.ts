import { quote } from '../errors.ts';
import type { ProgramResult } from '../process/run-program.ts';
import { findGit, GitError, OLDEST_GIT_VERSION, userEnvironment } from './git-program.ts';
import { buildIsolatedConfig } from './isolated-config.ts';
import { type GitFolders, withIsolatedView } from './isolated-view.ts';
import { checkRepositoryPaths } from './repository-paths.ts';
import { runWatchedGit, type WatchedRepository } from './watched-git.ts';

/**
 * The git commands that may read a repository, with their fixed options. Programs in settings cannot start anyway (see
 * `withIsolatedView`), but git would read submodules with their own settings.
 */
const commands = {
  'cat-file': [],
  diff: ['--no-color', '--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty'],
  'diff-files': ['--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty'],
  'for-each-ref': [],
  'hash-object': [],
  log: ['--no-color', '--no-show-signature', '--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty'],
  'ls-files': [],
  'merge-base': [],
  notes: [],
  'rev-list': [],
  'rev-parse': [],
  'symbolic-ref': [],
} as const satisfies Record<string, readonly string[]>;

export type GitCommand = keyof typeof commands;

export interface GitRunOptions {
  /** A folder of the work tree. Default: the folder that was opened. */
  cwd?: string | undefined;
  maxOutputBytes?: number | undefined;
  /** Absolute path of an index other than the work tree's own. */
  indexFile?: string | undefined;
  /** Treats paths as names, not as patterns. */
  literalPathspecs?: boolean | undefined;
  /** Reads original commits, not those that `git replace` substitutes. */
  ignoreReplacements?: boolean | undefined;
}

/** Reads a repository with a work tree. No setting, attribute, hook or file of it makes git start another program. */
export interface GitRepository extends GitFolders {
  /** The clone has only a part of the history. */
  isShallow: boolean;
  /** Runs a git command. A non-zero exit code is a result; throws `GitError` when git cannot run. */
  run(command: GitCommand, args: readonly string[], options?: GitRunOptions): Promise<ProgramResult>;
  /** Returns the hooks folder, and `core.hooksPath` if it is set. Runs no hook. */
  hooks(): Promise<{ path: string; configured: string | undefined }>;
  /** Describes a failed git command in one sentence, with the fix if it is known. */
  explain(finished: ProgramResult): string;
}

export interface OpenRepositoryOptions {
  signal?: AbortSignal | undefined;
  /** Throws for a path that the caller may not read. */
  checkPath?: ((path: string) => Promise<void>) | undefined;
  /** Files of at least this size are compared as binary files. Default: git's. Example: `32m`. */
  bigFileThreshold?: string | undefined;
}

/** Largest output of `git config --list` that is read. */
const MOST_SETTINGS_BYTES = 16 * 1024 * 1024;

/** Opens the repository that contains a folder. Throws `GitError`, and `Failure` for a path that is not allowed. */
export async function openGitRepository(folder: string, options: OpenRepositoryOptions = {}): Promise<GitRepository> {
  const { signal, checkPath, bigFileThreshold } = options;
  if (folder.includes('\0')) throw new GitError('not-repository', 'the path holds a NUL byte');
  const git = await findGit();
  // These commands read settings, references and no objects, and start no program whatever the settings are.
  const unopened: WatchedRepository = { git, folder, namedFiles: [], checkPath };
  const ask = (cwd: string, ...args: string[]) =>
    runWatchedGit(
      ['-C', cwd, ...args],
      { env: userEnvironment(), signal, maxOutputBytes: MOST_SETTINGS_BYTES },
      unopened,
    );
  const answer = async (...args: string[]) =>
    outputText(await ask(folder, 'rev-parse', '--path-format=absolute', ...args));
  const asked = [
    askGit(answer, ['--is-shallow-repository', '--show-toplevel', '--absolute-git-dir', '--git-common-dir']),
    ask(folder, 'config', '--list', '--show-scope', '-z'),
  ] as const;
  // A failure of one must not leave the other running.
  await Promise.allSettled(asked);
  const [facts, listed] = await Promise.all(asked);
  if (listed.code !== 0) throw openingFailed(listed);
  const [shallow = '', workTree = '', gitDir = '', commonDir = ''] = facts;
  const folders = { workTree, gitDir, commonDir };
  const config = buildIsolatedConfig(listed.stdout, { workTree, bigFileThreshold });
  if (checkPath) await checkRepositoryPaths(folders, config.namedFiles, checkPath);
  const opened: WatchedRepository = { ...unopened, workTree, namedFiles: config.namedFiles };
  return {
    ...folders,
    isShallow: shallow === 'true',
    run: (command, args, { cwd = folder, maxOutputBytes, ...rest } = {}) =>
      withIsolatedView(folders, config.bytes, (env) =>
        runWatchedGit(
          ['-C', cwd, command, ...commands[command], ...args],
          { env: { ...env, ...environmentFor(rest) }, signal, maxOutputBytes },
          opened,
        ),
      ),
    async hooks() {
      // A relative core.hooksPath starts at the top of the work tree.
      const [path, setting] = await Promise.all([
        ask(workTree, 'rev-parse', '--path-format=absolute', '--git-path', 'hooks'),
        ask(workTree, 'config', '--get', 'core.hooksPath'),
      ]);
      const configured = setting.code === 0 ? setting.stdout.toString('utf8').replace(/\n$/, '') : undefined;
      return { path: outputText(path), configured };
    },
    explain(finished) {
      const reason = `failed with code ${finished.code}: ${quote(firstLine(finished.stderr), 300)}`;
      const fix = 'this is a partial clone, and missing objects are not fetched; run "git fetch --refetch --no-filter"';
      return config.isPartialClone ? `${reason}; ${fix}` : reason;
    },
  };
}

function environmentFor(rest: Omit<GitRunOptions, 'cwd' | 'maxOutputBytes'>): NodeJS.ProcessEnv {
  return {
    ...(rest.indexFile !== undefined && { GIT_INDEX_FILE: rest.indexFile }),
    ...(rest.literalPathspecs && { GIT_LITERAL_PATHSPECS: '1' }),
    ...(rest.ignoreReplacements && { GIT_NO_REPLACE_OBJECTS: '1' }),
  };
}

/** Returns one output line per question. A path may contain line ends; with more lines than questions, each is asked alone. */
async function askGit(
  answer: (...questions: string[]) => Promise<string>,
  questions: readonly string[],
): Promise<string[]> {
  const lines = (await answer(...questions)).split('\n');
  return lines.length === questions.length ? lines : Promise.all(questions.map((question) => answer(question)));
}

/** Returns the output of git without the last line end. */
function outputText(finished: ProgramResult): string {
  if (finished.code !== 0) throw openingFailed(finished);
  // Old versions print options that they do not know.
  if (finished.stdout.subarray(0, 2).equals(Buffer.from('--'))) {
    throw new GitError('failed', `git is too old: install version ${OLDEST_GIT_VERSION} or later`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(finished.stdout).replace(/\r?\n$/, '');
  } catch (error) {
    throw new GitError('failed', 'the path of the repository is not UTF-8; move it to another folder', {
      cause: error,
    });
  }
}

function openingFailed({ code, stderr }: ProgramResult): GitError {
  // A bare repository and a folder in `.git` have no work tree.
  if (/must be run in a work tree/i.test(stderr)) return new GitError('no-work-tree', firstLine(stderr));
  if (/not a git repository/i.test(stderr)) return new GitError('not-repository', firstLine(stderr));
  if (/cannot change to/i.test(stderr)) return new GitError('no-folder', firstLine(stderr));
  if (!/dubious ownership/.test(stderr)) {
    return new GitError('failed', `git failed with code ${code}: ${quote(firstLine(stderr), 300)}`);
  }
  const remedy = /git config --global --add safe\.directory .+/.exec(stderr)?.[0];
  return new GitError('not-trusted', remedy ?? 'see safe.directory in git help config');
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}
