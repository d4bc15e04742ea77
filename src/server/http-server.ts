import { randomUUID } from 'node:crypto';
import { createServer as createNodeServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  createMcpHandler,
  INVALID_REQUEST,
  isLegacyRequest,
  type McpHttpHandler,
  type McpServer,
} from '@modelcontextprotocol/server';
import { Failure, systemCode, systemReason } from '../platform/errors.ts';
import { isJsonObject } from '../platform/json.ts';
import { type Logger, traceFields, withLogFields } from '../platform/log.ts';
import { ownerKey, type Principal } from '../platform/principal.ts';
import { collectIds } from '../tool/audit.ts';
import { createAdmission } from './admission.ts';
import { type Authenticator, bearerToken, callerKey, isSameSecret, toAuthInfo } from './auth.ts';
import { createCallSlots } from './call-slots.ts';
import { limitConnections } from './connections.ts';
import { createLegacySessions, type LegacySessions } from './legacy-sessions.ts';
import type { CallTracker } from './mcp-server.ts';
import type { Metrics } from './metrics.ts';
import { createRequestLimiter, type RateRefusal, steadyNow } from './rate-limits.ts';
import { hasLongUnreadBody, readMessage, refuseTinyChunks } from './request-body.ts';
import {
  type AllowedHosts,
  checkHostAndOrigin,
  checkScope,
  crossOriginHeaders,
  isMetadataPath,
  preflightResponse,
  resourceMetadataResponse,
  unauthorizedResponse,
} from './request-guard.ts';
import type { ServedSurface } from './served-surface.ts';
import { REFUSED_CODE, refusalResponse, sendResponse, toWebRequest } from './web-exchange.ts';

const MOST_CONNECTIONS = 2000;
/** Connections that wait for `accept`. The system drops one more, and its client tries again after a second. */
const MOST_WAITING_CONNECTIONS = 4096;
const HEADERS_WITHIN_MS = 10_000;
const REQUEST_WITHIN_MS = 60_000;
const READ_WITHIN_MS = 60_000;

interface HttpServerOptions {
  host: string;
  port: number;
  allowed: AllowedHosts;
  authenticator: Authenticator;
  /** Public URL of this server; tokens are issued for it. */
  resource?: URL | undefined;
  /** The served surface of a request. Throws a `Failure` when the request selects an unknown tool or toolset. */
  surfaceFor(request: Request): ServedSurface;
  createServer(surface: ServedSurface, watch: CallTracker): McpServer;
  /** Concurrent tool calls; more are refused. With a token issuer one owner gets at most half of them. */
  mostCalls: number;
  /** Largest message in bytes. */
  largestMessageBytes: number;
  /** Requests of any kind per caller and hour. */
  requestsPerHour: number;
  mostConnections?: number;
  /** Closes a connection whose client reads nothing of a response for this long. */
  readWithinMs?: number;
  metrics: Metrics;
  /** Bearer token for `/metrics`. Without one, metrics are public if there is no issuer, and hidden otherwise. */
  metricsToken?: string | undefined;
  log: Logger;
}

/** Outcomes of refused requests in the log, by status. */
const REFUSALS: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  413: 'TOO_LARGE',
  429: 'LIMIT_EXCEEDED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

/** One request with its response. The signal is aborted when the response is closed, complete or not. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  signal: AbortSignal;
  /** What is known about the request, for the log line of a refusal. */
  facts: { principal?: Principal; reason?: string; tool?: string; ids?: ReturnType<typeof collectIds> };
}

