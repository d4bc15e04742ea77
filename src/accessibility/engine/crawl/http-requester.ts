import { type Dispatcher, fetch, type Response } from 'undici';
import { Failure, quote } from '../../../platform/errors.ts';

const MAX_REDIRECTS = 10;

export interface HttpResponse {
  /** Address after redirects. */
  url: string;
  status: number;
  contentType: string;
  retryAfterMs: number | undefined;
  /** The whole body; undefined when it is larger than `mostBytes`. */
  body(mostBytes: number): Promise<Buffer | undefined>;
  /** The first `mostBytes` bytes of the body. */
  bodyStart(mostBytes: number): Promise<Buffer>;
  discard(): Promise<void>;
}

export type HttpRequester = (method: 'HEAD' | 'GET', url: string, limitMs: number) => Promise<HttpResponse>;

interface HttpRequesterOptions {
  userAgent: string;
  signal: AbortSignal;
  dispatcher: Dispatcher;
  checkAddress: ((url: string) => Promise<void>) | undefined;
}

/** Makes requests outside of the browser: headers, robots.txt, sitemaps. Each redirect target is checked before it is requested. */
export function createHttpRequester({
  userAgent,
  signal,
  dispatcher,
  checkAddress,
}: HttpRequesterOptions): HttpRequester {
  return async (method, url, limitMs) => {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
    let next = url;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      await checkAddress?.(next);
      const headers = { 'user-agent': userAgent, accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
      const response = await fetch(next, { method, headers, redirect: 'manual', signal: limited, dispatcher });
      const location = response.headers.get('location');
      const target = location === null ? undefined : URL.parse(location, next)?.href;
      if (response.status < 300 || response.status >= 400 || target === undefined)
        return toHttpResponse(next, response);
      await response.body?.cancel();
      next = target;
    }
    throw new Failure('site_failed', 'TOO_MANY_REDIRECTS', `${quote(url)} redirects more than ${MAX_REDIRECTS} times.`);
  };
}

function toHttpResponse(url: string, response: Response): HttpResponse {
  return {
    url,
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    retryAfterMs: parseRetryAfter(response.headers.get('retry-after')),
    async body(mostBytes) {
      const bytes = await readBodyStart(response, mostBytes + 1);
      return bytes.length > mostBytes ? undefined : bytes;
    },
    bodyStart: (mostBytes) => readBodyStart(response, mostBytes),
    discard: async () => response.body?.cancel(),
  };
}

async function readBodyStart(response: Response, mostBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    if (!(chunk instanceof Uint8Array)) continue;
    size += chunk.length;
    chunks.push(chunk);
    // Leaving the loop cancels the rest of the body.
    if (size >= mostBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, mostBytes);
}

function parseRetryAfter(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) * 1000 : undefined;
}
