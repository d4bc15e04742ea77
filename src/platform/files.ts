import { randomUUID } from 'node:crypto';
import { open, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { Failure } from './errors.ts';

/**
 * Writes a file so that a reader sees either nothing or all of it: into a new file beside it, to the disk, then renamed.
 * Nothing is left behind when it fails.
 */
export async function writeFileAtomic(path: string, data: string | Uint8Array, mode = 0o600): Promise<void> {
  const aside = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    const file = await open(aside, 'wx', mode);
    try {
      await file.writeFile(data);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}

/** Refuses a path that lies, behind all its links, outside of the allowed folders. Without folders everything is allowed. */
export async function checkPath(path: string, cwd: string, folders: readonly string[] | undefined): Promise<void> {
  if (!folders) return;
  const real = await realPlace(resolve(cwd, path));
  const allowed = await Promise.all(folders.map((folder) => realPlace(resolve(cwd, folder))));
  if (allowed.some((folder) => isWithin(folder, real))) return;
  const message = 'The path lies outside of the folders that this server may touch.';
  throw new Failure('bad_input', 'PATH_NOT_ALLOWED', message);
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === path);
}

/** Where a path leads, even if nothing is there yet: the real place of its nearest folder that exists. */
async function realPlace(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPlace(parent), basename(path));
  }
}