export interface RunningHttpServer {
  url: string;
  handler: McpHttpHandler;
  sessions: LegacySessions;
  /** Accepts no more requests, and waits for running calls up to the time limit. */
  drain(withinMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Serves Streamable HTTP for both protocol eras on `/mcp`. */
export async function serveHttp(options: HttpServerOptions): Promise<RunningHttpServer> {
  const { authenticator, resource, metrics, log } = options;
  const servers = new WeakMap<Request, () => McpServer>();
  const serverFor = (request: Request | undefined): McpServer => {
    const create = request && servers.get(request);
    if (!create) throw new Error('no server is registered for this request');
    return create();
  };
  const handler = createMcpHandler(({ requestInfo }) => serverFor(requestInfo), {
    onerror: (error) => log.debug({ err: error }, 'message refused'),
  });
  const sessions = createLegacySessions(serverFor);
  const hasTenants = authenticator.issuers.length > 0;
  const mostOfOneOwner = hasTenants ? Math.ceil(options.mostCalls / 2) : options.mostCalls;
  const calls = createCallSlots({ most: options.mostCalls, mostOfOneOwner, metrics });
  const admission = createAdmission(calls);
  const requestLimiter = createRequestLimiter({ perHour: options.requestsPerHour, now: steadyNow });
  let draining = false;

  async function answer(exchanged: Exchange): Promise<Response> {
    const { request, signal } = exchanged;
    if (draining)
      return refusalResponse(503, REFUSED_CODE, 'The server is shutting down.', {
        'retry-after': '5',
        connection: 'close',
      });
    if (request.method === 'OPTIONS') return preflightResponse();
    const web = toWebRequest(request, signal);
    if (!web) return refusalResponse(400, INVALID_REQUEST, 'The request line and the Host header are no valid URL.');
    switch (new URL(web.url).pathname) {
      case '/mcp':
        return answerMcp(exchanged, web);
      case '/healthz':
        return Response.json({ status: 'ok' });
      case '/readyz':
        return readiness();
      case '/metrics':
        return showMetrics(request);
    }
    if (resource && isMetadataPath(new URL(web.url).pathname, resource))
      return resourceMetadataResponse(resource, authenticator.issuers, options.surfaceFor(web));
    return refusalResponse(404, REFUSED_CODE, 'Not found. The MCP endpoint is /mcp.');
  }

  async function answerMcp({ request, response, signal, facts }: Exchange, web: Request): Promise<Response> {
    const authentication = await authenticator.authenticate(request.headers.authorization);
    if (!authentication.ok) {
      if (authentication.description) facts.reason = authentication.description;
      return unauthorizedResponse(resource, authentication);
    }
    const { caller } = authentication;
    facts.principal = caller.principal;
    connections.authenticated(request.socket, signal);
    const limited = requestLimiter.admit(callerKey(caller));
    if (limited) return rateLimitResponse(limited);
    const owner = ownerKey(caller.principal);
    const admitted = admission.admit(owner, signal);
    if (admitted instanceof Response) return admitted;
    const surface = options.surfaceFor(web);
    const body = await readMessage(request, {
      largestBytes: options.largestMessageBytes,
      admit: admitted.admitBytes,
      proceed: () => void (request.headers.expect && response.writeContinue()),
      turn: admission.parseTurn,
    }).finally(admitted.bodyRead);
    if ('refused' in body) return body.refused;
    const { message } = body;
    const called = calledTool(message);
    if (called && surface.tools.has(called.name)) facts.tool = called.name;
    facts.ids = collectIds(called?.args);
    const forbidden = checkScope(message, surface, caller, resource);
    if (forbidden) return forbidden;

    servers.set(web, () => options.createServer(surface, calls));
    const authInfo = toAuthInfo(caller);
    const parsed = message === undefined ? {} : { parsedBody: message };
    const dispatch = async () => {
      if (!(await isLegacyRequest(web, message))) return handler.fetch(web, { authInfo, ...parsed });
      return (await sessions.handle(web, message, caller)) ?? handler.fetch(web, { authInfo, ...parsed });
    };
    return called ? calls.during(web, owner, dispatch) : dispatch();
  }

  async function readiness(): Promise<Response> {
    const ready = await authenticator.ready();
    return Response.json(
      { status: ready ? 'ready' : 'the token issuer cannot be reached' },
      { status: ready ? 200 : 503 },
    );
  }

  async function showMetrics({ headers }: IncomingMessage): Promise<Response> {
    const { metricsToken } = options;
    const presented = bearerToken(headers.authorization) ?? '';
    const allowed = metricsToken ? isSameSecret(presented, metricsToken) : authenticator.issuers.length === 0;
    if (!allowed) return refusalResponse(404, REFUSED_CODE, 'Not found. The MCP endpoint is /mcp.');
    const { type, text } = await metrics.render();
    return new Response(text, { headers: { 'content-type': type } });
  }

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers['transfer-encoding']) refuseTinyChunks(request);
    const closed = new AbortController();
    response.on('close', () => closed.abort());
    // A connection without unsent bytes may be idle for longer: a call runs, or a stream waits for events.
    response.setTimeout(options.readWithinMs ?? READ_WITHIN_MS, () => {
      if (request.socket.writableLength > 0) request.socket.destroy();
    });
    const requestId = requestIdOf(request);
    // Probes may use any address of the machine, and learn only that the server runs.
    const isProbe = request.url === '/healthz' || request.url === '/readyz';
    const stranger = isProbe ? undefined : checkHostAndOrigin(request, options.allowed);
    const headers = {
      ...(!isProbe && !stranger && crossOriginHeaders(request.headers)),
      'x-request-id': requestId,
    };
    response.on('finish', () => metrics.answered(response.statusCode));
    await withLogFields({ requestId, ...traceFields(request.headers['traceparent']) }, async () => {
      const facts: Exchange['facts'] = {};
      const logRefusal = ({ status }: Response) => {
        if (status >= 400 && !isProbe)
          log.info({ outcome: REFUSALS[status] ?? 'REFUSED', status, ...facts }, 'request refused');
      };
      try {
        const answered = stranger ?? (await answer({ request, response, signal: closed.signal, facts }));
        logRefusal(answered);
        const close = hasLongUnreadBody(request) && { connection: 'close' };
        await sendResponse(answered, response, { ...headers, ...close });
      } catch (error) {
        if (closed.signal.aborted) return;
        if (response.headersSent) return void response.destroy();
        const answered = errorResponse(error, requestId, log);
        logRefusal(answered);
        await sendResponse(answered, response, headers);
      }
    });
  }

