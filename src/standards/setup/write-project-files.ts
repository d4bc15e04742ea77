import { lstat, mkdir, open, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { Failure, quote, systemCode, systemReason } from '../../platform/errors.ts';

/** A file to write; its path is relative to the project. */
export interface NewFile {
  path: string;
  content: string;
  mode?: number;
  /** An existing file is not replaced, not even by force. */
  isOwnedByUser?: boolean;
}

export interface WrittenFiles {
  created: string[];
  /** Existing files that were kept. */
  skipped: { path: string; reason: string }[];
  /** Backups of replaced files. */
  backups: { path: string; backup: string }[];
}

/**
 * Writes the files that do not exist yet. With `force`, an existing file is moved to a backup first. Nothing is written
 * through a symbolic link, and if one file cannot be written, all changes are undone.
 */
export async function writeProjectFiles(root: string, files: readonly NewFile[], force = false): Promise<WrittenFiles> {
  const written: WrittenFiles = { created: [], skipped: [], backups: [] };
  await using undo = new AsyncDisposableStack();
  for (const file of files) {
    rejectOutside(file.path);
    const existing = await lstat(join(root, file.path)).catch(() => undefined);
    if (existing && (!force || file.isOwnedByUser || (await hasSameContent(root, file)))) {
      written.skipped.push({
        path: file.path,
        reason: force && !file.isOwnedByUser ? 'unchanged' : 'exists',
      });
      continue;
    }
    await createFolders(root, dirname(file.path), undo);
    if (existing) written.backups.push({ path: file.path, backup: await moveToBackup(root, file.path, undo) });
    await writeNew(root, file, undo);
    written.created.push(file.path);
  }
  undo.move();
  return written;
}

function rejectOutside(path: string): void {
  const parts = path.split(/[\\/]/);
  if (path === '' || isAbsolute(path) || path.includes('\0') || parts.includes('..'))
    throw new Failure(
      'bad_input',
      'EINVAL',
      `Cannot write ${quote(path)}: it is outside of the project; pass a path in it`,
    );
  // Git runs or trusts the content of this folder.
  if (parts.some((part) => part.toLowerCase() === '.git'))
    throw new Failure(
      'bad_input',
      'EINVAL',
      `Cannot write ${quote(path)}: the folder belongs to git; pass another path`,
    );
}

async function hasSameContent(root: string, { path, content }: NewFile): Promise<boolean> {
  try {
    await using file = await open(join(root, path), 'r');
    const stats = await file.stat();
    return stats.isFile() && stats.size === Buffer.byteLength(content) && (await file.readFile('utf8')) === content;
  } catch {
    return false;
  }
}

/** Creates missing folders. Rejects links, which could lead out of the project. */
async function createFolders(root: string, folder: string, undo: AsyncDisposableStack): Promise<void> {
  let path = root;
  for (const part of folder.split('/').filter((part) => part !== '' && part !== '.')) {
    path = join(path, part);
    const made = await mkdir(path).then(
      () => true,
      (error: unknown) => {
        if (systemCode(error) === 'EEXIST') return false;
        throw writeFailure(folder, error);
      },
    );
    const created = path;
    if (made) undo.defer(() => rmdir(created).catch(() => undefined));
    else if (!(await lstat(path)).isDirectory())
      throw new Failure(
        'bad_input',
        'EINVAL',
        `Cannot write into ${quote(folder)}: ${quote(part)} is a file or a link, not a folder of this project; replace it with a folder`,
      );
  }
}

async function moveToBackup(root: string, path: string, undo: AsyncDisposableStack): Promise<string> {
  const stamp = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  for (let count = 1; ; count++) {
    const backup = `${path}.backup-${stamp}${count === 1 ? '' : `-${count}`}`;
    if (await lstat(join(root, backup)).catch(() => undefined)) continue;
    await rename(join(root, path), join(root, backup)).catch((error: unknown) => {
      throw writeFailure(path, error);
    });
    undo.defer(() => rename(join(root, backup), join(root, path)));
    return backup;
  }
}

async function writeNew(
  root: string,
  { path, content, mode = 0o644 }: NewFile,
  undo: AsyncDisposableStack,
): Promise<void> {
  try {
    await using file = await open(join(root, path), 'wx', mode);
    undo.defer(() => rm(join(root, path), { force: true }));
    await file.writeFile(content);
  } catch (error) {
    throw writeFailure(path, error);
  }
}

function writeFailure(path: string, error: unknown): Failure {
  const code = systemCode(error);
  const known = code === 'EACCES' || code === 'EPERM' || code === 'EROFS' ? 'EACCES' : 'EINVAL';
  const message = `Cannot write ${quote(path)}: ${systemReason(error)}; make it writable for the user that runs Assay`;
  return new Failure('unavailable', known, message, {}, { cause: error });
}
