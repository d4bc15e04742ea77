import { posix } from 'node:path';

const untidy = /\\|\/\/|(?:^|\/)\.\.?(?:\/|$)|^[a-z]:/;
const absolute = /^(?:\/|[A-Za-z]:\/)/;

/**
 * A path in the one form in which paths are compared: forward slashes, no `.`, `//` or inner `..`, drive letter in
 * capitals. Reports come from other machines, so the rules do not depend on this one's.
 */
export function tidyPath(path: string): string {
  if (!untidy.test(path)) return path;
  const tidy = posix.normalize(path.replaceAll('\\', '/'));
  return /^[a-z]:/.test(tidy) ? tidy.charAt(0).toUpperCase() + tidy.slice(1) : tidy;
}

/** Whether a tidy path is absolute, on this or any other system. */
export function isAbsolutePath(path: string): boolean {
  return absolute.test(path);
}

/** A tidy path seen from a tidy absolute folder. */
export function resolvePath(folder: string, path: string): string {
  return isAbsolutePath(path) ? path : tidyPath(`${folder}/${path}`);
}

/** The part of a tidy absolute path below a tidy folder, or undefined when it lies elsewhere. */
export function pathBelow(folder: string, path: string): string | undefined {
  const start = folder.endsWith('/') ? folder : `${folder}/`;
  return path.length > start.length && path.startsWith(start) ? path.slice(start.length) : undefined;
}

/** A tidy folder and all folders above it, nearest first. */
export function folderAndAbove(folder: string): string[] {
  const folders = [folder];
  for (let above = posix.dirname(folder); above !== folders.at(-1) && above !== '.'; above = posix.dirname(above)) {
    folders.push(above);
  }
  return folders;
}
