import { appendFile, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Folder, filesIn, newFolder } from '../../../test/support/folders.ts';
import { type S3Server, startS3 } from '../../../test/support/services/s3-server.ts';
import { localIssuer, ownerFolder, ownerKey } from '../principal.ts';
import { readSettings } from '../settings.ts';
import { type ArtifactStore, openArtifactStore } from './artifact-store.ts';

const local = { issuer: localIssuer, subject: 'user' };
const ada = { issuer: 'https://issuer.example', subject: 'ada' };
const bob = { issuer: 'https://issuer.example', subject: 'bob' };
const text = (data: Uint8Array | undefined) => data && Buffer.from(data).toString('utf8');

let s3: S3Server;
let folder: Folder;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3[Symbol.asyncDispose]());
beforeEach(async () => {
  folder = await newFolder();
  s3.onRequest = () => undefined;
  s3.log.length = 0;
  return () => folder[Symbol.asyncDispose]();
});

const open = (env: Record<string, string> = {}) =>
  openArtifactStore(folder.path, readSettings([], [], { ...s3.env, ...env }).get);
const openFolder = () => openArtifactStore(folder.path, readSettings([], [], {}).get);

describe.each([
  ['folder', openFolder],
  ['bucket', open],
] as const)('files in a %s', (_kind, openStore) => {
  test('are read, replaced and removed under the name of their owner', async () => {
    const store: ArtifactStore = await openStore();
    const name = join(ownerFolder(ada), 'qa/project/run/page.png');
    expect(await store.read(ada, name)).toBeUndefined();
    await store.write(ada, name, Buffer.from('first'));
    await store.write(ada, name, Buffer.from('second'), { isDurable: true });
    expect(text(await store.read(ada, name))).toBe('second');
    await store.remove(ada, name);
    expect(await store.read(ada, name)).toBeUndefined();
    expect(await store.verify()).toMatch(/assay-test/);
    await store.close();
  });
});

describe('a bucket', () => {
  test('has no file of another owner under any name', async () => {
    const store = await open({ ASSAY_S3_PREFIX: '/team/assay/' });
    const name = join(ownerFolder(ada), 'qa/a.txt');
    await store.write(ada, name, Buffer.from('of Ada'));
    expect([...s3.objects.keys()]).toContain(`team/assay/${ownerKey(ada)}/qa/a.txt`);
    for (const [owner, asked] of [
      [bob, name],
      [ada, join(ownerFolder(ada), '../bob/qa/a.txt')],
      [ada, 'qa/a.txt'],
      [local, '../outside.txt'],
      [local, '/etc/passwd'],
    ] as const)
      await expect(store.read(owner, asked)).rejects.toMatchObject({ code: 'FOREIGN_ARTIFACT' });
    expect(await store.read(local, name)).toBeUndefined();
    await store.close();
  });

  test('gets the same content once', async () => {
    const store = await open();
    await store.write(local, 'qa/same.txt', Buffer.from('same'));
    await store.write(local, 'qa/same.txt', Buffer.from('same'));
    const key = `${ownerKey(local)}/qa/same.txt`;
    expect(s3.log.filter((line) => line.startsWith('PUT'))).toEqual([`PUT ${key} 200`, `PUT ${key} 412`]);
    await store.close();
  });

  test('is tried again after errors, and then named with the next step', async () => {
    const store = await open();
    const disruptions = [{ status: 503, code: 'SlowDown' }, 'close' as const, { status: 500, code: 'InternalError' }];
    s3.onRequest = () => disruptions.shift();
    await store.write(local, 'qa/late.txt', Buffer.from('late'));
    expect(text(await store.read(local, 'qa/late.txt'))).toBe('late');
    let tries = 0;
    s3.onRequest = () => {
      tries++;
      return 'close';
    };
    const failure = await store.read(local, 'qa/late.txt').catch((error: unknown) => error);
    expect(tries).toBe(5);
    expect(failure).toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(
        /^The bucket assay-test at http:\/\/127\.0\.0\.1:\d+ cannot be reached: .+\. Check ASSAY_S3_ENDPOINT/,
      ),
      remoteMessage: expect.stringMatching(/^The server's artifact store cannot be reached/),
    });
    await store.close();
  });

  test.each([
    ['ASSAY_S3_SECRET_ACCESS_KEY', 'wrong', /answers 403 SignatureDoesNotMatch\. Correct ASSAY_S3_ACCESS_KEY_ID and/],
    ['ASSAY_S3_ACCESS_KEY_ID', 'OTHER', /answers 403 InvalidAccessKeyId\. Correct ASSAY_S3_ACCESS_KEY_ID and/],
    ['ASSAY_S3_BUCKET', 'other', /bucket other .* answers 404 NoSuchBucket\. Create the bucket, or correct ASSAY_S3_/],
    ['ASSAY_S3_REGION', 'us-east-9', /answers 403 AuthorizationHeaderMalformed\. Set ASSAY_S3_REGION to the region/],
  ])('rejects a wrong %s at once, with the setting to correct', async (name, value, message) => {
    const store = await open({ [name]: value });
    await expect(store.read(local, 'qa/a.txt')).rejects.toMatchObject({ kind: 'configuration', message });
    expect(s3.log).toHaveLength(1);
    await store.close();
  });

  test.each(['ASSAY_S3_ACCESS_KEY_ID', 'ASSAY_S3_SECRET_ACCESS_KEY'])('is not opened without %s', async (name) => {
    await expect(open({ [name]: '' })).rejects.toMatchObject({
      message: `${name} must be set when ASSAY_S3_BUCKET is.`,
    });
  });
});

