import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/**
 * The web-standard request behind a Node one, if it can be one. The body stays behind: it is read once, by `readJson`.
 */
export function toWebRequest(request: IncomingMessage, signal: AbortSignal): Request | undefined {
  const headers = new Headers();
  for (const [name, values] of Object.entries(request.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  const url = URL.parse(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`);
  const hasCredentials = `${url?.username}${url?.password}` !== '';
  if (!url || hasCredentials || ['TRACE', 'CONNECT'].includes(request.method ?? '')) return undefined;
  return new Request(url, { method: request.method ?? 'GET', headers, signal });
}

export type Body = { kind: 'json'; json: unknown } | { kind: 'empty' } | { kind: 'not-json' } | { kind: 'too-large' };

/** Reads a body of at most `limit` bytes; what is longer is not kept. */
export async function readJson(request: IncomingMessage, limit: number): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return { kind: 'too-large' };
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > limit) return { kind: 'too-large' };
    parts.push(part);
  }
  if (bytes === 0) return { kind: 'empty' };
  try {
    return { kind: 'json', json: JSON.parse(Buffer.concat(parts).toString('utf8')) };
  } catch {
    return { kind: 'not-json' };
  }
}

/** No page may frame, sniff or keep what this server says. */
const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Sends a web-standard response, streaming its body as it comes. */
export async function sendResponse(
  response: Response,
  to: ServerResponse,
  extra: Record<string, string>,
): Promise<void> {
  to.writeHead(response.status, { ...SECURITY_HEADERS, ...Object.fromEntries(response.headers), ...extra });
  if (response.body === null) to.end();
  else {
    to.flushHeaders();
    await pipeline(response.body, to);
  }
}

/** A refusal before the protocol begins, in the form that MCP clients can show. */
export function refusal(status: number, code: number, message: string, headers: Record<string, string> = {}): Response {
  // The specifications name these two; everything else is said by the status alone.
  const word = status === 401 ? 'UNAUTHORIZED' : status === 403 ? 'FORBIDDEN' : undefined;
  const error = { code, message, ...(word && { data: { error: word, message, details: {} } }) };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status, headers });
}
