import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import * as z from 'zod';
import { Failure, systemCode } from '../errors.ts';
import { makeFolder, writeFileAtomic } from '../files/files.ts';
import type { Bucket } from './bucket.ts';

const manifestSchema = z.object({
  /** Name of the folder on the machine that published it. */
  folder: z.string().regex(/^[\w-][\w.-]*$/),
  /** The attempt of the job that published it: an earlier attempt cannot replace it. */
  attempt: z.number(),
  files: z.record(
    z.string().regex(/^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/),
    z.object({ size: z.number(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  ),
});

/** What a folder held at one moment. */
export type FolderManifest = z.output<typeof manifestSchema>;

interface PublishedFolder {
  path: string;
  folder: string;
  /** The files that must be at least as long in the snapshot as this file says. It is read first, while all of them grow. */
  index?: string;
}

/**
 * Copies of folders in a bucket. The content of a file is stored under its hash, and the manifest, which is written last and
 * under a condition, makes the files a snapshot: readers see all of it or none.
 */
export interface FolderSnapshots {
  /** Undefined if none was published under this name. */
  describe(name: string): Promise<FolderManifest | undefined>;
  /** Names of all snapshots that begin with this text. */
  list(prefix: string): Promise<string[]>;
  /**
   * Uploads what has changed since the last snapshot. Throws `SUPERSEDED` if a later attempt of the job has published one. Files
   * that the folder no longer has are removed from the bucket when `isFinal`.
   */
  publish(name: string, published: PublishedFolder, job: { attempt: number; isFinal: boolean }): Promise<void>;
  /** Adds files of a folder to its snapshot. */
  add(name: string, path: string, files: readonly string[]): Promise<void>;
  /** Objects of all snapshots whose names begin with this text, also those of a snapshot that was never published. */
  paths(prefix: string): AsyncIterable<string>;
  /** Removes the objects that `paths` returns. */
  remove(prefix: string): Promise<void>;
  /** Downloads what a folder lacks. Files that the snapshot does not have stay. */
  restore(name: string, path: string): Promise<void>;
}

const MAX_CONFLICTS = 10;

export function createFolderSnapshots(bucket: Bucket, root: string): FolderSnapshots {
  const manifestKey = (name: string) => `${root}/${name}/manifest.json`;
  const contentKey = (name: string, sha256: string) => `${root}/${name}/files/${sha256}`;
  /** Files whose content is known, so that a large file is read only when it has changed. */
  const hashed = new Map<string, { size: number; mtimeMs: number; sha256: string }>();

  async function read(name: string): Promise<{ manifest: FolderManifest; etag: string } | undefined> {
    const found = await bucket.get(manifestKey(name));
    if (!found) return undefined;
    try {
      return { manifest: manifestSchema.parse(JSON.parse(found.data.toString('utf8'))), etag: found.etag };
    } catch (cause) {
      const message = `The object ${manifestKey(name)} in ${bucket.name} is damaged. Delete it, then start the job again.`;
      const remoteMessage = 'A stored file is damaged.';
      throw new Failure('unavailable', 'ARTIFACTS_DAMAGED', message, {}, { cause, remoteMessage });
    }
  }

  /** The file as it is now; what is appended meanwhile belongs to the next snapshot. */
  async function describeFile(path: string): Promise<{ size: number; sha256: string } | undefined> {
    const known = hashed.get(path);
    try {
      const { size, mtimeMs } = await stat(path);
      if (known?.size === size && known.mtimeMs === mtimeMs) return { size, sha256: known.sha256 };
      const sha256 = await hashFile(path, size);
      hashed.set(path, { size, mtimeMs, sha256 });
      return { size, sha256 };
    } catch (error) {
      // The file was replaced while it was read.
      if (systemCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  async function uploadFiles(
    name: string,
    path: string,
    files: readonly string[],
    known: FolderManifest['files'],
  ): Promise<FolderManifest['files']> {
    const stored = new Set(Object.values(known).map(({ sha256 }) => sha256));
    const uploaded: FolderManifest['files'] = {};
    for (const file of files) {
      const found = await describeFile(join(path, file));
      if (!found) continue;
      if (!stored.has(found.sha256))
        await bucket.upload(contentKey(name, found.sha256), { path: join(path, file), ...found });
      uploaded[file] = found;
    }
    return uploaded;
  }

  /** Replaces the manifest unless another process has replaced it since it was read; then it is read and decided again. */
  async function commit(
    name: string,
    next: (current: FolderManifest | undefined) => FolderManifest | Promise<FolderManifest>,
  ): Promise<void> {
    for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
      const current = await read(name);
      const manifest = await next(current?.manifest);
      const data = Buffer.from(JSON.stringify(manifest));
      const condition = current ? { ifMatch: current.etag } : { ifAbsent: true as const };
      if ((await bucket.put(manifestKey(name), data, condition)) !== undefined) return;
    }
    const message = `Too many processes publish ${manifestKey(name)} in ${bucket.name}. Try again in a moment.`;
    const remoteMessage = "The server's artifact store is busy. Try again in a moment.";
    throw new Failure('unavailable', 'ARTIFACTS_UNAVAILABLE', message, {}, { remoteMessage });
  }

  async function* paths(prefix: string): AsyncIterable<string> {
    for await (const key of bucket.list(`${root}/${prefix}`)) yield key.slice(root.length + 1);
  }

  return {
    describe: async (name) => (await read(name))?.manifest,

    async list(prefix) {
      const names: string[] = [];
      for await (const path of paths(prefix))
        if (path.endsWith('/manifest.json')) names.push(path.slice(0, -'/manifest.json'.length));
      return names;
    },

    async publish(name, { path, folder, index }, { attempt, isFinal }) {
      await commit(name, async (current) => {
        if (current && current.attempt > attempt) {
          const message = `A later attempt has published the snapshot ${name}.`;
          throw new Failure('conflict', 'SUPERSEDED', message);
        }
        const all = await filesBelow(path);
        const ordered = index !== undefined && all.includes(index) ? [...new Set([index, ...all])] : all;
        return { folder, attempt, files: await uploadFiles(name, path, ordered, current?.files ?? {}) };
      });
      if (isFinal) await removeUnused(name);
    },

    async add(name, path, files) {
      await commit(name, async (current) => {
        if (!current) throw new Failure('not_found', 'NO_SNAPSHOT', `There is no snapshot ${name}.`);
        return { ...current, files: { ...current.files, ...(await uploadFiles(name, path, files, current.files)) } };
      });
    },

    paths,

    async remove(prefix) {
      for await (const path of paths(prefix)) await bucket.remove(`${root}/${path}`);
    },

    async restore(name, path) {
      const found = await read(name);
      if (!found) return;
      // A sibling of the folder, so that it is no file of it.
      const mark = `${path.replace(/\/+$/, '')}.restored`;
      if ((await readFile(mark, 'utf8').catch(() => '')) === found.etag && (await isFolder(path))) return;
      await makeFolder(path);
      for (const [file, { size, sha256 }] of Object.entries(found.manifest.files)) {
        const target = join(path, file);
        const local = await describeFile(target);
        if (local?.size === size && local.sha256 === sha256) continue;
        if (!(await bucket.download(contentKey(name, sha256), target, sha256))) {
          const message = `The file ${file} of the snapshot ${name} is missing in ${bucket.name}. Start the job again.`;
          const remoteMessage = 'A stored file is missing. Start the job again.';
          throw new Failure('not_found', 'ARTIFACT_MISSING', message, {}, { remoteMessage });
        }
      }
      await writeFileAtomic(mark, found.etag);
    },
  };

  /** Removes contents of earlier snapshots, and those of uploads whose process died before it could publish them. */
  async function removeUnused(name: string): Promise<void> {
    const found = await read(name);
    const used = new Set(Object.values(found?.manifest.files ?? {}).map(({ sha256 }) => contentKey(name, sha256)));
    for await (const key of bucket.list(contentKey(name, ''))) if (!used.has(key)) await bucket.remove(key);
  }
}

async function filesBelow(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => relative(path, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .toSorted();
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** The hash of the first `size` bytes. */
async function hashFile(path: string, size: number): Promise<string> {
  const hash = createHash('sha256');
  if (size > 0) for await (const chunk of createReadStream(path, { end: size - 1 })) hash.update(chunk);
  return hash.digest('hex');
}
