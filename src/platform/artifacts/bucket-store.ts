import { randomUUID } from 'node:crypto';
import { posix, relative } from 'node:path';
import { Failure } from '../errors.ts';
import { localIssuer, type Owner, ownerFolder, ownerKey } from '../principal.ts';
import { rejectSetting } from '../setting-parsers.ts';
import { type SettingValues, settings } from '../settings.ts';
import type { ArtifactStore } from './artifact-store.ts';
import { type Bucket, createBucket } from './bucket.ts';
import { createFolderSnapshots } from './folder-snapshots.ts';
import { createS3Client } from './s3-client.ts';

export function openBucketStore(name: string, setting: SettingValues['get']): ArtifactStore {
  const accessKeyId = setting(settings.s3AccessKeyId) ?? rejectMissing(settings.s3AccessKeyId.env);
  const secretAccessKey = setting(settings.s3SecretAccessKey) ?? rejectMissing(settings.s3SecretAccessKey.env);
  const region = setting(settings.s3Region);
  const endpoint = setting(settings.s3Endpoint) ?? new URL(`https://s3.${region}.amazonaws.com`);
  const client = createS3Client({ endpoint, bucket: name, region, accessKeyId, secretAccessKey });
  return createBucketStore(createBucket(client, setting(settings.s3Prefix)), () => client.close());
}

function rejectMissing(variable: string): never {
  return rejectSetting(variable, undefined, `set when ${settings.s3Bucket.env} is`);
}

/** Files in a bucket. Every key begins with the key of its owner. */
function createBucketStore(bucket: Bucket, close: () => Promise<void>): ArtifactStore {
  const store: ArtifactStore = {
    /** A new file costs one request. Content that is there already is not sent again. */
    async write(owner, name, data) {
      const key = objectKey(owner, name);
      if ((await bucket.put(key, data, { ifAbsent: true })) !== undefined) return;
      const known = await bucket.get(key);
      if (known && Buffer.compare(known.data, data) === 0) return;
      await bucket.put(key, data);
    },
    read: async (owner, name) => (await bucket.get(objectKey(owner, name)))?.data,
    remove: (owner, name) => bucket.remove(objectKey(owner, name)),
    localPath: () => undefined,
    snapshots: (owner) => createFolderSnapshots(bucket, `${ownerKey(owner)}/snapshots`),
    async verify() {
      const owner = { issuer: localIssuer, subject: '' };
      const name = `verify/${randomUUID()}`;
      await store.write(owner, name, Buffer.from(name));
      try {
        const read = await store.read(owner, name);
        if (read?.toString() !== name) throw new Error(`${bucket.name} does not return what was written`);
      } finally {
        await store.remove(owner, name);
      }
      return bucket.name;
    },
    close,
  };
  return store;
}

/** Throws for a name outside the folder of the owner: an id of one owner must not lead to a file of another. */
function objectKey(owner: Owner, name: string): string {
  const own = relative(ownerFolder(owner), name).replaceAll('\\', '/');
  if (own === '' || own.startsWith('../') || own === '..' || posix.isAbsolute(own)) {
    const message = `The file ${name} does not belong to its owner.`;
    throw new Failure('internal', 'FOREIGN_ARTIFACT', message, {}, { remoteMessage: 'The file has another owner.' });
  }
  return `${ownerKey(owner)}/${own}`;
}
