import { createReadStream, type Stats } from 'node:fs';
import { join } from 'node:path';
import { lstatIfExists } from '../spec/project-file.ts';
import { findBranchPoint, type NoChangeSet } from './branch-point.ts';
import { listProjectFiles, type ProjectFileList } from './file-list.ts';
import type { ProjectRepository } from './repository.ts';

export interface FileChange {
  /** Relative to the opened folder, with forward slashes. */
  path: string;
  /** The previous path of a renamed file. */
  from?: string;
  kind: 'added' | 'modified' | 'deleted' | 'renamed' | 'untracked';
  added: number;
  removed: number;
  /** Has no lines to count: images, archives, submodules, links. */
  binary: boolean;
  /** Too large to compare; all its lines count as added. */
  estimated: boolean;
}

/** All changes since the base, committed or not. */
export interface ChangeSet {
  base: string;
  commit: string;
  files: FileChange[];
  added: number;
  removed: number;
}

const HUGE_FILE_BYTES = 32 * 1024 * 1024;
/** Untracked files whose lines are counted; with more files any budget is exceeded. */
const MAX_COUNTED = 5000;
const diffOptions = ['-z', '--raw', '--numstat', '--abbrev=40', '-M', '--relative'];

/** Reads the change set of a folder. Only counts are read from git, so the size of the diff does not matter. */
export async function readChangeSet(
  repository: ProjectRepository,
  folder: string,
  base?: string,
  listing: Promise<ProjectFileList> = listProjectFiles(repository, folder),
): Promise<ChangeSet | NoChangeSet> {
  const point = await findBranchPoint(repository, base);
  if ('reason' in point) return point;
  const [diff, { untracked }] = await Promise.all([
    repository.read('diff', [...diffOptions, point.commit, '--', '.'], { cwd: folder }),
    listing,
  ]);
  const tracked = await Promise.all(parseRawNumstat(diff).map((change) => countHugeFile(folder, change)));
  const files = [...tracked, ...(await countUntracked(folder, untracked))];
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    base: point.base,
    commit: point.commit,
    files,
    added: files.reduce((sum, { added }) => sum + added, 0),
    removed: files.reduce((sum, { removed }) => sum + removed, 0),
  };
}

const changeKinds: Readonly<Record<string, FileChange['kind']>> = { A: 'added', D: 'deleted', R: 'renamed' };
const SPECIAL_MODES = new Set(['120000', '160000']);

/** Reads `git diff -z --raw --numstat`: first what happened to each file, then its counts, in the same order. */
export function parseRawNumstat(output: string): FileChange[] {
  const parts = output.split('\0');
  const files = new Map<string, FileChange>();
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? '';
    if (part.startsWith(':')) {
      const [, mode = '', , , status = ''] = part.slice(1).split(' ');
      const letter = status.charAt(0);
      const twoPaths = letter === 'R' || letter === 'C';
      const from = twoPaths ? parts[++at] : undefined;
      const path = parts[++at] ?? '';
      files.set(path, {
        path,
        ...(from !== undefined && letter === 'R' && { from }),
        kind: changeKinds[letter] ?? (letter === 'C' ? 'added' : 'modified'),
        added: 0,
        removed: 0,
        binary: SPECIAL_MODES.has(mode),
        estimated: false,
      });
      continue;
    }
    const counts = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(part);
    if (!counts) continue;
    const [, added = '-', removed = '-', name = ''] = counts;
    // A renamed file has its two names after an empty one.
    const path = name === '' ? (parts[at + 2] ?? '') : name;
    if (name === '') at += 2;
    const file = files.get(path);
    if (!file || file.binary) continue;
    if (added === '-') files.set(path, { ...file, binary: true });
    else files.set(path, { ...file, added: Number(added), removed: Number(removed) });
  }
  return [...files.values()];
}

/** Git treats a huge file as binary; if it is text, all its lines count. `text` reads a version other than the work tree's. */
export async function countHugeFile(
  folder: string,
  change: FileChange,
  text?: () => Promise<Buffer | undefined>,
): Promise<FileChange> {
  if (!change.binary || change.kind === 'deleted') return change;
  const path = join(folder, change.path);
  const lines = text ? await countTextLines(await text()) : await countFileLines(path, await lstatIfExists(path));
  return lines === undefined ? change : { ...change, added: lines, binary: false, estimated: true };
}

async function countFileLines(path: string, stats: Stats | undefined): Promise<number | undefined> {
  return stats?.isFile() && stats.size >= HUGE_FILE_BYTES ? countLines(openChunks(path)) : undefined;
}

async function countTextLines(text: Buffer | undefined): Promise<number | undefined> {
  return text && text.length >= HUGE_FILE_BYTES ? countLines([text]) : undefined;
}

async function countUntracked(folder: string, paths: readonly string[]): Promise<FileChange[]> {
  const changes: FileChange[] = [];
  for (const [index, path] of paths.entries()) {
    const whole = join(folder, path);
    const isFile = index < MAX_COUNTED && (await lstatIfExists(whole))?.isFile() === true;
    const lines = isFile ? await countLines(openChunks(whole)) : undefined;
    const counted = { added: lines ?? 0, removed: 0, binary: lines === undefined, estimated: false };
    changes.push({ path, kind: 'untracked', ...counted });
  }
  return changes;
}

const openChunks = (path: string) => createReadStream(path, { highWaterMark: 256 * 1024 });

/** Counts the lines of a text; undefined for binary content, by git's own rule: a NUL byte near the start. */
async function countLines(pieces: AsyncIterable<unknown> | Iterable<unknown>): Promise<number | undefined> {
  let lines = 0;
  let last = 0x0a;
  let first = true;
  try {
    for await (const chunk of pieces) {
      if (!Buffer.isBuffer(chunk)) continue;
      if (first && chunk.subarray(0, 8000).includes(0)) return undefined;
      first = false;
      for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) lines++;
      last = chunk.at(-1) ?? last;
    }
  } catch {
    return undefined;
  }
  return lines + (last === 0x0a ? 0 : 1);
}
