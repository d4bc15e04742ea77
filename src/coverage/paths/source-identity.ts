import { access } from 'node:fs/promises';
import { folderWithAncestors, isAbsolutePath, normalizePath, pathBelow, resolvePath } from './source-path.ts';

/** Enough to tell the right folder from the wrong ones, few enough to cost nothing. */
const sampleSize = 64;

/**
 * The folder that the relative paths of a report are seen from. Reports do not say it: most are written from the working
 * directory, those of a monorepo often from a package, with the report somewhere below it. It is the folder in which
 * most of the files exist; of equals the one nearest to the report inside the working directory, and the
 * working directory itself when no file is found anywhere.
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

/** The absolute path that a source file is known by, across reports that spell it differently. */
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
