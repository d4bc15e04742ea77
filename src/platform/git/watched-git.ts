import { relative } from 'node:path';
import type { ProgramResult } from '../process/run-program.ts';
import { escapeText } from '../text/untrusted-text.ts';
import { GitError, type RunGitOptions, runGit } from './git-program.ts';
import { findSpecialFile } from './special-files.ts';

export interface WatchedRepository {
  /** Path of git. */
  git: string;
  /** Absolute; the folder of the caller. */
  folder: string;
  /** Absolute; known once the repository is open. */
  workTree?: string | undefined;
  /** Absolute paths of files that its settings name. */
  namedFiles: readonly string[];
  /** Throws for a path that the caller may not read. */
  checkPath?: ((path: string) => Promise<void>) | undefined;
}

/** Git is this slow only in a very large repository, or where it waits for a file. */
const SLOW_AFTER_MS = 2000;
const SEARCH_WITHIN_MS = 5000;

/**
 * Runs git like `runGit`. While it is slow, and when it reached a limit, a named pipe or device that it may have opened is
 * searched; if there is one, git is ended with an error that names it.
 */
export async function runWatchedGit(
  args: readonly string[],
  options: RunGitOptions,
  repository: WatchedRepository,
): Promise<ProgramResult> {
  const ended = new AbortController();
  const blocked = new AbortController();
  const watch = setTimeout(async () => {
    const error = await explainBlockage(repository, ended.signal);
    if (error) blocked.abort(error);
  }, SLOW_AFTER_MS);
  try {
    const signal = AbortSignal.any([blocked.signal, ...(options.signal ? [options.signal] : [])]);
    return await runGit(repository.git, args, { ...options, signal });
  } catch (error) {
    const isLimit = error instanceof GitError && !blocked.signal.aborted && error.reason !== 'missing';
    throw (isLimit && (await explainBlockage(repository, AbortSignal.timeout(SEARCH_WITHIN_MS)))) || error;
  } finally {
    clearTimeout(watch);
    ended.abort();
  }
}

async function explainBlockage(
  { git, folder, workTree, namedFiles, checkPath }: WatchedRepository,
  signal: AbortSignal,
): Promise<GitError | undefined> {
  const folders = workTree === undefined ? [folder] : [folder, workTree];
  const found = await findSpecialFile({ git, folders, namedFiles, signal });
  if (!found) return undefined;
  const isVisible = await (checkPath?.(found.path) ?? Promise.resolve()).then(
    () => true,
    () => false,
  );
  const fromFolder = relative(folder, found.path);
  const shown = escapeText(fromFolder.startsWith('..') ? found.path : fromFolder);
  const what = isVisible ? shown : 'A file outside of the allowed folders';
  const message = `${what} is a ${found.kind}, which git cannot read; replace it with a regular file, or use a new clone`;
  return new GitError('failed', message);
}
