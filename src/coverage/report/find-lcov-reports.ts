import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const MAX_DEPTH = 5;
const MAX_FOLDERS = 2000;
const ignoredFolders = new Set(['node_modules', '.git', 'dist', 'build', 'target', 'vendor', '.venv']);

interface ReportSearch {
  cwd: string;
  checkPath(path: string): Promise<void>;
}

/**
 * Finds LCOV reports by extension below the working directory that this caller may read. Depth and number of folders are
 * limited.
 */
export async function findLcovReports(typed: string, { cwd, checkPath }: ReportSearch): Promise<string[]> {
  const found: string[] = [];
  let folders = [''];
  let foldersLeft = MAX_FOLDERS;
  for (let depth = 0; depth < MAX_DEPTH && folders.length > 0; depth++) {
    const next: string[] = [];
    for (const inside of folders.slice(0, foldersLeft)) {
      foldersLeft--;
      const entries = await readdir(join(cwd, inside), { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        const path = inside ? `${inside}/${entry.name}` : entry.name;
        if (entry.isDirectory() && !ignoredFolders.has(entry.name)) next.push(path);
        else if (entry.isFile() && /\.(info|lcov)$/.test(entry.name)) found.push(path);
      }
    }
    folders = next.sort();
  }
  const prefix = typed.replace(/^\.\//, '');
  const matching = found.filter((path) => path.startsWith(prefix)).sort();
  const isReadable = await Promise.all(
    matching.map((path) =>
      checkPath(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return matching.filter((_, index) => isReadable[index]);
}
