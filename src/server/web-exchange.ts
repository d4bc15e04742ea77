import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/**
 * Converts a Node request to a web-standard one without its body, which `readMessage` reads. Returns undefined when the
 * request target and the Host header are no valid URL, or name different hosts.
 */
export function toWebRequest(request: IncomingMessage, signal: AbortSignal): Request | undefined {
  const headers = new Headers();
  for (const [name, values] of Object.entries(request.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  const host = request.headers.host ?? 'localhost';
  const url = URL.parse(request.url ?? '/', `http://${host}`);
  const hasCredentials = `${url?.username}${url?.password}` !== '';
  if (!url || hasCredentials || ['TRACE', 'CONNECT'].includes(request.method ?? '')) return undefined;
  if (url.hostname !== URL.parse(`http://${host}`)?.hostname) return undefined;
  return new Request(url, { method: request.method ?? 'GET', headers, signal });
}

/** Prevent framing, MIME sniffing and caching of responses. */
const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Sends a web-standard response and streams its body. */
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

/** JSON-RPC error code of refusals without a code in the protocol. */
export const REFUSED_CODE = -32000;

/** Creates a refusal as a JSON-RPC error, which MCP clients can show. */
export function refusalResponse(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
  facts?: object,
): Response {
  // The specifications name codes for these two statuses; a limit adds its own facts.
  const word = status === 401 ? 'UNAUTHORIZED' : status === 403 ? 'FORBIDDEN' : undefined;
  const data = word ? { error: word, message, details: {} } : facts;
  const error = { code, message, ...(data && { data }) };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status, headers });
}
