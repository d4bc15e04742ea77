import { resolve } from 'node:path';
import { type ChangedFile, parseDiff } from '../../coverage/index.ts';
import { Failure } from '../../platform/errors.ts';
import type { GitRunOptions } from '../../platform/git/git-repository.ts';
import { type SuspiciousLine, scanChangedLines } from '../evidence/suspicious-lines.ts';
import { findBranchPoint, type NoChangeSet } from '../git/branch-point.ts';
import { type ChangeSet, countHugeFile, type FileChange, parseRawNumstat } from '../git/change-set.ts';
import { readChangedLines } from '../git/changed-lines.ts';
import { type ProjectRepository, resolveCommit, splitNul } from '../git/repository.ts';
import { readProjectFile } from '../spec/project-file.ts';

/** The content of the next commit, and the whole change with it. */
export interface StagedChanges {
  /** The files of this commit. */
  files: FileChange[];
  /** The whole change since its base, including this commit. */
  work: ChangeSet | NoChangeSet;
  suspiciousLines: SuspiciousLine[];
}

const numstatOptions = ['-z', '--raw', '--numstat', '--abbrev=40', '-M', '--relative'];
const hunkOptions = ['-U0', '--no-renames', '--relative', '--ignore-submodules=all'];
/** A larger diff is read again in parts, without generated files. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const MAX_BLOB_BYTES = 512 * 1024 * 1024;
const MAX_FILES = 2000;
const MAX_TEXT_BYTES = 2 * 1024 * 1024;

/**
 * Reads the index that is about to be committed. For a commit of some files only, git names a temporary index in
 * `GIT_INDEX_FILE`, which is used instead.
 */
export async function readStagedChanges(
  repository: ProjectRepository,
  root: string,
  { base, index }: { base: string | undefined; index: string | undefined },
): Promise<StagedChanges> {
  const indexFile = index === undefined ? undefined : resolve(repository.root, index);
  const options: GitRunOptions = { cwd: root, indexFile };
  const [point, merged] = await Promise.all([
    findBranchPoint(repository, base),
    resolveCommit(repository, 'MERGE_HEAD'),
  ]);
  const before = repository.head ?? ('commit' in point ? point.commit : '');
  const since = 'commit' in point && point.commit !== before ? point.commit : undefined;
  const diffStaged = (wanted: readonly string[], commit: string) =>
    repository.read('diff', ['--cached', ...wanted, commit, '--', '.'], options);
  const [own, whole, patch, unstaged, others] = await Promise.all([
    diffStaged(numstatOptions, before),
    since === undefined ? undefined : diffStaged(numstatOptions, since),
    readStagedHunks(repository, before, options),
    repository.git('diff-files', ['--name-only', '-z', '--relative', '--ignore-submodules=all', '--', '.'], options),
    merged === undefined ? undefined : diffStaged(numstatOptions, merged),
  ]);
  // Files that a merge brings unchanged are not part of this change.
  const changedInMerge = others === undefined ? undefined : new Set(parseRawNumstat(others).map(({ path }) => path));
  const isOwnWork = (path: string) => changedInMerge === undefined || changedInMerge.has(path);
  const differing = new Set(splitNul(unstaged.stdout));
  const changesIn = (listing: string) =>
    Promise.all(
      parseRawNumstat(listing)
        .filter(({ path }) => isOwnWork(path))
        .map((change) =>
          countHugeFile(
            root,
            change,
            differing.has(change.path) ? () => readStagedBlob(repository, change.path, options) : undefined,
          ),
        ),
    );
  const files = await changesIn(own);
  const work = whole === undefined ? files : await changesIn(whole);
  const comparison = { staged: true, indexFile };
  const changed =
    patch ??
    (await readChangedLines(
      repository,
      root,
      toChangeSet({ base: '', commit: before }, files),
      () => true,
      comparison,
    ));
  const suspiciousLines: SuspiciousLine[] = [];
  for (const { path, ranges } of changed.slice(0, MAX_FILES)) {
    if (!isOwnWork(path)) continue;
    const text = await readStagedText(repository, root, path, differing.has(path), options);
    suspiciousLines.push(...scanChangedLines(path, text, ranges));
  }
  return { files, work: 'reason' in point ? point : toChangeSet(point, work), suspiciousLines };
}

/** Reads a file as staged; from the work tree if it is the same there, which is faster. */
async function readStagedText(
  repository: ProjectRepository,
  root: string,
  path: string,
  differs: boolean,
  options: GitRunOptions,
): Promise<string> {
  if (!differs) {
    // The index can hide that the file is now a link, a pipe or a device.
    const file = await readProjectFile(root, path, { maxBytes: MAX_TEXT_BYTES }).catch(() => undefined);
    return file?.text ?? '';
  }
  const blob = await readStagedBlob(repository, path, options);
  return blob && blob.length <= MAX_TEXT_BYTES ? blob.toString('utf8') : '';
}

async function readStagedBlob(
  repository: ProjectRepository,
  path: string,
  options: GitRunOptions,
): Promise<Buffer | undefined> {
  const limit = { ...options, maxOutputBytes: MAX_BLOB_BYTES };
  const { code, stdout } = await repository.git('cat-file', ['blob', `:./${path}`], limit);
  return code === 0 ? stdout : undefined;
}

/** Reads all changed lines with one diff; undefined if it fails or is too long. */
async function readStagedHunks(
  repository: ProjectRepository,
  commit: string,
  options: GitRunOptions,
): Promise<ChangedFile[] | undefined> {
  try {
    const limit = { ...options, maxOutputBytes: MAX_OUTPUT_BYTES };
    const args = ['--cached', '--diff-filter=d', ...hunkOptions, commit, '--', '.'];
    const { code, stdout } = await repository.git('diff', args, limit);
    return code === 0 ? parseDiff(stdout) : undefined;
  } catch (error) {
    if (error instanceof Failure && error.code === 'GIT_FAILED') return undefined;
    throw error;
  }
}

function toChangeSet(point: { base: string; commit: string }, files: FileChange[]): ChangeSet {
  return {
    ...point,
    files,
    added: files.reduce((sum, { added }) => sum + added, 0),
    removed: files.reduce((sum, { removed }) => sum + removed, 0),
  };
}
