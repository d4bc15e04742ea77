import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { BrowserContext, BrowserContextOptions } from 'playwright-core';

const NO_PEER_CONNECTIONS =
  "for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection']) Object.defineProperty(globalThis, name, { value: undefined })";

export interface GuardProxy {
  server: string;
  /** Hosts that were requested and refused. */
  refused: Set<string>;
  close(): void;
}

/**
 * Starts the egress proxy of guarded contexts. Playwright routes miss the second hop of a redirect, workers and sockets;
 * a proxy sees all of them. `lookup` returns only checked addresses, so that a name cannot change its address between the
 * check and the connection.
 */
export async function startGuardProxy(
  check: (url: string) => Promise<void>,
  lookup?: LookupFunction,
): Promise<GuardProxy> {
  const refused = new Set<string>();
  const sockets = new Set<Duplex>();

  async function isAllowed(url: string): Promise<boolean> {
    try {
      await check(url);
      return true;
    } catch {
      refused.add(URL.parse(url)?.host ?? url);
      return false;
    }
  }

  const server = createServer((incoming, outgoing) => {
    forward(incoming, outgoing, isAllowed, lookup).catch(() => outgoing.destroy());
  });
  server.on('connect', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    tunnel(incoming.url ?? '', socket, head, isAllowed, lookup).catch(() => socket.destroy());
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    server: `http://127.0.0.1:${listeningPort(server.address())}`,
    refused,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Context options that send every request through the proxy. Browsers bypass proxies for loopback unless told otherwise. */
export function proxyContextOptions(server: string): Pick<BrowserContextOptions, 'proxy'> {
  return { proxy: { server, bypass: '<-loopback>' } };
}

/** WebRTC packets bypass the proxy, so guarded pages get no peer connections. */
export async function forbidPeerConnections(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: NO_PEER_CONNECTIONS });
}

/** `file:` URLs need no network, so the proxy cannot stop them. Pages cannot open them, but a caller's URL could. */
export async function forbidFiles(context: BrowserContext): Promise<void> {
  await context.route(/^file:/i, (route) => route.abort('blockedbyclient'));
}

type IsAllowed = (url: string) => Promise<boolean>;

async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  isAllowed: IsAllowed,
  lookup: LookupFunction | undefined,
): Promise<void> {
  const url = URL.parse(incoming.url ?? '');
  if (url?.protocol !== 'http:' || !(await isAllowed(url.href))) {
    outgoing.writeHead(403, { 'content-type': 'text/plain', 'x-assay-refused': 'address' });
    outgoing.end('This address is not allowed.');
    return;
  }
  const { 'proxy-connection': _, ...headers } = incoming.headers;
  const onward = request(url, { method: incoming.method, headers, ...(lookup && { lookup }) }, (answer) => {
    relayResponse(answer, outgoing);
  });
  onward.on('error', () => outgoing.destroy());
  // Plain requests never upgrade: sockets use CONNECT.
  onward.on('upgrade', () => outgoing.destroy());
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
}

/** A malformed response (status 0, impossible trailers) closes only its own connection. */
function relayResponse(answer: IncomingMessage, outgoing: ServerResponse): void {
  const { trailer: _, ...headers } = answer.headers;
  try {
    outgoing.writeHead(answer.statusCode ?? 502, headers);
  } catch {
    answer.destroy();
    outgoing.destroy();
    return;
  }
  answer.on('error', () => outgoing.destroy());
  answer.pipe(outgoing);
}

async function tunnel(
  authority: string,
  socket: Duplex,
  head: Buffer,
  isAllowed: IsAllowed,
  lookup: LookupFunction | undefined,
): Promise<void> {
  socket.on('error', () => socket.destroy());
  const url = URL.parse(`https://${authority}`);
  if (!url || !(await isAllowed(url.href))) {
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    return;
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const onward = connect({ port: Number(url.port || 443), host, ...(lookup && { lookup }) }, () => {
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    onward.write(head);
    onward.pipe(socket);
    socket.pipe(onward);
  });
  onward.on('error', () => socket.destroy());
  onward.on('close', () => socket.destroy());
  socket.on('close', () => onward.destroy());
}

function listeningPort(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return address.port;
}
