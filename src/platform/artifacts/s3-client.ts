import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { XMLParser } from 'fast-xml-parser';
import { Agent, type Dispatcher, request } from 'undici';
import * as z from 'zod';
import { Failure, type FailureKind, systemCode, systemReason } from '../errors.ts';

export interface S3Location {
  /** Address of the service; the bucket is the first part of each path. */
  endpoint: URL;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Empty for the bucket itself. */
  key: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** The hexadecimal SHA-256 of the body. */
  sha256?: string;
  /** Called for each try, because a stream can be sent only once. */
  body?: () => Uint8Array | Readable;
}

export interface S3Response {
  status: number;
  headers: Dispatcher.ResponseData['headers'];
  body: Dispatcher.ResponseData['body'];
}

export interface S3Client {
  readonly name: string;
  /**
   * Sends a signed request and returns the response of any status that is not an error. A missing object (404) and a condition
   * that does not hold (412) are no errors. Tries again after network errors and overload.
   */
  send(request: S3Request): Promise<S3Response>;
  /** The failure for a body that ended too early. */
  brokenConnection(error: unknown): Failure;
  close(): Promise<void>;
}

const MAX_TRIES = 5;
const FIRST_DELAY_MS = 200;
/** For the connection, the answer, and between two pieces of a body. */
const TIME_LIMIT_MS = 15_000;
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export function createS3Client(location: S3Location): S3Client {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = location;
  const dispatcher = new Agent({ connect: { timeout: TIME_LIMIT_MS } });
  const name = `the bucket ${bucket} at ${endpoint.origin}`;
  /** How far the clock of the service is ahead of this machine. A signature with a wrong time is rejected. */
  let clockOffsetMs = 0;

  async function sendOnce({ method, key, query = {}, headers = {}, sha256, body }: S3Request): Promise<S3Response> {
    const url = new URL(endpoint);
    const path = [bucket, ...key.split('/')].filter((part) => part !== '').map(encodeURIComponent);
    url.pathname = [url.pathname.replace(/\/+$/, ''), ...path].join('/');
    for (const [parameter, value] of Object.entries(query)) url.searchParams.set(parameter, value);
    const signed = await new AwsV4Signer({
      ...{ method, url: url.href, region, accessKeyId, secretAccessKey, service: 's3' },
      datetime: new Date(Date.now() + clockOffsetMs).toISOString().replace(/[:-]|\.\d{3}/g, ''),
      headers: { ...headers, 'x-amz-content-sha256': sha256 ?? EMPTY_SHA256 },
    }).sign();
    const response = await request(signed.url, {
      ...{ method, dispatcher, headersTimeout: TIME_LIMIT_MS, bodyTimeout: TIME_LIMIT_MS },
      headers: Object.fromEntries(signed.headers),
      ...(body && { body: body() }),
    });
    return { status: response.statusCode, headers: response.headers, body: response.body };
  }

  /** Undefined where the next try may succeed, after a clock was corrected. */
  async function toFailure({ status, headers, body }: S3Response): Promise<Failure | undefined> {
    const code = readErrorCode(await body.text().catch(() => ''));
    const date = Date.parse(String(headers['date']));
    if (code === 'RequestTimeTooSkewed' && !Number.isNaN(date)) {
      clockOffsetMs = date - Date.now();
      return undefined;
    }
    const { kind, fix } = describeRejection(status, code);
    return bucketFailure(name, kind, `answers ${status}${code && ` ${code}`}`, fix);
  }

  return {
    name,
    async send(wanted) {
      for (let attempt = 1; ; attempt++) {
        let failure: Failure | undefined;
        try {
          const response = await sendOnce(wanted);
          if (response.status < 300 || response.status === 412) return response;
          if (response.status === 404 && wanted.key !== '' && (await isMissingObject(wanted, response)))
            return response;
          failure = await toFailure(response);
        } catch (error) {
          if (error instanceof Failure) throw error;
          failure = toNetworkFailure(name, error);
        }
        if (attempt === MAX_TRIES) throw failure ?? bucketFailure(name, 'unavailable', 'rejects the time', CLOCK_FIX);
        if (failure && failure.kind !== 'unavailable') throw failure;
        if (failure) await pause(FIRST_DELAY_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2));
      }
    },
    brokenConnection: (error) => toNetworkFailure(name, error),
    close: () => dispatcher.destroy(),
  };

  /** A missing bucket has the same status as a missing object. HEAD has no body to tell them apart. */
  async function isMissingObject({ method }: S3Request, { body }: S3Response): Promise<boolean> {
    const code = readErrorCode(await body.text());
    if (code !== 'NoSuchBucket') return true;
    if (method === 'DELETE') return true;
    const { kind, fix } = describeRejection(404, code);
    throw bucketFailure(name, kind, `answers 404 ${code}`, fix);
  }
}