  const node = createNodeServer(
    {
      maxHeaderSize: 16_384,
      headersTimeout: HEADERS_WITHIN_MS,
      connectionsCheckingInterval: 5000,
      requestTimeout: REQUEST_WITHIN_MS,
      keepAliveTimeout: 10_000,
    },
    // An error in one exchange closes only its own connection.
    (request, response) => void exchange(request, response).catch(() => response.destroy()),
  );
  // The body is requested once it is admitted.
  node.on('checkContinue', (request, response) => node.emit('request', request, response));
  const connections = limitConnections(node, options.mostConnections ?? MOST_CONNECTIONS);
  const url = await listen(node, options.host, options.port);
  return {
    url,
    handler,
    sessions,
    async drain(withinMs) {
      draining = true;
      node.close();
      node.closeIdleConnections();
      await calls.idle(withinMs);
    },
    async close() {
      draining = true;
      node.close();
      await Promise.all([handler.close(), sessions.close()]);
      node.closeAllConnections();
    },
  };
}

async function listen(node: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    node.once('error', (error) => reject(cannotListen(error, host, port)));
    node.listen({ port, host, backlog: MOST_WAITING_CONNECTIONS }, () => resolve());
  });
  const address = node.address();
  const actualPort = typeof address === 'object' && address ? address.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}/mcp`;
}

function cannotListen(error: Error, host: string, port: number): Failure {
  const reason = systemCode(error) === 'EADDRINUSE' ? `port ${port} is in use` : systemReason(error);
  const message = `Cannot listen on ${host}: ${reason}. Choose another port with --port; 0 selects a free one.`;
  return new Failure('configuration', 'CANNOT_LISTEN', message, {}, { cause: error });
}

function errorResponse(error: unknown, requestId: string, log: Logger): Response {
  if (error instanceof Failure && error.kind === 'unavailable') {
    log.warn({ err: error }, 'service unavailable');
    return refusalResponse(503, REFUSED_CODE, error.remoteMessage, { 'retry-after': '5' });
  }
  if (error instanceof Failure) return refusalResponse(400, INVALID_REQUEST, error.remoteMessage);
  log.error({ err: error }, 'unhandled error in http exchange');
  return refusalResponse(500, -32603, `Internal error. The server log has the details under request id ${requestId}.`);
}

function rateLimitResponse(limited: RateRefusal): Response {
  const message = `${limited.message}: ${limited.limit} an hour. Try again in ${limited.retry_after_seconds} s.`;
  return refusalResponse(429, REFUSED_CODE, message, { 'retry-after': `${limited.retry_after_seconds}` }, limited);
}

function calledTool(message: unknown): { name: string; args: unknown } | undefined {
  if (!isJsonObject(message) || message['method'] !== 'tools/call') return undefined;
  const params = isJsonObject(message['params']) ? message['params'] : {};
  return { name: String(params['name']), args: params['arguments'] };
}

/** Keeps the caller's request id if it is safe in a log. */
function requestIdOf({ headers }: IncomingMessage): string {
  const presented = headers['x-request-id'];
  return typeof presented === 'string' && /^[\w.:-]{1,64}$/.test(presented) ? presented : randomUUID();
}
