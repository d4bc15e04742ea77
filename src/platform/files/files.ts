import { randomUUID } from 'node:crypto';
import { mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, parse, relative, resolve, sep } from 'node:path';
import { toHomeFolderFailure } from '../environment-failure.ts';
import { Failure, systemCode, systemReason } from '../errors.ts';

/** In characters. Linux allows as many bytes (PATH_MAX), so a longer path names no file. */
export const LONGEST_PATH = 4_096;

/** Creates a folder in the data folder, with its parents, for this user only. Throws a typed failure that names the path. */
export async function makeHomeFolder(path: string): Promise<void> {
  try {
    await makeFolder(path);
  } catch (error) {
    throw toHomeFolderFailure(error, path);
  }
}

/**
 * Creates a folder with its parents; an existing folder stays unchanged. `mkdir` with `recursive` never returns where the
 * system answers ENOENT although the parent exists, as in /proc.
 */
export async function makeFolder(path: string, mode = 0o700): Promise<void> {
  const parent = dirname(path);
  try {
    return await makeOne(path, mode);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' || parent === path) throw error;
  }
  await makeFolder(parent, mode);
  await makeOne(path, mode);
}

async function makeOne(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    if (!(await stat(path)).isDirectory())
      throw Object.assign(new Error('a file has the name of the folder', { cause: error }), { code: 'ENOTDIR', path });
  }
}

/** Writes a file atomically: to a temporary file, synced to disk, then renamed. Leaves no temporary file when it fails. */
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
    // Write errors have no path, and open errors have the temporary one.
    throw systemCode(error) && error instanceof Error ? Object.assign(error, { path }) : error;
  }
}

/**
 * Throws a `Failure` for a path that is outside the allowed folders after resolving links, that is too long, or that cannot
 * be resolved. Without folders every path is allowed.
 */
export async function checkPath(path: string, cwd: string, folders: readonly string[] | undefined): Promise<void> {
  if (!folders) return;
  if (path.length > LONGEST_PATH) {
    const message = `The path has ${path.length} characters; at most ${LONGEST_PATH} are allowed. Pass a shorter path.`;
    throw new Failure('bad_input', 'PATH_TOO_LONG', message);
  }
  const real = await realLocation(resolve(cwd, path)).catch((error: unknown) => {
    const message = `The path cannot be resolved: ${systemReason(error)}. Pass a path in a folder that this server may access.`;
    throw new Failure('bad_input', 'PATH_NOT_ALLOWED', message, {}, { cause: error });
  });
  const allowed = await Promise.all(
    folders.map((folder) => {
      const written = resolve(cwd, folder);
      // A folder that cannot be resolved must not disable the others.
      return realLocation(written).catch(() => written);
    }),
  );
  if (allowed.some((folder) => isWithin(folder, real))) return;
  const message = 'The path is outside the folders that this server may access. Pass a path within them.';
  throw new Failure('bad_input', 'PATH_NOT_ALLOWED', message);
}

function isWithin(folder: string, path: string): boolean {
  const relativePath = relative(folder, path);
  if (relativePath === '') return true;
  return relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && resolve(folder, relativePath) === path;
}

/**
 * Resolves the links of an absolute path whose last parts may not exist yet. It goes from the root to the first missing part,
 * so missing parts cost nothing. Throws the system error where a part cannot be resolved for another reason.
 */
async function realLocation(path: string): Promise<string> {
  const { root } = parse(path);
  const parts = path.slice(root.length).split(sep);
  let real = root;
  for (const [index, part] of parts.entries()) {
    try {
      real = await realpath(join(real, part));
    } catch (error) {
      if (!/^(?:ENOENT|ENOTDIR)$/.test(systemCode(error) ?? '')) throw error;
      return join(real, ...parts.slice(index));
    }
  }
  return real;
}
