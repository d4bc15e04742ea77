import { once } from 'node:events';
import { connect } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import type { RunningHttpServer } from '../../src/server/http-server.ts';
import { createMetrics } from '../../src/server/metrics.ts';
import { createCallLimiter, createMemoryCallLog } from '../../src/server/rate-limits.ts';
import { connectHttp, runAssay, startHttp } from '../support/assay.ts';
import { createEchoSurface, type Run } from '../support/server/echo.ts';
import { byName, serveSurface } from '../support/server/in-process.ts';

async function connectAs(name: string, { url }: RunningHttpServer, era: 'legacy' | 'modern' = 'modern') {
  const mode = era === 'modern' ? { pin: '2026-07-28' } : ('legacy' as const);
  const client = new Client({ name, version: '1' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${name}` } },
  });
  await client.connect(transport);
  return { client, transport, say: (text = 'hi') => client.callTool({ name: 'say', arguments: { text } }) };
}

/** A tool that reports when it has begun and runs until it is released. */
function blockingTool() {
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const run: Run = async () => {
    begun.resolve();
    await release.promise;
    return { said: 'done' };
  };
  return { run, begun: begun.promise, release: release.resolve };
}

describe('two clients', () => {
  test('have separate rate limits', async () => {
    const limiter = createCallLimiter({
      calls: createMemoryCallLog(),
      perHour: () => 2,
      now: () => Date.UTC(2026, 0, 15, 14),
    });
    const served = await serveSurface(await createEchoSurface(async ({ text }) => ({ said: text }), { limiter }), {
      authenticator: byName,
    });
    const [alice, bob] = [await connectAs('alice', served), await connectAs('bob', served)];
    for (let i = 0; i < 2; i++) expect((await alice.say()).isError).toBeFalsy();
    const refused = await alice.say();
    const answer = {
      error: 'rate_limit_exceeded',
      message: 'Rate limit exceeded for say',
      retry_after_seconds: 3600,
      limit: 2,
      reset_at: '2026-01-15T15:00:00Z',
    };
    expect(refused).toMatchObject({ isError: true, structuredContent: answer });
    expect(JSON.parse(JSON.stringify(refused.content[0])).text).toContain('"retry_after_seconds":3600');
    expect((await bob.say()).isError).toBeFalsy();
    await Promise.all([alice.client.close(), bob.client.close()]);
    await served.close();
  });

  test('cannot use each other’s session', async () => {
    const served = await serveSurface(await createEchoSurface(async ({ text }) => ({ said: text })), {
      authenticator: byName,
    });
    const alice = await connectAs('alice', served, 'legacy');
    const post = (name: string) =>
      fetch(served.url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${name}`,
          'mcp-session-id': alice.transport.sessionId ?? '',
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list' }),
      });
    expect((await post('alice')).status).toBe(200);
    expect((await post('mallory')).status).toBe(404);
    await alice.client.close();
    await served.close();
  });
});

test('closes the oldest session of a caller at its limit, and no session of others', async () => {
  const served = await serveSurface(await createEchoSurface(async ({ text }) => ({ said: text })), {
    authenticator: byName,
  });
  const bob = await connectAs('bob', served, 'legacy');
  const first = await connectAs('alice', served, 'legacy');
  const more = await Promise.all(Array.from({ length: 64 }, () => connectAs('alice', served, 'legacy')));
  await expect(first.say()).rejects.toThrow(/Session not found/);
  expect((await bob.say()).structuredContent).toEqual({ said: 'hi' });
  expect((await more[63]?.say())?.structuredContent).toEqual({ said: 'hi' });
  await Promise.all([bob, first, ...more].map(({ client }) => client.close().catch(() => {})));
  await served.close();
});

