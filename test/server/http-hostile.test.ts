import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { RunningHttpServer } from '../../src/server/http-server.ts';
import { createRequestLimiter } from '../../src/server/rate-limits.ts';
import { createEchoSurface, type Run } from '../support/server/echo.ts';
import { byName, serveSurface } from '../support/server/in-process.ts';

const echo: Run = async ({ text }) => ({ said: text });
const sockets: Socket[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Sends bytes as they are, and gives the connection. */
async function open({ url }: RunningHttpServer, ...parts: (string | Uint8Array)[]): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  for (const part of parts) socket.write(part);
  return socket;
}

/** The first bytes of the answer. */
async function answerOn(socket: Socket): Promise<string> {
  const [bytes] = await once(socket, 'data');
  return String(bytes);
}

const head = (caller: string, ...headers: string[]) =>
  [
    'POST /mcp HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${caller}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    ...headers,
    '',
    '',
  ].join('\r\n');

function post(
  { url }: RunningHttpServer,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) {
  return fetch(url, {
    method: 'POST',
    headers: {
      authorization: 'Bearer alice',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  });
}

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
const call = (text: unknown) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'say', arguments: { text } } });
const message = (method: string, params = {}) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const complete = (ref: object) => message('completion/complete', { ref, argument: { name: 'a', value: '' } });
const long = 'x'.repeat(1_000_000);
const isHealthy = async ({ url }: RunningHttpServer) => (await fetch(new URL('/healthz', url))).status === 200;

