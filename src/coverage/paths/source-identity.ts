import { access } from 'node:fs/promises';
import { folderWithAncestors, isAbsolutePath, normalizePath, pathBelow, resolvePath } from './source-path.ts';

/** Enough paths to identify the right folder, few enough to be fast. */
const sampleSize = 64;

/**
 * Finds the base folder of the relative paths of a report, which the report does not name. It is often the working directory,
 * in a monorepo often a package above the report. The folder in which most files exist wins; among equals the one nearest to
 * the report inside the working directory. If no file exists anywhere, it is the working directory.
 */
export async function findSourceFolder(paths: readonly string[], reportFolder: string, cwd: string): Promise<string> {
  const sample = samplePaths(paths.map(normalizePath).filter((path) => !isAbsolutePath(path)));
  let best = { folder: cwd, existing: 0 };
  for (const folder of candidateFolders(reportFolder, cwd)) {
    const existing = await countExisting(sample.map((path) => resolvePath(folder, path)));
    if (existing > best.existing) best = { folder, existing };
    if (existing === sample.length) break;
  }
  return best.folder;
}

/** Resolves the absolute path of a source file, equal across reports that spell it differently. */
export function resolveIdentity(path: string, folder: string, cwd: { given: string; real: string }): string {
  const absolute = resolvePath(folder, normalizePath(path));
  const below = cwd.given === cwd.real ? undefined : pathBelow(cwd.given, absolute);
  return below === undefined ? absolute : resolvePath(cwd.real, below);
}

function candidateFolders(reportFolder: string, cwd: string): string[] {
  const folders = folderWithAncestors(reportFolder);
  const inside = folders.filter((folder) => pathBelow(cwd, folder) !== undefined);
  const others = folders.filter((folder) => folder !== cwd && !inside.includes(folder));
  return [...inside, cwd, ...others];
}

function samplePaths(paths: readonly string[]): string[] {
  const step = Math.max(1, paths.length / sampleSize);
  return Array.from(
    { length: Math.min(paths.length, sampleSize) },
    (_, index) => paths[Math.floor(index * step)] ?? '',
  );
}

async function countExisting(paths: readonly string[]): Promise<number> {
  const found = await Promise.all(paths.map(pathExists));
  return found.filter(Boolean).length;
}

export async function pathExists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