const errorDocument = z.object({ Error: z.object({ Code: z.string() }) });

function readErrorCode(text: string): string {
  if (!text.includes('<Error>')) return '';
  return errorDocument.safeParse(new XMLParser().parse(text)).data?.Error.Code ?? '';
}

const CLOCK_FIX = 'Correct the clock of this machine.';
const NETWORK_FIX = 'Check ASSAY_S3_ENDPOINT and the network, then try again.';
const KEY_FIX = 'Correct ASSAY_S3_ACCESS_KEY_ID and ASSAY_S3_SECRET_ACCESS_KEY.';
const REGION_FIX = 'Set ASSAY_S3_REGION to the region of the bucket, and ASSAY_S3_ENDPOINT to its service.';

const rejections: Record<string, string> = {
  NoSuchBucket: 'Create the bucket, or correct ASSAY_S3_BUCKET.',
  InvalidAccessKeyId: KEY_FIX,
  SignatureDoesNotMatch: KEY_FIX,
  AccessDenied: 'Allow the access key to get, put, delete and list objects of the bucket.',
  PermanentRedirect: REGION_FIX,
  AuthorizationHeaderMalformed: REGION_FIX,
};

function describeRejection(status: number, code: string): { kind: FailureKind; fix: string } {
  const known = rejections[code];
  if (known !== undefined) return { kind: 'configuration', fix: known };
  if (status >= 500 || status === 429 || status === 408 || status === 409)
    return { kind: 'unavailable', fix: 'Try again in a moment.' };
  // The body does not match its hash: the file changed while it was sent.
  if (code === 'XAmzContentSHA256Mismatch' || code === 'IncompleteBody')
    return { kind: 'unavailable', fix: 'Try again.' };
  if (status === 401 || status === 403) return { kind: 'configuration', fix: rejections['AccessDenied'] ?? '' };
  if (status >= 300 && status < 400) return { kind: 'configuration', fix: REGION_FIX };
  return { kind: 'configuration', fix: 'Check the service and the settings ASSAY_S3_*.' };
}

function toNetworkFailure(name: string, error: unknown): Failure {
  const code = systemCode(error) ?? '';
  const reason = code.startsWith('UND_ERR') || code === '' ? 'the connection failed' : systemReason(error);
  return bucketFailure(name, 'unavailable', `cannot be reached: ${reason}`, NETWORK_FIX, error);
}

/** The operator sees the bucket; callers on other machines do not. */
function bucketFailure(name: string, kind: FailureKind, what: string, fix: string, cause?: unknown): Failure {
  const code = kind === 'unavailable' ? 'ARTIFACTS_UNAVAILABLE' : 'ARTIFACTS_REJECTED';
  const say = (subject: string) => `${subject.charAt(0).toUpperCase()}${subject.slice(1)} ${what}. ${fix}`;
  const remoteMessage = say("the server's artifact store");
  return new Failure(kind, code, say(name), {}, { cause, remoteMessage });
}
