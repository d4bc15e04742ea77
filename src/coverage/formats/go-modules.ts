import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { folderWithAncestors, pathBelow } from '../paths/source-path.ts';

/** A Go module in the working directory. */
export interface GoModule {
  /** The path that imports begin with, e.g. `example.com/shop`. */
  readonly path: string;
  /** Its folder relative to the working directory; empty for that itself. */
  readonly folder: string;
}

/** Finds the modules of the working directory and of the folders from there to the report. */
export async function findGoModules(reportFolder: string, cwd: string): Promise<GoModule[]> {
  const folders = folderWithAncestors(reportFolder).filter((folder) => pathBelow(cwd, folder) !== undefined);
  const found: GoModule[] = [];
  for (const folder of [...folders, cwd]) {
    const text = await readFile(posix.join(folder, 'go.mod'), 'utf8').catch(() => '');
    const [, quoted, plain] = /^\s*module\s+(?:"([^"\s]+)"|(\S+))/m.exec(text) ?? [];
    const path = quoted ?? plain;
    if (path !== undefined) found.push({ path, folder: pathBelow(cwd, folder) ?? '' });
  }
  return found;
}

/** The path of a source file in the working directory; as given if it is in none of the modules. */
export function pathInModules(given: string, modules: readonly GoModule[]): string {
  const [best] = modules
    .filter(({ path }) => given.startsWith(`${path}/`))
    .sort((a, b) => b.path.length - a.path.length);
  return best ? posix.join(best.folder, given.slice(best.path.length + 1)) : given;
}