describe('a message', () => {
  const keys = `{${Array.from({ length: 250_000 }, (_, i) => `"k${i}":1`).join(',')}}`;
  const cases: [string, string | Uint8Array<ArrayBuffer>, number, RegExp][] = [
    ['of deep arrays', `${'['.repeat(1_500_000)}${']'.repeat(1_500_000)}`, 400, /nested at most 72 deep/],
    ['of deep objects', `${'{"a":'.repeat(500_000)}1${'}'.repeat(500_000)}`, 400, /nested at most 72 deep/],
    ['of 250,000 keys', keys, 400, /at most 21000 values/],
    ['with 250,000 keys in its arguments', call(JSON.parse(keys)), 400, /at most 21000 values/],
    ['of 2,000,000 numbers', `[${'1,'.repeat(1_999_999)}1]`, 400, /at most 21000 values/],
    ['that is a batch', `[${list}]`, 400, /batches are not supported/],
    ['that is not UTF-8', new Uint8Array(1_000_000).fill(0xf0), 400, /one JSON-RPC message in UTF-8/],
    ['with a byte order mark', `\uFEFF${list}`, 400, /Parse error/],
    ['of more than 4 MiB', call('x'.repeat(4 * 1024 * 1024)), 413, /--max-message-bytes/],
    ['that is nothing but whitespace', ' '.repeat(3_000_000), 400, /Parse error/],
    ['that is empty', '', 400, /Parse error/],
    ['that is a number of 3 million digits', '9'.repeat(3_000_000), 400, /"jsonrpc"/],
    [
      'with a name of 3 million characters',
      call('').replace('say', 'x'.repeat(3_000_000)),
      400,
      /params\.name may have at most 1024 characters; this one has 3000000/,
    ],
    ['with a method of 1 million characters', message('x'.repeat(1_000_000)), 400, / method may have at most 1024 /],
    [
      'with an id of 1 million characters',
      list.replace('1,', `"${'x'.repeat(1_000_000)}",`),
      400,
      / id may have at most/,
    ],
    [
      'with a URI of 8193 characters',
      message('resources/read', { uri: 'x'.repeat(8193) }),
      400,
      /params\.uri .* 8192 /,
    ],
    [
      'with a long reference to a prompt',
      complete({ type: 'ref/prompt', name: long }),
      400,
      /params\.ref\.name .* 1024 /,
    ],
    ['with a long reference to a resource', complete({ type: 'ref/resource', uri: long }), 400, /ref\.uri .* 8192 /],
    ['with an unknown prompt', message('prompts/get', { name: '"'.repeat(1024) }), 200, /Prompt .*….{2} not found/],
    [
      'with an unknown template',
      complete({ type: 'ref/resource', uri: 'x'.repeat(8192) }),
      200,
      /No resource template x{200}…/,
    ],
    ['with an argument of 3 million characters', call('\u0000'.repeat(500_000)), 200, /INVALID|INTERNAL|said/],
    ['whose wrong argument is large', call(['x'.repeat(900_000)]), 200, /expected string, got/],
  ];
  test.each(cases)('%s gets a short response', async (_what, body, status, text) => {
    const served = await serveSurface(await createEchoSurface(async () => ({ said: 'done' })), {
      authenticator: byName,
    });
    const response = await post(served, body);
    const answer = await response.text();
    expect(response.status).toBe(status);
    expect(answer).toMatch(text);
    expect(answer.length).toBeLessThan(2000);
    expect(await isHealthy(served)).toBe(true);
    await served.close();
  });

  test('in chunks of one byte is read', async () => {
    const served = await serveSurface(await createEchoSurface(echo), { authenticator: byName });
    const chunks = [...Buffer.from(call('hello'))].map((byte) => `1\r\n${String.fromCharCode(byte)}\r\n`);
    const socket = await open(served, head('alice', 'Transfer-Encoding: chunked'), `${chunks.join('')}0\r\n\r\n`);
    expect(await answerOn(socket)).toMatch(/^HTTP\/1\.1 200 /);
    await served.close();
  });

  test('in a great many tiny chunks loses its connection', async () => {
    const served = await serveSurface(await createEchoSurface(echo), { authenticator: byName });
    const socket = await open(served, head('alice', 'Transfer-Encoding: chunked'), '1\r\n \r\n'.repeat(1000));
    await once(socket, 'close');
    expect(await isHealthy(served)).toBe(true);
    await served.close();
  });

  test('that is compressed is rejected before it is read', async () => {
    const served = await serveSurface(await createEchoSurface(echo), { authenticator: byName });
    const response = await post(served, new Uint8Array(gzipSync(list)), { 'content-encoding': 'gzip' });
    expect(response.status).toBe(415);
    await served.close();
  });

  test('is requested only when there is capacity for it', async () => {
    const served = await serveSurface(await createEchoSurface(echo), { authenticator: byName });
    const expecting = (bytes: number) => head('alice', 'Expect: 100-continue', `Content-Length: ${bytes}`);
    expect(await answerOn(await open(served, expecting(list.length)))).toMatch(/^HTTP\/1\.1 100 /);
    expect(await answerOn(await open(served, expecting(50_000_000)))).toMatch(/^HTTP\/1\.1 413 /);
    await served.close();
  });
});

