import type { Owner } from '../principal.ts';
import { type SettingValues, settings } from '../settings.ts';
import type { FolderSnapshots } from './folder-snapshots.ts';

/**
 * The files that jobs need and make, where every server and worker finds them: the home folder, or a bucket for machines that
 * share no disk. A file has a name, its path from the home folder, which begins with the folder of its owner.
 */
export interface ArtifactStore {
  /** Replaces an existing file. With `isDurable`, a crash leaves either the old or the whole new content. */
  write(owner: Owner, name: string, data: Uint8Array, options?: { isDurable?: boolean }): Promise<void>;
  /** Undefined if it does not exist. */
  read(owner: Owner, name: string): Promise<Uint8Array | undefined>;
  remove(owner: Owner, name: string): Promise<void>;
  /** The path of a file on this machine; undefined for files in a bucket. */
  localPath(name: string): string | undefined;
  /** Copies of folders of one owner; undefined where the folders themselves are in the home folder, which all processes share. */
  snapshots(owner: Owner): FolderSnapshots | undefined;
  /** Writes, reads and removes a file, and returns where the files are. Throws if that does not work. */
  verify(): Promise<string>;
  close(): Promise<void>;
}

/** Throws `BAD_SETTING` if a bucket is named without its keys. */
export async function openArtifactStore(home: string, setting: SettingValues['get']): Promise<ArtifactStore> {
  const bucket = setting(settings.s3Bucket);
  if (bucket === undefined) {
    const { createFolderStore } = await import('./folder-store.ts');
    return createFolderStore(home);
  }
  const { openBucketStore } = await import('./bucket-store.ts');
  return openBucketStore(bucket, setting);
}