describe('under load', () => {
  test('rejects calls beyond the slots, and reuses a free slot', async () => {
    const work = blockingTool();
    const served = await serveSurface(await createEchoSurface(work.run), { authenticator: byName, mostCalls: 1 });
    const [first, second] = [await connectAs('a', served), await connectAs('b', served)];
    const underWay = first.say();
    await work.begun;
    await expect(second.say()).rejects.toThrow(/503|slots/);
    expect((await fetch(new URL('/healthz', served.url))).status).toBe(200);
    work.release();
    expect((await underWay).structuredContent).toEqual({ said: 'done' });
    await expect
      .poll(() =>
        second.say().then(
          ({ isError }) => !isError,
          () => false,
        ),
      )
      .toBe(true);
    await Promise.all([first.client.close(), second.client.close()]);
    await served.close();
  });

  describe('with an issuer', () => {
    const authenticator = { ...byName, issuers: ['https://issuer.example'] };
    /** A surface whose calls work until they are released. */
    async function blockCalls(mostCalls: number, gate: typeof byName) {
      let begun = 0;
      const release = Promise.withResolvers<void>();
      const run: Run = async () => {
        begun++;
        await release.promise;
        return { said: 'done' };
      };
      const served = await serveSurface(await createEchoSurface(run), { authenticator: gate, mostCalls });
      return { served, begun: () => begun, release: release.resolve };
    }

    test('gives one owner at most half of the call slots over all its clients', async () => {
      const ofAlice: typeof byName = {
        ...authenticator,
        async authenticate(authorization) {
          const client = authorization?.replace('Bearer ', '') ?? '';
          const subject = client.split('-')[0] ?? '';
          const principal = { issuer: 'https://issuer.example', subject, client };
          return { ok: true, caller: { principal, scopes: 'all' } };
        },
      };
      const { served, begun, release } = await blockCalls(4, ofAlice);
      const [first, second, bob] = await Promise.all(
        ['alice-1', 'alice-2', 'bob-1'].map((name) => connectAs(name, served)),
      );
      const underWay = [first?.say(), second?.say()];
      await expect.poll(begun).toBe(2);
      const refused = await fetch(served.url, {
        method: 'POST',
        headers: { authorization: 'Bearer alice-3', 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'say', arguments: {} } }),
      });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
      expect(await refused.text()).toContain('2 of the 4 call slots');
      underWay.push(bob?.say());
      await expect.poll(begun).toBe(3);
      release();
      await Promise.all(underWay);
      expect((await first?.say())?.structuredContent).toEqual({ said: 'done' });
      await Promise.all([first, second, bob].map((each) => each?.client.close()));
      await served.close();
    });

    test('counts large requests that are being read', async () => {
      const { served, begun, release } = await blockCalls(4, authenticator);
      const alice = await connectAs('alice', served);
      const call = alice.say();
      await expect.poll(begun).toBe(1);
      const announce = async () => {
        const { hostname, port } = new URL(served.url);
        const socket = connect(Number(port), hostname);
        socket.write(
          'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer alice\r\nExpect: 100-continue\r\nContent-Length: 100000\r\n\r\n',
        );
        const [answer] = await once(socket, 'data');
        return { socket, answer: String(answer) };
      };
      const [reading, refused] = [await announce(), await announce()];
      expect(reading.answer).toMatch(/^HTTP\/1\.1 100 /);
      expect(refused.answer).toMatch(/^HTTP\/1\.1 429 [\s\S]*2 of the 4 call slots/);
      for (const { socket } of [reading, refused]) socket.destroy();
      release();
      await call;
      await alice.client.close();
      await served.close();
    });
  });

  test.each(['legacy', 'modern'] as const)(
    'keeps the slot of a disconnected caller while its tool runs, in the %s era',
    async (era) => {
      let working = 0;
      const release = Promise.withResolvers<void>();
      const run: Run = async (_args, { signal }) => {
        working++;
        const gone = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        await Promise.race([release.promise, gone]);
        working--;
        return { said: 'done' };
      };
      const served = await serveSurface(await createEchoSurface(run), { authenticator: byName, mostCalls: 2 });
      for (let i = 0; i < 4; i++) {
        const { client, say, transport } = await connectAs('a', served, era);
        const before = working;
        let refused = false;
        const call = say().catch(() => {
          refused = true;
        });
        await expect.poll(() => refused || working > before).toBe(true);
        await transport.close();
        await call;
        await client.close();
      }
      expect(working).toBeLessThanOrEqual(2);
      release.resolve();
      await served.drain(10_000);
      expect(working).toBe(0);
      await served.close();
    },
  );

  test('drains running calls and accepts no new ones', async () => {
    const work = blockingTool();
    const served = await serveSurface(await createEchoSurface(work.run), { authenticator: byName });
    const [first, second] = [await connectAs('a', served), await connectAs('b', served)];
    const underWay = first.say();
    await work.begun;
    const drained = served.drain(30_000);
    await expect(second.say()).rejects.toThrow();
    work.release();
    expect((await underWay).structuredContent).toEqual({ said: 'done' });
    await drained;
    await served.close();
  });

  test('stops draining at the time limit', async () => {
    const work = blockingTool();
    const served = await serveSurface(await createEchoSurface(work.run), { authenticator: byName });
    const first = await connectAs('a', served);
    const underWay = first.say().catch(() => 'cut off');
    await work.begun;
    await served.drain(20);
    await served.close();
    expect(await underWay).toBe('cut off');
  });
});

