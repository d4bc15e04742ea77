import { createServer as createNodeServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  createMcpHandler,
  INVALID_REQUEST,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpHttpHandler,
  type McpServer,
  PARSE_ERROR,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import { Failure, systemCode, systemReason } from '../platform/errors.ts';
import type { Logger } from '../platform/log.ts';
import type { Authenticate } from './auth.ts';
import { type Body, readJson, refusal, sendResponse, toWebRequest } from './exchange.ts';
import { LARGEST_MESSAGE_BYTES } from './lines.ts';
import { legacySessions, type Sessions } from './sessions.ts';

const REFUSED = -32000;

interface HttpOptions {
  host: string;
  port: number;
  authenticate: Authenticate;
  /**
   * What a request is served by: a maker of servers, one for each request (2026) or session (2025). Throws a Failure
   * where the request asks for what is not there.
   */
  serverFor(request: Request): () => McpServer;
  log: Logger;
}

export interface HttpServed {
  url: string;
  handler: McpHttpHandler;
  sessions: Sessions;
  close(): Promise<void>;
}

/** Streamable HTTP for both protocol eras, on `/mcp`, for callers on this machine. */
export async function serveHttp({ host, port, authenticate, serverFor, log }: HttpOptions): Promise<HttpServed> {
  const handler = createMcpHandler(({ requestInfo }) => serverFor(requestInfo ?? new Request('http://localhost'))(), {
    onerror: (error) => log.debug({ err: error }, 'refused a message'),
  });
  const sessions = legacySessions((request) => serverFor(request)());

  async function answer(request: IncomingMessage, signal: AbortSignal): Promise<Response> {
    const stranger = refuseStranger(request);
    if (stranger) return stranger;
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/healthz') return Response.json({ status: 'ok' });
    if (pathname !== '/mcp') return refusal(404, REFUSED, 'Not found. The MCP endpoint is /mcp.');
    const authInfo = await authenticate(request.headers.authorization);
    if (!authInfo) return unauthorized();

    const web = toWebRequest(request, signal);
    serverFor(web);
    const body = await readJson(request, LARGEST_MESSAGE_BYTES);
    const bad = refuseBody(web, body);
    if (bad) return bad;
    const parsed = body.kind === 'json' ? { parsedBody: body.json } : {};
    if (!(await isLegacyRequest(web, parsed.parsedBody))) return handler.fetch(web, { authInfo, ...parsed });
    return (await sessions.handle(web, parsed.parsedBody, authInfo)) ?? handler.fetch(web, { authInfo, ...parsed });
  }

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    try {
      await sendResponse(await answer(request, gone.signal), response);
    } catch (error) {
      if (gone.signal.aborted) return;
      if (error instanceof Failure) return sendResponse(refusal(400, INVALID_REQUEST, error.message), response);
      log.error({ err: error }, 'an HTTP exchange failed');
      if (response.headersSent) response.destroy();
      else await sendResponse(refusal(500, -32603, 'Internal error.'), response);
    }
  }

  const node = createNodeServer((request, response) => void exchange(request, response));
  await new Promise<void>((resolve, reject) => {
    node.once('error', (error) => reject(cannotListen(error, host, port)));
    node.listen(port, host, () => resolve());
  });
  const address = node.address();
  const actualPort = typeof address === 'object' && address ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}/mcp`,
    handler,
    sessions,
    async close() {
      node.close();
      await Promise.all([handler.close(), sessions.close()]);
      node.closeAllConnections();
    },
  };
}

function cannotListen(error: Error, host: string, port: number): Failure {
  const reason = systemCode(error) === 'EADDRINUSE' ? `port ${port} is taken` : systemReason(error);
  const message = `Cannot listen on ${host}: ${reason}. Choose another with --port; 0 takes a free one.`;
  return new Failure('configuration', 'CANNOT_LISTEN', message, {}, { cause: error });
}

/** A page that a browser was lured to must not reach the server, whichever name it gave to this machine. */
function refuseStranger({ headers }: IncomingMessage): Response | undefined {
  const host = validateHostHeader(headers.host, localhostAllowedHostnames());
  if (!host.ok) return refusal(403, REFUSED, host.message);
  const origin = validateOriginHeader(headers.origin, localhostAllowedOrigins());
  if (!origin.ok) return refusal(403, REFUSED, origin.message);
  return undefined;
}

function unauthorized(): Response {
  const message = 'Unauthorized. Send the token that the server printed at its start: "Authorization: Bearer <token>".';
  return refusal(401, REFUSED, message, { 'www-authenticate': 'Bearer realm="assay"' });
}

function refuseBody({ method }: Request, body: Body): Response | undefined {
  if (body.kind === 'too-large')
    return refusal(413, REFUSED, `A message may have at most ${LARGEST_MESSAGE_BYTES} bytes.`, { connection: 'close' });
  if (body.kind === 'not-json' || (body.kind === 'empty' && method === 'POST'))
    return refusal(400, PARSE_ERROR, 'Parse error: the body must be one JSON-RPC message.');
  return undefined;
}
