import { randomUUID } from 'node:crypto';
import { createServer as createNodeServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  createMcpHandler,
  INVALID_REQUEST,
  isLegacyRequest,
  type McpHttpHandler,
  type McpServer,
  PARSE_ERROR,
} from '@modelcontextprotocol/server';
import { Failure, systemCode, systemReason } from '../platform/errors.ts';
import { isJsonObject } from '../platform/json.ts';
import { type Logger, traceFields, withLogFields } from '../platform/log.ts';
import { bearerToken, type Gatekeeper, sameSecret, toAuthInfo } from './auth.ts';
import {
  crossOriginHeaders,
  type Guests,
  isMetadataPath,
  preflight,
  REFUSED,
  refuseScope,
  refuseStranger,
  resourceMetadata,
  unauthorized,
} from './door.ts';
import { type Body, readJson, refusal, sendResponse, toWebRequest } from './exchange.ts';
import { LARGEST_MESSAGE_BYTES } from './lines.ts';
import type { Metrics } from './metrics.ts';
import type { Offer } from './offer.ts';
import type { CallWatch } from './server.ts';
import { legacySessions, type Sessions } from './sessions.ts';

const MOST_CONNECTIONS = 2000;
const HEADERS_WITHIN_MS = 10_000;
const REQUEST_WITHIN_MS = 60_000;

interface HttpOptions {
  host: string;
  port: number;
  guests: Guests;
  gatekeeper: Gatekeeper;
  /** The address by which strangers know this server; tokens are issued for it. */
  resource?: URL | undefined;
  /** What a request is offered. Throws a Failure where it asks for what is not there. */
  offerFor(request: Request): Offer;
  createServer(offer: Offer, watch: CallWatch): McpServer;
  /** Tool calls at a time; more are told to come back. */
  mostCalls: number;
  metrics: Metrics;
  /** Who may read the metrics, beside a caller on this machine when there is no issuer. */
  metricsToken?: string | undefined;
  log: Logger;
}

