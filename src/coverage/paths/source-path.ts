import { posix } from 'node:path';

const needsNormalizing = /\\|\/\/|(?:^|\/)\.\.?(?:\/|$)|^[a-z]:/;
const absolute = /^(?:\/|[A-Za-z]:\/)/;

/**
 * A path in the one form in which paths are compared: forward slashes, no `.`, `//` or inner `..`, drive letter in
 * capitals. Reports come from other machines, so the rules do not depend on this one's.
 */
export function normalizePath(path: string): string {
  if (!needsNormalizing.test(path)) return path;
  const normalized = posix.normalize(path.replaceAll('\\', '/'));
  return /^[a-z]:/.test(normalized) ? normalized.charAt(0).toUpperCase() + normalized.slice(1) : normalized;
}

/** Whether a tidy path is absolute, on this or any other system. */
export function isAbsolutePath(path: string): boolean {
  return absolute.test(path);
}

/** A tidy path seen from a tidy absolute folder. */
export function resolvePath(folder: string, path: string): string {
  return isAbsolutePath(path) ? path : normalizePath(`${folder}/${path}`);
}

/** The part of a tidy absolute path below a tidy folder, or undefined when it lies elsewhere. */
export function pathBelow(folder: string, path: string): string | undefined {
  const start = folder.endsWith('/') ? folder : `${folder}/`;
  return path.length > start.length && path.startsWith(start) ? path.slice(start.length) : undefined;
}

/** A tidy folder and all folders above it, nearest first. */
export function folderWithAncestors(folder: string): string[] {
  const folders = [folder];
  for (let above = posix.dirname(folder); above !== folders.at(-1) && above !== '.'; above = posix.dirname(above)) {
    folders.push(above);
  }
  return folders;
}