describe('bodies that never arrive', () => {
  const announced = (caller: string, bytes: number) => head(caller, `Content-Length: ${bytes}`);

  test('use at most 64 MiB per caller, and nothing of other callers', async () => {
    const served = await serveSurface(await createEchoSurface(echo), { authenticator: byName });
    const sockets = [];
    for (let i = 0; i < 16; i++) sockets.push(await open(served, announced('mallory', 4 * 1024 * 1024)));
    const refused = await open(served, announced('mallory', 4 * 1024 * 1024));
    expect(await answerOn(refused)).toMatch(/^HTTP\/1\.1 429 [\s\S]*retry-after: 1[\s\S]*67108864 unread bytes/i);
    expect((await post(served, call('x'.repeat(100_000)))).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    const freed = async () => {
      const socket = await open(served, announced('mallory', 200_000), call('x'.repeat(200_000)).slice(0, 200_000));
      return (await answerOn(socket)).slice(9, 12);
    };
    await expect.poll(freed).toBe('400');
    await served.close();
  });

  test('use at most half of the call slots, and only large ones need one', async () => {
    const served = await serveSurface(await createEchoSurface(echo), { authenticator: byName, mostCalls: 4 });
    for (let i = 0; i < 2; i++) await open(served, announced('mallory', 100_000));
    const third = await open(served, announced('mallory', 100_000));
    expect(await answerOn(third)).toMatch(/^HTTP\/1\.1 429 [\s\S]*You already send 2 large requests/);
    for (let i = 0; i < 2; i++) await open(served, announced('eve', 100_000));
    const late = await open(served, announced('alice', 100_000));
    expect(await answerOn(late)).toMatch(/^HTTP\/1\.1 503 [\s\S]*All 4 call slots are in use/);
    expect((await post(served, list)).status).toBe(200);
    expect((await post(served, call('hi'))).status).toBe(503);
    await served.close();
  });
});

describe('requests of any method', () => {
  test.each([
    ['tools/list', { method: 'POST', body: list }],
    ['ping', { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) }],
    ['what is no message', { method: 'POST', body: '{oops' }],
    ['GET', { method: 'GET' }],
    ['DELETE', { method: 'DELETE' }],
  ])('are limited per caller: %s', async (_what, init) => {
    const served = await serveSurface(await createEchoSurface(echo), { authenticator: byName, requestsPerHour: 60 });
    const send = (caller: string) => fetch(served.url, { ...init, headers: { authorization: `Bearer ${caller}` } });
    const first = await send('alice');
    await first.body?.cancel();
    const second = await send('alice');
    expect([first.status === 429, second.status]).toEqual([false, 429]);
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(await second.json()).toMatchObject({
      jsonrpc: '2.0',
      error: { data: { status: 'error', error: 'rate_limit_exceeded', limit: 60, reset_at: expect.any(String) } },
    });
    const other = await send('bob');
    await other.body?.cancel();
    expect(other.status).not.toBe(429);
    expect(await isHealthy(served)).toBe(true);
    await served.close();
  });

  test('are not refused for longer when the clock is set back', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const served = await serveSurface(await createEchoSurface(echo), { authenticator: byName, requestsPerHour: 60 });
    const send = () => post(served, list);
    await (await send()).text();
    vi.setSystemTime(Date.now() - 3_600_000);
    const refused = await send();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    await served.close();
  });

  test('may come in a burst of one minute, then evenly', () => {
    let now = Date.UTC(2026, 0, 15, 14);
    const limiter = createRequestLimiter({ perHour: 600, now: () => now });
    const admitted = (count: number) =>
      Array.from({ length: count }, () => limiter.admit('a')).filter((one) => !one).length;
    expect(admitted(50)).toBe(10);
    expect(limiter.admit('a')).toMatchObject({ retry_after_seconds: 6, limit: 600, reset_at: '2026-01-15T14:00:06Z' });
    expect(limiter.admit('b')).toBeUndefined();
    now += 12_000;
    expect(admitted(50)).toBe(2);
    now += 3_600_000;
    expect(admitted(50)).toBe(10);
  });
});

describe('a response', () => {
  /** The next exchange of this process's HTTP servers. */
  const nextExchange = () =>
    new Promise<{ response: ServerResponse; socket: Socket }>((resolve) => {
      const started = (exchange: unknown) => {
        unsubscribe('http.server.request.start', started);
        resolve(exchange as { response: ServerResponse; socket: Socket });
      };
      subscribe('http.server.request.start', started);
    });

  test('that the client does not read loses its connection', async () => {
    const surface = await createEchoSurface(echo);
    const instructions = 'x'.repeat(32 * 1024 * 1024);
    const served = await serveSurface({ ...surface, instructions }, { authenticator: byName, readWithinMs: 200 });
    const exchange = nextExchange();
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const body = message('initialize', params);
    const socket = await open(served, head('alice', `Content-Length: ${body.length}`), body);
    socket.pause();
    const { response } = await exchange;
    await once(response, 'close');
    expect(response.writableFinished).toBe(false);
    await served.close();
  });

  test('may take longer than a client may take to read', async () => {
    const exchange = nextExchange();
    const surface = await createEchoSurface(async () => {
      await once((await exchange).socket, 'timeout');
      return { said: 'done' };
    });
    const served = await serveSurface(surface, { authenticator: byName, readWithinMs: 50 });
    expect(await (await post(served, call('hi'))).text()).toContain('done');
    await served.close();
  });
});

