import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type ChangedFile, parseDiff } from '../../coverage/index.ts';
import { Failure } from '../../platform/errors.ts';
import type { GitRunOptions } from '../../platform/git/git-repository.ts';
import { type LineSign, signsIn } from '../evidence/line-signs.ts';
import { branchPoint } from '../git/branch-point.ts';
import {
  type ChangeSet,
  type FileChange,
  type NoChangeSet,
  parseRawNumstat,
  withHugeCounted,
} from '../git/change-set.ts';
import { changedLines } from '../git/changed-lines.ts';
import { commitOf, nulSeparated, type Repository } from '../git/repository.ts';
import { statsOf } from '../spec/project-file.ts';

/** What a commit would hold, and what the work would be with it. */
export interface Staged {
  /** The files of this commit. */
  files: FileChange[];
  /** All of the work since it left its base, as it would be then. */
  work: ChangeSet | NoChangeSet;
  signs: LineSign[];
}

const counted = ['-z', '--raw', '--numstat', '--abbrev=40', '-M', '--relative'];
const hunks = ['-U0', '--no-renames', '--relative', '--ignore-submodules=all'];
/** A diff beyond this is asked for again in parts, without the files that nobody wrote. */
const MOST_OUTPUT = 16 * 1024 * 1024;
const LARGEST_BLOB = 512 * 1024 * 1024;
const MOST_FILES = 2000;
const LARGEST = 2 * 1024 * 1024;

/**
 * Reads the index that is about to be committed. Git names another one than its own in `GIT_INDEX_FILE` when a commit takes
 * only some files, and that one counts.
 */
export async function stagedChanges(
  repository: Repository,
  root: string,
  { base, index }: { base: string | undefined; index: string | undefined },
): Promise<Staged> {
  const indexFile = index === undefined ? undefined : resolve(repository.root, index);
  const options: GitRunOptions = { cwd: root, indexFile };
  const [point, merged] = await Promise.all([branchPoint(repository, base), commitOf(repository, 'MERGE_HEAD')]);
  const before = repository.head ?? ('commit' in point ? point.commit : '');
  const since = 'commit' in point && point.commit !== before ? point.commit : undefined;
  const ask = (wanted: readonly string[], commit: string) =>
    repository.read('diff', ['--cached', ...wanted, commit, '--', '.'], options);
  const [own, whole, patch, unstaged, others] = await Promise.all([
    ask(counted, before),
    since === undefined ? undefined : ask(counted, since),
    changedHunks(repository, before, options),
    repository.git('diff-files', ['--name-only', '-z', '--relative', '--ignore-submodules=all', '--', '.'], options),
    merged === undefined ? undefined : ask(counted, merged),
  ]);
  // What a merge brings unchanged is other people's work.
  const theirs = others === undefined ? undefined : new Set(parseRawNumstat(others).map(({ path }) => path));
  const isOurs = (path: string) => theirs === undefined || theirs.has(path);
  const differing = new Set(nulSeparated(unstaged.stdout));
  const changesIn = (listing: string) =>
    Promise.all(
      parseRawNumstat(listing)
        .filter(({ path }) => isOurs(path))
        .map((change) =>
          withHugeCounted(
            root,
            change,
            differing.has(change.path) ? () => blobOf(repository, change.path, options) : undefined,
          ),
        ),
    );
  const files = await changesIn(own);
  const work = whole === undefined ? files : await changesIn(whole);
  const comparing = { staged: true, indexFile };
  const changed =
    patch ??
    (await changedLines(repository, root, changeSet({ base: '', commit: before }, files), () => true, comparing));
  const signs: LineSign[] = [];
  for (const { path, ranges } of changed.slice(0, MOST_FILES)) {
    if (!isOurs(path)) continue;
    const text = await stagedText(repository, root, path, differing.has(path), options);
    signs.push(...signsIn(path, text, ranges));
  }
  return { files, work: 'reason' in point ? point : changeSet(point, work), signs };
}

/** A file as it is staged; where the work tree has it the same, it is read from there, which is faster. */
async function stagedText(
  repository: Repository,
  root: string,
  path: string,
  differs: boolean,
  options: GitRunOptions,
): Promise<string> {
  if (!differs) {
    const file = join(root, path);
    const size = (await statsOf(file))?.size ?? 0;
    return size > LARGEST ? '' : readFile(file, 'utf8').catch(() => '');
  }
  const blob = await blobOf(repository, path, options);
  return blob && blob.length <= LARGEST ? blob.toString('utf8') : '';
}

async function blobOf(repository: Repository, path: string, options: GitRunOptions): Promise<Buffer | undefined> {
  const limit = { ...options, maxOutputBytes: LARGEST_BLOB };
  const { code, stdout } = await repository.git('cat-file', ['blob', `:./${path}`], limit);
  return code === 0 ? stdout : undefined;
}

/** All changed lines by one question; undefined where the answer is too long, or there is none. */
async function changedHunks(
  repository: Repository,
  commit: string,
  options: GitRunOptions,
): Promise<ChangedFile[] | undefined> {
  try {
    const limit = { ...options, maxOutputBytes: MOST_OUTPUT };
    const args = ['--cached', '--diff-filter=d', ...hunks, commit, '--', '.'];
    const { code, stdout } = await repository.git('diff', args, limit);
    return code === 0 ? parseDiff(stdout) : undefined;
  } catch (error) {
    if (error instanceof Failure && error.code === 'GIT_FAILED') return undefined;
    throw error;
  }
}

function changeSet(point: { base: string; commit: string }, files: FileChange[]): ChangeSet {
  return {
    ...point,
    files,
    added: files.reduce((sum, { added }) => sum + added, 0),
    removed: files.reduce((sum, { removed }) => sum + removed, 0),
  };
}
