import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

const FILES_PER_SLICE = 500;
/** Rules are judged by themselves, and approvals come after the run. */
const leftOut = /^\.caws\//;

/**
 * The id that git gives a tree with these files, computed from their bytes in the work tree: marks in the index and filters of
 * git have no effect on it. Ignored files, submodules and `.caws/` are not part of it.
 */
export async function computeTreeDigest(root: string, paths: readonly string[], signal: AbortSignal): Promise<string> {
  const top: Folder = new Map();
  for (const [index, path] of [...new Set(paths)].entries()) {
    if (index % FILES_PER_SLICE === FILES_PER_SLICE - 1) {
      await new Promise(setImmediate);
      signal.throwIfAborted();
    }
    const entry = leftOut.test(path) ? undefined : readEntry(join(root, path));
    if (entry) addEntry(top, path.split('/'), entry);
  }
  return hashFolder(top).toString('hex');
}

interface FileEntry {
  mode: '100644' | '100755' | '120000';
  id: Buffer;
}

type Folder = Map<string, FileEntry | Folder>;

function readEntry(path: string): FileEntry | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink()) return { mode: '120000', id: hashObject('blob', Buffer.from(readlinkSync(path))) };
  if (!stats?.isFile()) return undefined;
  return { mode: stats.mode & 0o100 ? '100755' : '100644', id: hashObject('blob', readFileSync(path)) };
}

function addEntry(folder: Folder, [name = '', ...rest]: readonly string[], entry: FileEntry): void {
  if (rest.length === 0) {
    folder.set(name, entry);
    return;
  }
  const existing = folder.get(name);
  const inner: Folder = existing instanceof Map ? existing : new Map();
  folder.set(name, inner);
  addEntry(inner, rest, entry);
}

/** Git sorts entries by bytes, a folder as if its name ended with a slash. */
function hashFolder(folder: Folder): Buffer {
  const entries = [...folder].map(([name, entry]) => ({
    sortKey: Buffer.from(entry instanceof Map ? `${name}/` : name),
    name,
    mode: entry instanceof Map ? '40000' : entry.mode,
    id: entry instanceof Map ? hashFolder(entry) : entry.id,
  }));
  entries.sort((a, b) => Buffer.compare(a.sortKey, b.sortKey));
  return hashObject(
    'tree',
    Buffer.concat(entries.flatMap(({ mode, name, id }) => [Buffer.from(`${mode} ${name}\0`), id])),
  );
}

function hashObject(type: 'blob' | 'tree', content: Buffer): Buffer {
  return createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest();
}
