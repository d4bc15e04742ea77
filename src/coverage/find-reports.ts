import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const DEEPEST = 5;
const MOST_FOLDERS = 2000;
const skipped = new Set(['node_modules', '.git', 'dist', 'build', 'target', 'vendor', '.venv']);

/** The LCOV reports below a folder, by the names their producers give them; a short look, not a search of the disk. */
export async function findReports(folder: string, typed: string): Promise<string[]> {
  const found: string[] = [];
  let folders = [''];
  let left = MOST_FOLDERS;
  for (let depth = 0; depth < DEEPEST && folders.length > 0; depth++) {
    const next: string[] = [];
    for (const inside of folders.slice(0, left)) {
      left--;
      const entries = await readdir(join(folder, inside), { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        const path = inside ? `${inside}/${entry.name}` : entry.name;
        if (entry.isDirectory() && !skipped.has(entry.name)) next.push(path);
        else if (entry.isFile() && /^lcov\.info$|\.(info|lcov)$/.test(entry.name)) found.push(path);
      }
    }
    folders = next.sort();
  }
  const wanted = typed.replace(/^\.\//, '');
  return found.filter((path) => path.startsWith(wanted)).sort();
}
