import { posix } from 'node:path';

const needsNormalizing = /\\|\/\/|(?:^|\/)\.\.?(?:\/|$)|^[a-z]:/;
const absolute = /^(?:\/|[A-Za-z]:\/)/;

/**
 * Normalizes a path for comparison: forward slashes, no `.`, `//` or inner `..`, upper-case drive letter. Reports come from
 * other machines, so the rules do not depend on the platform.
 */
export function normalizePath(path: string): string {
  if (!needsNormalizing.test(path)) return path;
  const normalized = posix.normalize(path.replaceAll('\\', '/'));
  return /^[a-z]:/.test(normalized) ? normalized.charAt(0).toUpperCase() + normalized.slice(1) : normalized;
}

/** Whether a normalized path is absolute on any platform. */
export function isAbsolutePath(path: string): boolean {
  return absolute.test(path);
}

/** Resolves a normalized path against a normalized absolute folder. */
export function resolvePath(folder: string, path: string): string {
  return isAbsolutePath(path) ? path : normalizePath(`${folder}/${path}`);
}

/** The part of a normalized absolute path below a folder; undefined if it is not below. */
export function pathBelow(folder: string, path: string): string | undefined {
  const start = folder.endsWith('/') ? folder : `${folder}/`;
  return path.length > start.length && path.startsWith(start) ? path.slice(start.length) : undefined;
}

/** A normalized folder and its ancestors, nearest first. */
export function folderWithAncestors(folder: string): string[] {
  const folders = [folder];
  for (let above = posix.dirname(folder); above !== folders.at(-1) && above !== '.'; above = posix.dirname(above)) {
    folders.push(above);
  }
  return folders;
}
