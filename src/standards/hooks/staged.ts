import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseDiff } from '../../coverage/index.ts';
import { type LineSign, signsIn } from '../evidence/line-signs.ts';
import { branchPoint } from '../git/branch-point.ts';
import { type ChangeSet, type FileChange, type NoChangeSet, parseRawNumstat } from '../git/change-set.ts';
import { commitOf, type GitOptions, nulSeparated, type Repository } from '../git/repository.ts';
import { statsOf } from '../spec/project-file.ts';

/** What a commit would hold, and what the work would be with it. */
export interface Staged {
  /** The files of this commit. */
  files: FileChange[];
  /** All of the work since it left its base, as it would be then. */
  work: ChangeSet | NoChangeSet;
  signs: LineSign[];
}

const counted =
  '-z --raw --numstat --abbrev=40 -M --no-ext-diff --no-textconv --no-color --relative --ignore-submodules=dirty'.split(
    ' ',
  );
const hunks =
  '-U0 --inter-hunk-context=0 --no-renames --no-color --no-ext-diff --no-textconv --relative --src-prefix=a/ --dst-prefix=b/ --ignore-submodules=all'.split(
    ' ',
  );
const MOST_OUTPUT = 64 * 1024 * 1024;
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
  const options: GitOptions = {
    cwd: root,
    maxOutputBytes: MOST_OUTPUT,
    ...(index !== undefined && { env: { GIT_INDEX_FILE: resolve(repository.root, index) } }),
  };
  const [point, merged] = await Promise.all([branchPoint(repository, base), commitOf(repository, 'MERGE_HEAD')]);
  const before = repository.head ?? ('commit' in point ? point.commit : '');
  const since = 'commit' in point && point.commit !== before ? point.commit : undefined;
  const ask = (wanted: readonly string[], commit: string) =>
    repository.read(['diff', '--cached', ...wanted, commit, '--', '.'], options);
  const [own, whole, patch, unstaged, others] = await Promise.all([
    ask(counted, before),
    since === undefined ? undefined : ask(counted, since),
    repository.git(['diff', '--cached', '--diff-filter=d', ...hunks, before, '--', '.'], options),
    repository.git(['diff-files', '--name-only', '-z', '--relative', '--ignore-submodules=all', '--', '.'], options),
    merged === undefined ? undefined : ask(counted, merged),
  ]);
  // What a merge brings unchanged is other people's work.
  const theirs = others === undefined ? undefined : new Set(parseRawNumstat(others).map(({ path }) => path));
  const isOurs = (path: string) => theirs === undefined || theirs.has(path);
  const files = parseRawNumstat(own).filter(({ path }) => isOurs(path));
  const work = parseRawNumstat(whole ?? own).filter(({ path }) => isOurs(path));
  const differing = new Set(nulSeparated(unstaged.stdout));
  const signs: LineSign[] = [];
  for (const { path, ranges } of parseDiff(patch.stdout).slice(0, MOST_FILES)) {
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
  options: GitOptions,
): Promise<string> {
  if (!differs) {
    const file = join(root, path);
    const size = (await statsOf(file))?.size ?? 0;
    return size > LARGEST ? '' : readFile(file, 'utf8').catch(() => '');
  }
  const { code, stdout } = await repository.git(['cat-file', 'blob', `:./${path}`], options);
  return code === 0 ? stdout.toString('utf8') : '';
}

function changeSet(point: { base: string; commit: string }, files: FileChange[]): ChangeSet {
  return {
    ...point,
    files,
    added: files.reduce((sum, { added }) => sum + added, 0),
    removed: files.reduce((sum, { removed }) => sum + removed, 0),
  };
}
