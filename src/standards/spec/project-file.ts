import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { Failure, quote, systemCode, systemReason } from '../../platform/errors.ts';
import { escapeText } from '../../platform/text/untrusted-text.ts';

/** A file of the project with its digest and time. */
export interface ProjectFile {
  /** Relative to the project, with forward slashes. */
  path: string;
  text: string;
  sha256: string;
  modifiedMs: number;
}

/** Flags for reading: with them, opening a pipe or terminal does not block. Windows has neither flag. */
export const withoutBlocking = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** Resolves a path with all its links. Throws if it leads out of the project. */
export async function resolveInside(root: string, path: string, what: string): Promise<string> {
  if (path === '' || path.includes('\0')) throw invalidPathFailure(what, path, 'it is empty or holds a NUL byte');
  const asked = resolve(root, path);
  const realRoot = await realpath(root).catch(() => root);
  if (!isInside(root, asked) && !isInside(realRoot, asked))
    throw invalidPathFailure(what, path, 'it is outside of the project');
  const real = await realpath(asked).catch((error: unknown) => {
    throw readFailure(what, path, error);
  });
  if (!isInside(realRoot, real))
    throw invalidPathFailure(what, path, 'it leads out of the project through a symbolic link');
  return real;
}

/** Reads a small text file of the project. Throws if it is not a regular file, too large or outside of the project. */
export async function readProjectFile(
  root: string,
  path: string,
  { what = 'file', maxBytes = 1024 * 1024 }: { what?: string; maxBytes?: number } = {},
): Promise<ProjectFile> {
  const real = await resolveInside(root, path, what);
  await using file = await open(real, withoutBlocking).catch((error: unknown) => {
    throw readFailure(what, path, error);
  });
  const stats = await file.stat();
  if (!stats.isFile()) throw invalidPathFailure(what, path, 'it is not a regular file');
  if (stats.size > maxBytes) throw invalidPathFailure(what, path, `it is larger than ${maxBytes} bytes`);
  const bytes = await file.readFile();
  return {
    path: relativePath(root, isAbsolute(path) ? real : join(root, path)),
    text: bytes.toString('utf8'),
    sha256: createHash('sha256').update(bytes).digest('hex'),
    modifiedMs: stats.mtimeMs,
  };
}

/** Like `readProjectFile`; undefined if the file does not exist. */
export async function readProjectFileIfExists(
  root: string,
  path: string,
  options?: { what?: string; maxBytes?: number },
): Promise<ProjectFile | undefined> {
  try {
    return await readProjectFile(root, path, options);
  } catch (error) {
    if (error instanceof Failure && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

export async function lstatIfExists(path: string): Promise<Stats | undefined> {
  return lstat(path).catch(() => undefined);
}

/** A path relative to a folder, with forward slashes. */
export function relativePath(root: string, path: string): string {
  return relative(root, path).split(sep).join('/');
}

/** Formats a path or name for a line of text: quotes it if it contains quotes or invisible characters. */
export function quoteIfUnsafe(path: string): string {
  return path.includes('"') || escapeText(path) !== path ? quote(path, Number.POSITIVE_INFINITY) : path;
}

export function isInside(folder: string, path: string): boolean {
  const fromFolder = relative(folder, path);
  return fromFolder === '' || (fromFolder !== '..' && !fromFolder.startsWith(`..${sep}`) && !isAbsolute(fromFolder));
}

const hintFor = (what: string) => `Make ${what} a regular file of the project that the user who runs Assay can read.`;

function invalidPathFailure(what: string, path: string, why: string): Failure {
  return new Failure('bad_input', 'EINVAL', `Cannot read ${what} ${quote(path)}: ${why}`, { hint: hintFor(what) });
}

function readFailure(what: string, path: string, error: unknown): Failure {
  const code = systemCode(error);
  const message = `Cannot read ${what} ${quote(path)}: ${systemReason(error)}`;
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
  const hint = isMissing ? 'Create the file, or pass the path of an existing one.' : hintFor(what);
  if (isMissing) return new Failure('not_found', 'ENOENT', message, { hint });
  if (code === 'EACCES' || code === 'EPERM') return new Failure('unavailable', 'EACCES', message, { hint });
  return new Failure('bad_input', 'EINVAL', message, { hint }, { cause: error });
}