describe('a snapshot of a folder', () => {
  const files = { 'pages.jsonl': 'one\n', 'audit.csv': 'a,b\n', 'elements/a.png': 'picture' };
  const asJob = (attempt: number, isFinal = false) => ({ attempt, isFinal });
  async function published(store: ArtifactStore) {
    const snapshots = store.snapshots(ada);
    if (!snapshots) throw new Error('no snapshots');
    for (const [name, content] of Object.entries(files)) await folder.write(`worker/${name}`, content);
    const from = { path: join(folder.path, 'worker'), folder: 'results_1', index: 'pages.jsonl' };
    return { snapshots, from, to: join(folder.path, 'server/results_1') };
  }

  test('is the same folder elsewhere, and follows its changes', async () => {
    const store = await open();
    const { snapshots, from, to } = await published(store);
    await snapshots.publish('scan/1', from, asJob(1));
    await snapshots.restore('scan/1', to);
    for (const [name, content] of Object.entries(files)) expect(await readFile(join(to, name), 'utf8')).toBe(content);
    await appendFile(join(from.path, 'pages.jsonl'), 'two\n');
    s3.log.length = 0;
    await snapshots.publish('scan/1', from, asJob(1, true));
    expect(s3.log.filter((line) => line.startsWith('PUT'))).toHaveLength(2);
    await writeFile(join(to, 'report.html'), 'report');
    await snapshots.restore('scan/1', to);
    expect(await readFile(join(to, 'pages.jsonl'), 'utf8')).toBe('one\ntwo\n');
    await snapshots.add('scan/1', to, ['report.html']);
    await snapshots.restore('scan/1', from.path);
    expect(await readFile(join(from.path, 'report.html'), 'utf8')).toBe('report');
    expect(await snapshots.list('scan/')).toEqual(['scan/1']);
    expect(await store.snapshots(bob)?.describe('scan/1')).toBeUndefined();
    await store.close();
  });

  test('keeps nothing of an upload that never ended, and is whole until the next one is', async () => {
    const store = await open();
    const { snapshots, from, to } = await published(store);
    await snapshots.publish('scan/2', from, asJob(1));
    await writeFile(join(from.path, 'audit.csv'), 'other');
    // The process dies after the upload of the content and before the manifest.
    s3.onRequest = ({ method, key }) =>
      method === 'PUT' && key.endsWith('manifest.json') ? { status: 403, code: 'AccessDenied' } : undefined;
    await expect(snapshots.publish('scan/2', from, asJob(1))).rejects.toMatchObject({ kind: 'configuration' });
    s3.onRequest = () => undefined;
    await snapshots.restore('scan/2', to);
    expect(await readFile(join(to, 'audit.csv'), 'utf8')).toBe('a,b\n');
    await writeFile(join(from.path, 'audit.csv'), 'a,b\nc,d\n');
    await snapshots.publish('scan/2', from, asJob(2, true));
    const contents = [...s3.objects.keys()].filter((key) => key.includes('/scan/2/files/'));
    expect(contents).toHaveLength(Object.keys(files).length);
    await store.close();
  });

  test('is not replaced by an earlier attempt, or by one that commits at the same time', async () => {
    const store = await open();
    const { snapshots, from } = await published(store);
    let isRaced = false;
    s3.onRequest = async ({ method, key }) => {
      if (isRaced || method !== 'PUT' || !key.endsWith('manifest.json')) return;
      isRaced = true;
      await (await open()).snapshots(ada)?.publish('scan/3', { ...from, folder: 'results_2' }, asJob(2));
    };
    await expect(snapshots.publish('scan/3', from, asJob(1))).rejects.toMatchObject({ code: 'SUPERSEDED' });
    expect(isRaced).toBe(true);
    expect(await snapshots.describe('scan/3')).toMatchObject({ folder: 'results_2', attempt: 2 });
    await store.close();
  });

  test('is downloaded on over a broken connection, and rejected when damaged', async () => {
    const store = await open();
    const { snapshots, from, to } = await published(store);
    const large = Buffer.alloc(3_000_000, 'large ');
    await writeFile(join(from.path, 'audit.csv'), large);
    await snapshots.publish('scan/4', from, asJob(1));
    const cuts = [1_000_000, 500_000];
    s3.onRequest = ({ method, key }) => {
      if (method !== 'GET' || !key.includes('/files/') || (s3.objects.get(key)?.length ?? 0) < 1000) return undefined;
      const cut = cuts.shift();
      return cut === undefined ? undefined : { cut };
    };
    await snapshots.restore('scan/4', to);
    expect(Buffer.compare(await readFile(join(to, 'audit.csv')), large)).toBe(0);
    expect(s3.log.filter((line) => line.endsWith(' 206'))).toHaveLength(1);
    const key = [...s3.objects.keys()].find((one) => s3.objects.get(one)?.length === large.length) ?? '';
    s3.objects.get(key)?.fill('x', 0, 10);
    await rm(to, { recursive: true });
    await expect(snapshots.restore('scan/4', to)).rejects.toMatchObject({ code: 'ARTIFACTS_DAMAGED' });
    expect(filesIn(to).some((file) => file.endsWith('.tmp'))).toBe(false);
    await expect(stat(join(to, 'audit.csv'))).rejects.toMatchObject({ code: 'ENOENT' });
    await store.close();
  });
});
