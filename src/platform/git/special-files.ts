import type { Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { devNull, homedir } from 'node:os';
import { basename, dirname, join, parse, resolve } from 'node:path';
import { runGit, userEnvironment } from './git-program.ts';
import { parseAlternates, readSmallFile } from './repository-paths.ts';

/** A file in the place of a regular one: git waits for a named pipe forever, and a device may have no end. */
export interface SpecialFile {
  /** Absolute. */
  path: string;
  kind: 'named pipe' | 'device';
}

interface SearchOptions {
  /** Path of git. */
  git: string;
  /** Folders in the repository. */
  folders: readonly string[];
  /** Absolute paths of files that the repository's settings name. */
  namedFiles: readonly string[];
  /** Ends the search. */
  signal: AbortSignal;
}

/** Names may be in any encoding, so each character of the path stands for a byte (latin1). */
interface Location {
  path: string;
  /** In a git folder git may open every file, in a work tree those with certain names. */
  role: 'git' | 'settings' | 'work tree';
}

const MOST_LOCATIONS = 1_000_000;
const MOST_POINTER_BYTES = 1024 * 1024;
const openedInWorkTree = new Set(['.git', '.gitattributes', '.gitignore', '.gitmodules', '.mailmap']);
/** Names of files that lead git to other folders and files. */
const pointers = new Set(['.git', 'commondir', 'alternates', 'config', 'config.worktree']);

/**
 * Searches a named pipe or device among all that git may open for a repository: git folders with their links, alternate
 * object stores, nested repositories, included settings, attributes and ignore patterns. This takes seconds in a large
 * repository, so it is for git commands that are slow or failed.
 */
export async function findSpecialFile(options: SearchOptions): Promise<SpecialFile | undefined> {
  const { git, folders, namedFiles, signal } = options;
  const parents = (await Promise.all(folders.map(listParents))).flat();
  const opened = parents.flatMap((parent) => ['.git', 'HEAD', 'commondir'].map((name) => join(parent, name)));
  const inGit = [...namedFiles, ...opened].map((path): Location => ({ path: toBytes(path), role: 'git' }));
  const inWorkTree = folders.map((path): Location => ({ path: toBytes(path), role: 'work tree' }));
  const nullDevice = await stat(devNull).catch(() => undefined);
  const seen = new Set<string>();
  for (let count = 0; count < MOST_LOCATIONS && !signal.aborted; count++) {
    const location = inGit.pop() ?? inWorkTree.pop();
    if (!location) return undefined;
    const path = Buffer.from(location.path, 'latin1');
    const stats = await stat(path).catch(() => undefined);
    const kind = stats && specialKind(stats, nullDevice);
    if (kind) return { path: path.toString('utf8'), kind };
    const id = `${stats?.dev}:${stats?.ino}`;
    if (!stats || seen.has(id) || (stats.isFile() && stats.size > MOST_POINTER_BYTES)) continue;
    seen.add(id);
    const next = stats.isDirectory() ? await listFolder(location) : await followPointer(location, git, signal);
    for (const one of next) (one.role === 'work tree' ? inWorkTree : inGit).push(one);
  }
  return undefined;
}

function specialKind(stats: Stats, nullDevice: Stats | undefined): SpecialFile['kind'] | undefined {
  if (stats.isFIFO()) return 'named pipe';
  const isDevice = stats.isCharacterDevice() || stats.isBlockDevice();
  return isDevice && stats.rdev !== nullDevice?.rdev ? 'device' : undefined;
}

/** Lists the entries of a folder that contain other files, lead to them or may be special files. */
async function listFolder({ path, role }: Location): Promise<Location[]> {
  const folder = Buffer.from(path, 'latin1');
  const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' }).catch(() => []);
  return entries.flatMap((entry): Location[] => {
    const name = entry.name.toString('latin1');
    const isOpened = role === 'git' || openedInWorkTree.has(name);
    const isRelevant = entry.isDirectory() || (isOpened && (!entry.isFile() || pointers.has(name)));
    return isRelevant ? [{ path: join(path, name), role: isOpened ? 'git' : role }] : [];
  });
}

/** Lists the folders and files that a file makes git read. */
async function followPointer({ path, role }: Location, git: string, signal: AbortSignal): Promise<Location[]> {
  const name = role === 'settings' ? 'config' : basename(path);
  const folder = dirname(path);
  const at = (base: string, target: string): Location => ({ path: resolve(base, target), role: 'git' });
  const read = async () => (await readSmallFile(Buffer.from(path, 'latin1'))) ?? '';
  switch (name) {
    case '.git':
    case 'commondir': {
      const target = (await read()).replace(/^gitdir: /, '').replace(/[\r\n]+$/, '');
      return target === '' ? [] : [at(folder, target)];
    }
    case 'alternates':
      return parseAlternates(await read()).map((target) => at(dirname(folder), target));
    case 'config':
    case 'config.worktree':
      return (await listIncludes(path, git, signal)).map((target) => ({ ...at(folder, target), role: 'settings' }));
    default:
      return [];
  }
}

/** Lists the paths in `include.path` and `includeIf.*.path` of a settings file, which need not exist. */
async function listIncludes(path: string, git: string, signal: AbortSignal): Promise<string[]> {
  const file = Buffer.from(path, 'latin1').toString('utf8');
  // In the root folder git finds no repository.
  const args = ['-C', parse(file).root, 'config', '--file', file, '--no-includes', '-z', '--get-regexp', '^include'];
  const listed = await runGit(git, args, { env: userEnvironment(), signal }).catch(() => undefined);
  const entries = listed?.stdout.toString('latin1').split('\0') ?? [];
  return entries.flatMap((entry) => {
    const target = entry.slice(entry.indexOf('\n') + 1);
    return target === '' ? [] : [target.startsWith('~/') ? join(toBytes(homedir()), target.slice(2)) : target];
  });
}

/** Lists a folder and its parents, from the root. */
async function listParents(folder: string): Promise<string[]> {
  const parents = [await realpath(folder).catch(() => resolve(folder))];
  for (let [first = ''] = parents; dirname(first) !== first; [first = ''] = parents) parents.unshift(dirname(first));
  return parents;
}

const toBytes = (path: string) => Buffer.from(path, 'utf8').toString('latin1');
