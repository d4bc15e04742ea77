import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const DEEPEST = 5;
const MOST_FOLDERS = 2000;
const skipped = new Set(['node_modules', '.git', 'dist', 'build', 'target', 'vendor', '.venv']);

interface Looking {
  cwd: string;
  checkPath(path: string): Promise<void>;
}

/**
 * The LCOV reports below the working directory that this caller may read, by the names their producers give them; a short
 * look, not a search of the disk.
 */
export async function findReports(typed: string, { cwd, checkPath }: Looking): Promise<string[]> {
  const found: string[] = [];
  let folders = [''];
  let left = MOST_FOLDERS;
  for (let depth = 0; depth < DEEPEST && folders.length > 0; depth++) {
    const next: string[] = [];
    for (const inside of folders.slice(0, left)) {
      left--;
      const entries = await readdir(join(cwd, inside), { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        const path = inside ? `${inside}/${entry.name}` : entry.name;
        if (entry.isDirectory() && !skipped.has(entry.name)) next.push(path);
        else if (entry.isFile() && /\.(info|lcov)$/.test(entry.name)) found.push(path);
      }
    }
    folders = next.sort();
  }
  const wanted = typed.replace(/^\.\//, '');
  const matching = found.filter((path) => path.startsWith(wanted)).sort();
  const mayBeRead = await Promise.all(
    matching.map((path) =>
      checkPath(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return matching.filter((_, index) => mayBeRead[index]);
}
