import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * An S3-compatible server with one bucket in memory: PUT, GET, HEAD, DELETE, ranges, ListObjectsV2 in pages, conditional writes,
 * signature version 4 and the hash of the body. Those on npm do not check conditions or signatures.
 */
export interface S3Server extends AsyncDisposable {
  /** Settings with which Assay uses it. */
  env: Record<string, string>;
  objects: ReadonlyMap<string, Buffer>;
  /** `METHOD key status` of every answered request. */
  log: string[];
  /** Called before each request is read; may wait, or return how to fail. */
  onRequest: (request: { method: string; key: string }) => Disruption | undefined | Promise<Disruption | undefined>;
  /** Connections are closed without an answer while it is away. */
  setAway(isAway: boolean): void;
}

/** `cut`: the body ends after this many bytes, and the connection breaks. */
type Disruption = { status: number; code: string } | { cut: number } | 'close';

const BUCKET = 'assay-test';
const REGION = 'eu-test-1';
const ACCESS_KEY_ID = 'TESTKEY';
const MAX_SKEW_MS = 15 * 60_000;
/** Small, so that a test with few objects reads several pages. */
const PAGE_KEYS = 50;

export async function startS3(): Promise<S3Server> {
  const secret = randomBytes(20).toString('hex');
  const objects = new Map<string, Buffer>();
  const log: string[] = [];
  let isAway = false;
  const http = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      log.push(`error ${String(error)}`);
      request.destroy();
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://s3');
    const [, bucket, ...parts] = url.pathname.split('/').map(decodeURIComponent);
    const key = parts.join('/');
    const method = request.method ?? '';
    const send = (status: number, headers: Record<string, string | number> = {}, body: Buffer | string = '') => {
      log.push(`${method} ${key} ${status}`);
      response.writeHead(status, headers).end(method === 'HEAD' ? undefined : body);
    };
    const refuse = (status: number, code: string) =>
      send(status, {}, `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
    if (isAway) return void request.destroy();
    const disruption = await server.onRequest({ method, key });
    if (disruption === 'close') return void request.destroy();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (disruption && 'status' in disruption) return refuse(disruption.status, disruption.code);
    const problem = findSignatureProblem(request, url, body, secret);
    if (problem) return refuse(problem === 'XAmzContentSHA256Mismatch' ? 400 : 403, problem);
    if (bucket !== BUCKET) return refuse(404, 'NoSuchBucket');
    if (key === '') return send(200, { 'content-type': 'application/xml' }, listPage(url, objects));
    const known = objects.get(key);
    switch (method) {
      case 'PUT': {
        const { 'if-none-match': absent, 'if-match': version } = request.headers;
        if (absent === '*' && known) return refuse(412, 'PreconditionFailed');
        if (version !== undefined && !known) return refuse(404, 'NoSuchKey');
        if (version !== undefined && known && version !== etagOf(known)) return refuse(412, 'PreconditionFailed');
        objects.set(key, body);
        return send(200, { etag: etagOf(body) });
      }
      case 'GET':
      case 'HEAD': {
        if (!known) return refuse(404, 'NoSuchKey');
        if ((request.headers['if-match'] ?? etagOf(known)) !== etagOf(known)) return refuse(412, 'PreconditionFailed');
        const [, from] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
        const part = known.subarray(Number(from ?? 0));
        const headers = { etag: etagOf(known), 'content-length': part.length };
        if (!disruption) return send(from === undefined ? 200 : 206, headers, part);
        log.push(`${method} ${key} cut`);
        response.writeHead(from === undefined ? 200 : 206, headers).write(part.subarray(0, disruption.cut), () => {
          // The client has the first bytes before the connection breaks.
          setImmediate(() => request.socket.destroy());
        });
        return;
      }
      case 'DELETE':
        objects.delete(key);
        return send(204);
      default:
        return refuse(405, 'MethodNotAllowed');
    }
  }

  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const server: S3Server = {
    env: {
      ASSAY_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      ASSAY_S3_BUCKET: BUCKET,
      ASSAY_S3_REGION: REGION,
      ASSAY_S3_ACCESS_KEY_ID: ACCESS_KEY_ID,
      ASSAY_S3_SECRET_ACCESS_KEY: secret,
    },
    objects,
    log,
    onRequest: () => undefined,
    setAway(away) {
      isAway = away;
      if (away) http.closeAllConnections();
    },
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return server;
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest('hex');
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();
const etagOf = (data: Buffer) => `"${createHash('md5').update(data).digest('hex')}"`;

/** Computes the signature from the request as it arrived (AWS Signature Version 4). */
function findSignatureProblem(request: IncomingMessage, url: URL, body: Buffer, secret: string): string | undefined {
  const { authorization = '', 'x-amz-date': at = '', 'x-amz-content-sha256': claimed = '' } = request.headers;
  const [, key, day, region, names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      authorization,
    ) ?? [];
  if (key === undefined) return 'AccessDenied';
  if (key !== ACCESS_KEY_ID) return 'InvalidAccessKeyId';
  if (region !== REGION) return 'AuthorizationHeaderMalformed';
  const time = String(at).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
  if (!String(at).startsWith(day ?? '') || !(Math.abs(Date.parse(time) - Date.now()) < MAX_SKEW_MS))
    return 'RequestTimeTooSkewed';
  const signed = names.split(';');
  if (!['host', 'x-amz-date', 'x-amz-content-sha256'].every((name) => signed.includes(name))) return 'AccessDenied';
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).toSorted();
  const canonical = [
    request.method,
    url.pathname
      .split('/')
      .map((part) => encode(decodeURIComponent(part)))
      .join('/'),
    query.join('&'),
    ...signed.map((name) => `${name}:${String(request.headers[name] ?? '').replace(/\s+/g, ' ')}`),
    '',
    names,
    claimed,
  ].join('\n');
  const scope = `${day}/${REGION}/s3/aws4_request`;
  const signingKey = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${secret}`, day ?? ''), REGION));
  const expected = hmac(signingKey, ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n'));
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) return 'SignatureDoesNotMatch';
  return sha256(body) === claimed ? undefined : 'XAmzContentSHA256Mismatch';
}

/** Keys after the continuation token, which is the last key of the page before. */
function listPage(url: URL, objects: ReadonlyMap<string, Buffer>): string {
  const prefix = url.searchParams.get('prefix') ?? '';
  const after = url.searchParams.get('continuation-token') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted();
  const page = keys.slice(0, PAGE_KEYS);
  const rows = page.map((key) => `<Contents><Key>${key}</Key><Size>${objects.get(key)?.length}</Size></Contents>`);
  const more = keys.length > page.length ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${more !== ''}</IsTruncated>${rows.join('')}${more}</ListBucketResult>`;
}
