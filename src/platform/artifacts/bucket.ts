import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import * as z from 'zod';
import { Failure } from '../errors.ts';
import { makeFolder } from '../files/files.ts';
import type { S3Client, S3Response } from './s3-client.ts';

interface StoredObject {
  data: Buffer;
  /** Version of the object, for conditional writes. */
  etag: string;
}

/** What an object must be for a write to happen: of this version, or absent. */
type WriteCondition = { ifMatch: string } | { ifAbsent: true };

/** Objects under keys. A condition that does not hold is an answer, not an error. */
export interface Bucket {
  /** For messages: `the bucket NAME at ADDRESS`. */
  readonly name: string;
  get(key: string): Promise<StoredObject | undefined>;
  /** Returns the version of the new object; undefined if the condition does not hold. */
  put(key: string, data: Uint8Array, condition?: WriteCondition): Promise<string | undefined>;
  /** Streams the first `size` bytes of a file, unless the key exists. */
  upload(key: string, file: { path: string; size: number; sha256: string }): Promise<void>;
  /** Streams an object into a file and continues after a broken connection. False if it does not exist. */
  download(key: string, path: string, sha256: string): Promise<boolean>;
  list(prefix: string): AsyncIterable<string>;
  remove(key: string): Promise<void>;
}

/** Connections that may break during one download. */
const MAX_BREAKS = 5;

export function createBucket(client: S3Client, prefix: string): Bucket {
  const fullKey = (key: string) => (prefix === '' ? key : `${prefix}/${key}`);

  async function write(
    key: string,
    content: { size: number; sha256: string; body: () => Uint8Array | ReturnType<typeof createReadStream> },
    condition?: WriteCondition,
  ): Promise<S3Response> {
    const { size, sha256, body } = content;
    const headers = {
      'content-length': String(size),
      'content-type': 'application/octet-stream',
      ...(condition && ('ifMatch' in condition ? { 'if-match': condition.ifMatch } : { 'if-none-match': '*' })),
    };
    const response = await client.send({ method: 'PUT', key: fullKey(key), headers, sha256, body });
    await response.body.dump();
    return response;
  }

  return {
    name: client.name,

    async get(key) {
      const chunks: Buffer[] = [];
      const received = await receive(client, fullKey(key), async (chunk) => void chunks.push(chunk));
      return received && { data: Buffer.concat(chunks), etag: received.etag };
    },

    async put(key, data, condition) {
      const content = { size: data.length, sha256: sha256Of(data), body: () => data };
      const { status, headers } = await write(key, content, condition);
      // A version that does not exist does not match.
      return status < 300 ? String(headers['etag']) : undefined;
    },

    async upload(key, { path, size, sha256 }) {
      const body = () => (size === 0 ? Buffer.alloc(0) : createReadStream(path, { end: size - 1 }));
      await write(key, { size, sha256, body }, { ifAbsent: true });
    },

    async download(key, path, sha256) {
      await makeFolder(dirname(path));
      const aside = join(dirname(path), `.${randomUUID()}.tmp`);
      try {
        await using file = await open(aside, 'wx', 0o600);
        const received = await receive(client, fullKey(key), async (chunk) => {
          await file.write(chunk);
        });
        if (!received) return false;
        if (received.sha256 !== sha256) throw damagedObject(client.name, key);
        await rename(aside, path);
        return true;
      } finally {
        await rm(aside, { force: true });
      }
    },

    async *list(start) {
      let token: string | undefined;
      do {
        const query = {
          ...{ 'list-type': '2', prefix: fullKey(start) },
          ...(token !== undefined && { 'continuation-token': token }),
        };
        const { body } = await client.send({ method: 'GET', key: '', query });
        const page = parseList(await body.text());
        for (const { Key } of page.Contents) yield prefix === '' ? Key : Key.slice(prefix.length + 1);
        token = page.NextContinuationToken;
      } while (token !== undefined);
    },

    async remove(key) {
      const { body } = await client.send({ method: 'DELETE', key: fullKey(key) });
      await body.dump();
    },
  };
}

interface Received {
  sha256: string;
  etag: string;
}

/**
 * Passes the content of an object on, and continues behind what it has received when the connection breaks. Returns undefined if
 * the object does not exist.
 */
async function receive(
  client: S3Client,
  key: string,
  onChunk: (chunk: Buffer) => Promise<void>,
): Promise<Received | undefined> {
  const hash = createHash('sha256');
  let received = 0;
  let etag = '';
  for (let breaks = 0; ; breaks++) {
    const headers = received > 0 ? { range: `bytes=${received}-`, 'if-match': etag } : {};
    const response = await client.send({ method: 'GET', key, headers });
    if (response.status === 404 || response.status === 412) return undefined;
    etag = String(response.headers['etag']);
    const end = received + Number(response.headers['content-length']);
    const chunks = response.body[Symbol.asyncIterator]();
    while (received < end) {
      const next = await chunks.next().catch((error: unknown) => {
        if (breaks === MAX_BREAKS) throw client.brokenConnection(error);
        return undefined;
      });
      if (!next || next.done) break;
      await onChunk(next.value);
      hash.update(next.value);
      received += next.value.length;
    }
    if (received < end) continue;
    return { sha256: hash.digest('hex'), etag };
  }
}

const listed = z.object({
  ListBucketResult: z.object({
    Contents: z.array(z.object({ Key: z.string() })).default([]),
    NextContinuationToken: z.string().optional(),
  }),
});

function parseList(text: string): z.output<typeof listed>['ListBucketResult'] {
  const parser = new XMLParser({ parseTagValue: false, isArray: (name) => name === 'Contents' });
  return listed.parse(parser.parse(text)).ListBucketResult;
}

function damagedObject(name: string, key: string): Failure {
  const message = `The object ${key} in ${name} is damaged: its content does not match its hash. Delete it, then start the job again.`;
  return new Failure('unavailable', 'ARTIFACTS_DAMAGED', message, {}, { remoteMessage: 'A stored file is damaged.' });
}

function sha256Of(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
