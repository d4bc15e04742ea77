import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join, parse, resolve } from 'node:path';
import { Failure, systemCode } from '../errors.ts';
import type { GitFolders } from './isolated-view.ts';
import { unquotePath } from './quoted-path.ts';

type CheckPath = (path: string) => Promise<void>;

/** Files that git reads in a repository's own folders. Each may be a link to another folder. */
const readInGitDir = ['HEAD', 'index', 'commondir', 'config', 'config.worktree', 'MERGE_HEAD'];
const readInCommonDir = ['config', 'packed-refs', 'shallow', 'refs', 'reftable', 'logs', 'info', 'objects'];
const readInInfo = ['exclude', 'attributes', 'grafts', 'sparse-checkout'];
const MOST_STORES = 100;
const MOST_ALTERNATES_BYTES = 1024 * 1024;

/**
 * Throws a `Failure` for a repository that makes git read files outside the caller's folders: through its git folder, links,
 * alternate object stores or files in its settings. A path that is not UTF-8 cannot be checked, so it passes only where
 * every path is allowed.
 */
export async function checkRepositoryPaths(
  { workTree, gitDir, commonDir }: GitFolders,
  namedFiles: readonly string[],
  checkPath: CheckPath,
): Promise<void> {
  const check = async (what: string, paths: readonly string[]) => {
    for (const path of paths) await checkPart(what, path, checkPath);
  };
  await check('its top folder', [workTree]);
  await check('its git folder', [gitDir, commonDir]);
  await check('a link in its git folder', [
    ...readInGitDir.map((name) => join(gitDir, name)),
    ...readInCommonDir.map((name) => join(commonDir, name)),
    ...readInInfo.flatMap((name) => [join(gitDir, 'info', name), join(commonDir, 'info', name)]),
  ]);
  await check('a file that its settings name', namedFiles.map(decodePath));
  const stores = new Set([join(commonDir, 'objects')]);
  for (const store of stores) {
    await check('an alternate object store', [store]);
    await check('a link in an object store', await listLinks(store));
    for (const alternate of await readAlternates(store)) stores.add(alternate);
    if (stores.size > MOST_STORES) throw pathNotAllowed(`more than ${MOST_STORES} alternate object stores`);
  }
}

async function checkPart(what: string, path: string, checkPath: CheckPath): Promise<void> {
  try {
    await checkPath(path);
  } catch (error) {
    throw error instanceof Failure && error.code === 'PATH_NOT_ALLOWED' ? pathNotAllowed(what) : error;
  }
}

function pathNotAllowed(what: string): Failure {
  const message = `The repository reads from outside the folders that this server may access, by ${what}. Ask the operator to allow that folder, or use a complete clone in an allowed folder ("git clone --no-local").`;
  return new Failure('bad_input', 'PATH_NOT_ALLOWED', message);
}

/** Lists links in the folders and packs of an object store. Git itself creates none. */
async function listLinks(store: string): Promise<string[]> {
  const links: string[] = [];
  for (const folder of [store, join(store, 'pack'), join(store, 'info')]) {
    const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' }).catch(() => []);
    for (const entry of entries) {
      if (entry.isSymbolicLink()) links.push(resolve(folder, decodePath(entry.name.toString('latin1'))));
    }
  }
  return links;
}

async function readAlternates(store: string): Promise<string[]> {
  const text = await readSmallFile(join(store, 'info/alternates'));
  if (text === undefined) return [UNCHECKABLE_PATH];
  return parseAlternates(text).map((path) => resolve(store, decodePath(path)));
}

/** Parses a list of alternate object stores: one path per line, relative to the store; `#` starts a comment. */
export function parseAlternates(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(unquotePath);
}

/**
 * Reads a file as bytes (latin1). Returns '' for a missing file, and undefined for a pipe or a very long file, where git may
 * read something else.
 */
export async function readSmallFile(path: string | Buffer): Promise<string | undefined> {
  try {
    // Opening a pipe would block.
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = await file.stat();
    return stats.isFile() && stats.size <= MOST_ALTERNATES_BYTES ? await file.readFile('latin1') : undefined;
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? '' : undefined;
  }
}

/** Stands for a path that cannot be checked; it passes only where every path is allowed. */
const UNCHECKABLE_PATH = parse(process.cwd()).root;

/** Decodes a path from bytes (latin1) as UTF-8. */
function decodePath(bytes: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return UNCHECKABLE_PATH;
  }
}
