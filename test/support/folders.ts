import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Folder extends AsyncDisposable {
  path: string;
  write(name: string, content: string | Uint8Array): Promise<string>;
}

/** A folder for one test. It is deleted when disposed. */
export async function newFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'assay-test-'));
  return {
    path,
    async write(name, content) {
      const file = join(path, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
      return file;
    },
    async [Symbol.asyncDispose]() {
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** An LCOV report: for each file its lines, hit (1) or not (0). */
export function lcov(files: Record<string, number[]>): string {
  return Object.entries(files)
    .map(([path, hits]) =>
      [`SF:${path}`, ...hits.map((hit, i) => `DA:${i + 1},${hit}`), 'end_of_record', ''].join('\n'),
    )
    .join('');
}

/** Every file below a folder. Links are not followed. */
export function filesIn(path: string): string[] {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