/** Connections to a port that the system has not answered yet (state SYN_SENT). */
function waitingConnections(port: number): number {
  const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')} 02 `;
  return readFileSync('/proc/net/tcp', 'latin1').split(remote).length - 1;
}

describe('unauthenticated connections', () => {
  test('are all accepted at once when 1,500 arrive together', async () => {
    const served = await serveSurface(await createEchoSurface(echo), { authenticator: byName });
    const { hostname, port } = new URL(served.url);
    for (let i = 0; i < 1500; i++) sockets.push(connect(Number(port), hostname).on('error', () => {}));
    // The connections start in this turn of the event loop, and the server accepts them in a later one.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    expect(waitingConnections(Number(port))).toBe(0);
    expect(await isHealthy(served)).toBe(true);
    await served.close();
  });

  test('never block a health check or a caller, and are closed before open streams', async () => {
    const served = await serveSurface(await createEchoSurface(echo), { authenticator: byName, mostConnections: 20 });
    const stream = await open(served, head('alice', 'Content-Length: 10'));
    const idle: Socket[] = [];
    for (let i = 0; i < 60; i++) idle.push(await open(served));
    expect(await isHealthy(served)).toBe(true);
    expect((await post(served, list)).status).toBe(200);
    await expect.poll(() => idle.filter((socket) => !socket.closed).length).toBeLessThanOrEqual(20);
    stream.write('{"a": 1  }');
    expect(await answerOn(stream)).toMatch(/^HTTP\/1\.1 400 /);
    await served.close();
  });
});

describe('a request for another host or origin', () => {
  const raw = async (...lines: string[]) => {
    const served = await serveSurface(await createEchoSurface(echo), { authenticator: byName });
    const answer = await answerOn(await open(served, [...lines, 'Connection: close', '', ''].join('\r\n')));
    await served.close();
    return answer;
  };

  test.each(['/mcp', '/metrics', '/other'])('is rejected without echoing its values, at %s', async (path) => {
    const fromPage = await raw(`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Origin: https://evil.example');
    const byName = await raw(`GET ${path} HTTP/1.1`, 'Host: evil.example');
    for (const answer of [fromPage, byName]) {
      expect(answer).toMatch(/^HTTP\/1\.1 403 /);
      expect(answer).not.toMatch(/evil\.example|access-control-allow-origin/i);
    }
  });

  test('gets no CORS header from a health check', async () => {
    const answer = await raw('GET /healthz HTTP/1.1', 'Host: 127.0.0.1', 'Origin: https://evil.example');
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).not.toMatch(/evil\.example|access-control-allow-origin/i);
  });

  test.each([
    ['Host', 'Host: 127.0.0.1', 'Host: evil.example'],
    ['the same Host', 'Host: 127.0.0.1', 'Host: 127.0.0.1'],
    ['Authorization', 'Host: 127.0.0.1', 'Authorization: Bearer a', 'Authorization: Bearer b'],
    ['Origin', 'Host: 127.0.0.1', 'Origin: http://localhost', 'Origin: https://evil.example'],
  ])('is rejected with a repeated %s header', async (_what, ...lines) => {
    expect(await raw('GET /mcp HTTP/1.1', ...lines)).toMatch(/^HTTP\/1\.1 400 [\s\S]*may be sent only once/);
  });

  test('is rejected where its target names another host', async () => {
    const answer = await raw('GET http://evil.example/mcp HTTP/1.1', 'Host: 127.0.0.1');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });
});