describe('a response', () => {
  test('has security headers and the request id of the log', async () => {
    const logged: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
    const surface = await createEchoSurface(async () => ({ said: '' }));
    const served = await serveSurface(surface, {
      authenticator: byName,
      log,
      surfaceFor() {
        throw new Error('a defect inside');
      },
    });
    const response = await fetch(served.url, { method: 'POST', body: '{}', headers: { 'x-request-id': 'my-id.1' } });
    expect(response.status).toBe(500);
    expect(response.headers.get('x-request-id')).toBe('my-id.1');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const body = await response.text();
    expect(body).toContain('my-id.1');
    expect(body).not.toContain('a defect inside');
    expect(logged.join()).toContain('a defect inside');
    const unsafe = await fetch(served.url, { headers: { 'x-request-id': 'a b"c' } });
    expect(unsafe.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    await served.close();
  });

  test('is counted for Prometheus', async () => {
    const metrics = createMetrics();
    const surface = await createEchoSurface(async ({ text }) => ({ said: text }), { metrics });
    const served = await serveSurface(surface, { authenticator: byName, metrics });
    const { client, say } = await connectAs('a', served);
    await say('fine');
    await say('far too long for the promise of the schema');
    await client.close();
    const text = await (await fetch(new URL('/metrics', served.url))).text();
    expect(text).toContain('assay_tool_calls_total{tool="say",outcome="ok"} 1');
    expect(text).toContain('assay_tool_calls_total{tool="say",outcome="error"} 1');
    expect(text).toMatch(/assay_tool_call_seconds_count\{tool="say"\} 2/);
    expect(text).toMatch(/assay_http_requests_total\{status="200"\} \d+/);
    expect(text).toContain('assay_calls_in_flight 0');
    await served.close();
  });

  test('shows metrics only with the metrics token, if one is set', async () => {
    const served = await serveSurface(await createEchoSurface(async () => ({ said: '' })), {
      metricsToken: 'the-metrics-token',
    });
    const get = (token: string) =>
      fetch(new URL('/metrics', served.url), { headers: { authorization: `Bearer ${token}` } });
    expect((await get('the-metrics-token')).status).toBe(200);
    expect((await get('another')).status).toBe(404);
    await served.close();
  });

  test('can be read only by pages of an allowed origin', async () => {
    const allowedHosts = { hosts: ['127.0.0.1'], origins: ['app.example'] };
    const served = await serveSurface(await createEchoSurface(async () => ({ said: '' })), {
      allowed: allowedHosts,
      authenticator: byName,
    });
    const ask = (origin: string, method: string) => fetch(served.url, { method, headers: { origin } });
    const allowed = await ask('https://app.example', 'OPTIONS');
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(allowed.headers.get('access-control-allow-headers')).toContain('Authorization');
    const refused = await ask('https://evil.example', 'OPTIONS');
    expect(refused.status).toBe(403);
    await served.close();
  });
});

test('rejects private addresses for HTTP callers unless the operator allows them', async () => {
  const visit: Run = async ({ text }, { addresses }) => {
    await (await addresses()).check(text);
    return { said: 'visited' };
  };
  const closed = await serveSurface(await createEchoSurface(visit, { allowedPrivateAddresses: [] }), {
    authenticator: byName,
  });
  const open = await serveSurface(await createEchoSurface(visit, { allowedPrivateAddresses: ['127.0.0.0/8'] }), {
    authenticator: byName,
  });
  const [stranger, guest] = [await connectAs('a', closed), await connectAs('b', open)];
  expect(await stranger.say('http://127.0.0.1:9/')).toMatchObject({
    isError: true,
    structuredContent: { code: 'ADDRESS_NOT_ALLOWED' },
  });
  expect((await guest.say('http://127.0.0.1:9/')).structuredContent).toEqual({ said: 'visited' });
  await Promise.all([stranger.client.close(), guest.client.close()]);
  await Promise.all([closed.close(), open.close()]);
});

describe('assay serve --http', () => {
  test('serves tools with local access only when they are named, with their folders', async () => {
    await using bare = await startHttp({ args: [] });
    expect(bare.stderr()).toMatch(
      /Not served: coverage, standards, wizards \(\d of \d+\), qa \(1 of \d+\)\. Reason .* must be named/,
    );
    expect(bare.stderr()).toContain('--toolsets all --folders <folder>');
    await using client = await connectHttp('modern', bare);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('cwac_scan');
    expect(names).toContain('federalrunner_execute_wizard');
    expect(names.filter((name) => /^federalscout_|^caws_|coverage/.test(name))).toEqual([]);
    await expect(client.callTool({ name: 'get_overall_coverage', arguments: {} })).rejects.toThrow(/must be named/);
    expect(await runAssay(['serve', '--http', '--toolsets', 'coverage'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--folders'),
    });
  });

  test.each([
    [['--host', '0.0.0.0'], /--host must be a loopback address/],
    [['--host', '0.0.0.0', '--no-auth'], /--host must be a loopback address/],
    [['--oauth-issuer', 'https://issuer.example'], /--public-url/],
    [
      ['--oauth-issuer', 'https://issuer.example', '--public-url', 'https://a.example/mcp', '--no-auth'],
      /exclude each other/,
    ],
    [['--rate-limits', 'nothing=1'], /nothing, which is not served/],
  ])('rejects %j', async (args, message) => {
    expect(await runAssay(['serve', '--http', ...args])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(message),
    });
  });

  test('needs no token with --no-auth, but rejects web pages', async () => {
    await using server = await startHttp({ args: ['--no-auth'] });
    const post = (headers: Record<string, string>) => fetch(server.url, { method: 'POST', headers, body: '{oops' });
    expect((await post({})).status).toBe(400);
    expect((await post({ origin: 'https://evil.example' })).status).toBe(403);
  });

  test('rejects headers that are too long', async () => {
    await using server = await startHttp({ args: [] });
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 431 /);
    socket.destroy();
  });
});