export interface HttpServed {
  url: string;
  handler: McpHttpHandler;
  sessions: Sessions;
  /** Takes no more work, and waits until what is under way is done, or the time is up. */
  drain(withinMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Streamable HTTP for both protocol eras, on `/mcp`. */
export async function serveHttp(options: HttpOptions): Promise<HttpServed> {
  const { gatekeeper, resource, metrics, log } = options;
  const servers = new WeakMap<Request, () => McpServer>();
  const serverFor = (request: Request | undefined): McpServer => {
    const create = request && servers.get(request);
    if (!create) throw new Error('a server was wanted for a request that never came in');
    return create();
  };
  const handler = createMcpHandler(({ requestInfo }) => serverFor(requestInfo), {
    onerror: (error) => log.debug({ err: error }, 'refused a message'),
  });
  const sessions = legacySessions(serverFor);
  const calls = callCounter(options.mostCalls, metrics);
  let draining = false;

  async function answer(request: IncomingMessage, signal: AbortSignal): Promise<Response> {
    if (draining)
      return refusal(503, REFUSED, 'The server is shutting down.', { 'retry-after': '5', connection: 'close' });
    // Probes come by whatever address the machine has, and learn nothing but that it lives.
    const isProbe = request.url === '/healthz' || request.url === '/readyz';
    const stranger = isProbe ? undefined : refuseStranger(request.headers, options.guests);
    if (stranger) return stranger;
    if (request.method === 'OPTIONS') return preflight();
    const web = toWebRequest(request, signal);
    if (!web) return refusal(400, INVALID_REQUEST, 'The request line or the Host header makes no address.');
    switch (new URL(web.url).pathname) {
      case '/mcp':
        return answerMcp(request, web);
      case '/healthz':
        return Response.json({ status: 'ok' });
      case '/readyz':
        return readiness();
      case '/metrics':
        return showMetrics(request);
    }
    if (resource && isMetadataPath(new URL(web.url).pathname, resource))
      return resourceMetadata(resource, gatekeeper.issuers, options.offerFor(web));
    return refusal(404, REFUSED, 'Not found. The MCP endpoint is /mcp.');
  }

  async function answerMcp(request: IncomingMessage, web: Request): Promise<Response> {
    const authentication = await gatekeeper.authenticate(request.headers.authorization);
    if (!authentication.ok) return unauthorized(resource, authentication);
    const { caller } = authentication;
    const offer = options.offerFor(web);
    const body = await readJson(request, LARGEST_MESSAGE_BYTES);
    const refused = refuseBody(web, body);
    if (refused) return refused;
    const message = body.kind === 'json' ? body.json : undefined;
    const forbidden = refuseScope(message, offer, caller, resource);
    if (forbidden) return forbidden;

    servers.set(web, () => options.createServer(offer, calls));
    const authInfo = toAuthInfo(caller);
    const parsed = message === undefined ? {} : { parsedBody: message };
    const dispatch = async () => {
      if (!(await isLegacyRequest(web, message))) return handler.fetch(web, { authInfo, ...parsed });
      return (await sessions.handle(web, message, caller)) ?? handler.fetch(web, { authInfo, ...parsed });
    };
    return isCall(message) ? calls.during(web, dispatch) : dispatch();
  }

  async function readiness(): Promise<Response> {
    const ready = await gatekeeper.ready();
    return Response.json(
      { status: ready ? 'ready' : 'the issuer of the tokens cannot be reached' },
      { status: ready ? 200 : 503 },
    );
  }

  async function showMetrics({ headers }: IncomingMessage): Promise<Response> {
    const { metricsToken } = options;
    const given = bearerToken(headers.authorization) ?? '';
    const allowed = metricsToken ? sameSecret(given, metricsToken) : gatekeeper.issuers.length === 0;
    if (!allowed) return refusal(404, REFUSED, 'Not found. The MCP endpoint is /mcp.');
    const { type, text } = await metrics.render();
    return new Response(text, { headers: { 'content-type': type } });
  }

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const requestId = requestIdOf(request);
    const headers = { ...crossOriginHeaders(request.headers), 'x-request-id': requestId };
    response.on('finish', () => metrics.answered(response.statusCode));
    await withLogFields({ requestId, ...traceFields(request.headers['traceparent']) }, async () => {
      try {
        await sendResponse(await answer(request, gone.signal), response, headers);
      } catch (error) {
        if (gone.signal.aborted) return;
        if (response.headersSent) response.destroy();
        else await sendResponse(answerToError(error, requestId, log), response, headers);
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
    // Whatever goes wrong with one caller's connection ends that connection, and nothing else.
    (request, response) => void exchange(request, response).catch(() => response.destroy()),
  );
  node.maxConnections = MOST_CONNECTIONS;
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
    node.listen(port, host, () => resolve());
  });
  const address = node.address();
  const actualPort = typeof address === 'object' && address ? address.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}/mcp`;
}

function cannotListen(error: Error, host: string, port: number): Failure {
  const reason = systemCode(error) === 'EADDRINUSE' ? `port ${port} is taken` : systemReason(error);
  const message = `Cannot listen on ${host}: ${reason}. Choose another with --port; 0 takes a free one.`;
  return new Failure('configuration', 'CANNOT_LISTEN', message, {}, { cause: error });
}

function answerToError(error: unknown, requestId: string, log: Logger): Response {
  if (error instanceof Failure && error.kind === 'unavailable') {
    log.warn({ err: error }, 'unavailable');
    return refusal(503, REFUSED, error.message, { 'retry-after': '5' });
  }
  if (error instanceof Failure) return refusal(400, INVALID_REQUEST, error.message);
  log.error({ err: error }, 'an HTTP exchange failed');
  return refusal(500, -32603, `Internal error. The log has the details under the request id ${requestId}.`);
}

function refuseBody({ method }: Request, body: Body): Response | undefined {
  if (body.kind === 'too-large')
    return refusal(413, REFUSED, `A message may have at most ${LARGEST_MESSAGE_BYTES} bytes.`, { connection: 'close' });
  if (body.kind === 'not-json' || (body.kind === 'empty' && method === 'POST'))
    return refusal(400, PARSE_ERROR, 'Parse error: the body must be one JSON-RPC message.');
  // Each message is checked by itself, so there must be only one.
  if (body.kind === 'json' && Array.isArray(body.json))
    return refusal(400, INVALID_REQUEST, 'Invalid Request: batches are not supported.');
  return undefined;
}

const isCall = (message: unknown) => isJsonObject(message) && message['method'] === 'tools/call';

/** A caller's own id is kept if it is harmless in a log. */
function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID();
}

/**
 * Tool calls under way. A call lasts until its answer has been sent or its caller has gone, and as long as its tool works:
 * in the 2025 revisions a caller who goes does not end it.
 */
function callCounter(most: number, metrics: Metrics) {
  const places = new WeakMap<Request, { holders: number }>();
  let underWay = 0;
  let whenIdle: (() => void) | undefined;
  const count = (change: 1 | -1) => {
    underWay += change;
    metrics.callsInFlight(change);
    if (underWay === 0) whenIdle?.();
  };
  const hold = (place: { holders: number }) => {
    if (++place.holders === 1) count(1);
    return () => void (--place.holders === 0 && count(-1));
  };
  return {
    async during(request: Request, dispatch: () => Promise<Response>): Promise<Response> {
      if (underWay >= most)
        return refusal(503, REFUSED, `All ${most} places for calls are taken.`, { 'retry-after': '1' });
      const place = { holders: 0 };
      places.set(request, place);
      const release = hold(place);
      // The exchange aborts this when the response is closed, sent to its end or not.
      if (request.signal.aborted) release();
      else request.signal.addEventListener('abort', release, { once: true });
      return dispatch();
    },
    async working<Result>(request: Request | undefined, work: () => Promise<Result>): Promise<Result> {
      const release = hold((request && places.get(request)) ?? { holders: 0 });
      try {
        return await work();
      } finally {
        release();
      }
    },
    async idle(withinMs: number): Promise<void> {
      if (underWay === 0) return;
      const timer = Promise.withResolvers<void>();
      whenIdle = timer.resolve;
      const timeout = setTimeout(timer.resolve, withinMs);
      await timer.promise;
      clearTimeout(timeout);
    },
  };
}
