import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/platform/errors.ts';
import type { Authenticator } from '../../src/server/auth.ts';
import { createCallLimiter, createMemoryCallLog } from '../../src/server/rate-limits.ts';
import { connectHttp, runAssay, startHttp } from '../support/assay.ts';
import { lcov, newFolder } from '../support/folders.ts';
import { createEchoSurface } from '../support/server/echo.ts';
import { byName, serveSurface } from '../support/server/in-process.ts';

const secret = 'hunter2-correct-horse';

// biome-ignore lint/suspicious/noExplicitAny: lines of a log
const linesOf = (text: string): any[] =>
  text.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
const ended = (text: string) => linesOf(text).filter(({ msg }) => msg === 'call ended');

describe('over HTTP', () => {
  test('logs one line per call with principal, tool, outcome and duration', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const limiter = createCallLimiter({ calls: createMemoryCallLog(), perHour: () => 2, now: Date.now });
    const surface = await createEchoSurface(
      async ({ text: said }) => {
        if (said === 'bad') throw new Failure('not_found', 'NO_SUCH_THING', `There is no ${secret}.`);
        return { said: 'done' };
      },
      { log, limiter },
    );
    const served = await serveSurface(surface, { authenticator: byName, log });
    await using client = await connectHttp('modern', { url: served.url, token: 'alice' });
    for (const said of [secret, 'bad', secret]) await client.callTool({ name: 'say', arguments: { text: said } });
    const principal = { issuer: 'https://issuer.example', subject: 'alice', client: 'alice' };
    const line = { level: 30, principal, tool: 'say', durationMs: expect.any(Number) };
    expect(ended(lines.join(''))).toMatchObject([
      { ...line, outcome: 'ok' },
      { ...line, outcome: 'NO_SUCH_THING' },
      { ...line, outcome: 'rate_limit_exceeded' },
    ]);
    expect(lines.join()).not.toContain(secret);
    await served.close();
  });

  test('logs a call whose rate limit cannot be checked', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const admit = async () => {
      throw new Failure('unavailable', 'STORE_UNAVAILABLE', 'Cannot use the store.');
    };
    const served = await serveSurface(
      await createEchoSurface(async () => ({ said: '' }), { log, limiter: { admit } }),
      {
        authenticator: byName,
      },
    );
    await using client = await connectHttp('modern', { url: served.url, token: 'alice' });
    await expect(client.callTool({ name: 'say', arguments: { text: '' } })).rejects.toThrow(/Cannot use the store/);
    expect(ended(lines.join(''))).toMatchObject([
      { principal: { subject: 'alice' }, tool: 'say', outcome: 'STORE_UNAVAILABLE' },
    ]);
    await served.close();
  });

  test('logs resources and prompts with the ids that they used', async () => {
    await using folder = await newFolder();
    await folder.write(`${secret}.info`, lcov({ 'src/a.ts': [1, 0] }));
    const args = ['--toolsets', 'coverage', '--folders', '.', '--log-level', 'info'];
    await using server = await startHttp({ cwd: folder.path, args });
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    await using client = await connectHttp('modern', server, { headers: { traceparent } });
    const lcovPath = `${secret}.info`;
    const started = await client.callTool({ name: 'start_coverage_snapshot', arguments: { lcovPath } });
    const { snapshotId } = JSON.parse(JSON.stringify(started.structuredContent));
    await client.readResource({ uri: `coverage://snapshots/${snapshotId}` });
    await expect(client.readResource({ uri: 'coverage://snapshots/missing' })).rejects.toThrow(/not found/i);
    await client.callTool({ name: 'end_coverage_snapshot', arguments: { snapshotId: 'missing', lcovPath } });
    await client.getPrompt({ name: 'check_coverage_of_change', arguments: { lcovPath } });
    await expect.poll(() => ended(server.stderr()).length).toBe(5);
    expect(ended(server.stderr())).toMatchObject([
      { tool: 'start_coverage_snapshot', outcome: 'ok', ids: { snapshotId } },
      { resource: 'coverage-snapshot', outcome: 'ok', ids: { snapshotId } },
      { resource: 'coverage-snapshot', outcome: 'NOT_FOUND', ids: { snapshotId: 'missing' } },
      { tool: 'end_coverage_snapshot', outcome: expect.not.stringMatching('ok'), ids: { snapshotId: 'missing' } },
      { prompt: 'check_coverage_of_change', outcome: 'ok', ids: {} },
    ]);
    const marks = { requestId: expect.any(String), traceId: 'a'.repeat(32) };
    expect(ended(server.stderr())).toMatchObject(Array(5).fill(marks));
    expect(server.stderr()).not.toContain(secret);
  });

  test('logs rejected requests with the reason', async () => {
    await using server = await startHttp({ args: ['--log-level', 'info'] });
    await fetch(server.url, { method: 'POST', headers: { authorization: `Bearer ${secret}` }, body: '{}' });
    await expect
      .poll(() => linesOf(server.stderr()))
      .toMatchObject([
        { msg: 'request refused', outcome: 'UNAUTHORIZED', reason: expect.any(String), requestId: expect.any(String) },
      ]);
    expect(server.stderr()).not.toContain(secret);
  });
});

describe('refused calls over HTTP', () => {
  const principal = { issuer: 'https://issuer.example', subject: 'alice', client: 'alice' };
  const readers: Authenticator = {
    ...byName,
    authenticate: async () => ({ ok: true, caller: { principal, scopes: new Set(['echo:read']) } }),
  };
  const call = (name: string, args: object = { text: secret, scan_id: 'scan-1' }) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });

  test.each<[string, NonNullable<Parameters<typeof serveSurface>[1]>, string, object]>([
    [
      'for lack of a scope',
      { authenticator: readers },
      call('shout'),
      { outcome: 'FORBIDDEN', tool: 'shout', ids: { scan_id: 'scan-1' } },
    ],
    ['over the request limit', { requestsPerHour: 60 }, call('say'), { outcome: 'LIMIT_EXCEEDED', status: 429 }],
    ['without a free call slot', { mostCalls: 0 }, call('say'), { outcome: 'UNAVAILABLE', status: 503, tool: 'say' }],
    ['with a huge body', { largestMessageBytes: 10 }, call('say'), { outcome: 'TOO_LARGE', status: 413 }],
    ['with a deep body', {}, '['.repeat(1000), { outcome: 'BAD_REQUEST', status: 400 }],
    [
      'with a selection that is not served',
      {
        surfaceFor() {
          throw new Failure('configuration', 'UNKNOWN_NAME', 'Unknown toolset.');
        },
      },
      call('say'),
      { outcome: 'BAD_REQUEST', status: 400 },
    ],
  ])('%s write one line', async (_why, options, body, line) => {
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (text: string) => void lines.push(text) });
    const surface = await createEchoSurface(async ({ text }) => ({ said: text }), { log });
    const served = await serveSurface(surface, { authenticator: byName, log, ...options });
    const accept = 'application/json, text/event-stream';
    const headers = { authorization: 'Bearer alice', 'content-type': 'application/json', accept };
    // The first request is within the limit.
    if (options.requestsPerHour) await (await fetch(served.url, { method: 'POST', headers, body })).text();
    await fetch(served.url, { method: 'POST', headers, body });
    await fetch(new URL('/healthz', served.url));
    const written = linesOf(lines.join('')).slice(options.requestsPerHour ? 1 : 0);
    expect(written).toMatchObject([{ msg: 'request refused', principal, ...line }]);
    expect(lines.join('')).not.toContain(secret);
    await served.close();
  });

  test('write one line without the name when the tool, prompt or resource is unknown', async () => {
    await using server = await startHttp({ args: ['--toolsets', 'coverage', '--folders', '.', '--log-level', 'info'] });
    await using client = await connectHttp('modern', server);
    await expect(client.callTool({ name: secret, arguments: {} })).rejects.toThrow();
    await expect(client.getPrompt({ name: secret })).rejects.toThrow();
    await expect(client.readResource({ uri: `unknown://${secret}` })).rejects.toThrow();
    const outcome = 'UNKNOWN_NAME';
    await expect
      .poll(() => ended(server.stderr()))
      .toMatchObject([
        { tool: 'unknown', outcome },
        { prompt: 'unknown', outcome },
        { resource: 'unknown', outcome },
      ]);
    expect(server.stderr()).not.toContain(secret);
  });

  test('write one line in lean mode, with the name of the tool that ran', async () => {
    const args = ['--toolsets', 'coverage', '--folders', '.', '--log-level', 'info', '--lean'];
    await using server = await startHttp({ args });
    await using client = await connectHttp('modern', server);
    const through = (given: Record<string, unknown>) => client.callTool({ name: 'assay_call_tool', arguments: given });
    await client.callTool({ name: 'assay_find_tools', arguments: { query: secret } });
    await client.callTool({ name: 'assay_find_tools', arguments: { query: 5 } });
    await through({ name: 'get_overall_coverage', arguments: { lcovPath: `missing/${secret}` } });
    await through({ name: secret });
    await through({});
    await expect
      .poll(() => ended(server.stderr()))
      .toMatchObject([
        { tool: 'assay_find_tools', outcome: 'ok' },
        { tool: 'assay_find_tools', outcome: 'INVALID_ARGUMENTS' },
        { tool: 'get_overall_coverage', outcome: expect.not.stringMatching('ok') },
        { tool: 'assay_call_tool', outcome: 'UNKNOWN_NAME' },
        { tool: 'assay_call_tool', outcome: 'INVALID_ARGUMENTS' },
      ]);
    expect(server.stderr()).not.toContain(secret);
  });
});

describe('on this machine', () => {
  const params = { name: 'get_overall_coverage', arguments: { lcovPath: `/none/${secret}` } };

  test('logs a call over stdio', async () => {
    const initialize = {
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    };
    const messages = [initialize, { method: 'tools/call', params }];
    const input = messages.map((message, id) => `${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n`).join('');
    const { stderr } = await runAssay(['serve', '--log-level', 'info'], { input });
    expect(ended(stderr)).toMatchObject([
      { tool: params.name, principal: { issuer: 'local', client: 'stdio' }, durationMs: expect.any(Number) },
    ]);
    expect(stderr).not.toContain(secret);
  });

  test('logs a CLI call, but not at the default level', async () => {
    const call = ['call', params.name, '--json', JSON.stringify(params.arguments)];
    const { stderr } = await runAssay(call, { env: { ASSAY_LOG_LEVEL: 'info' } });
    expect(ended(stderr)).toMatchObject([{ tool: params.name, principal: { issuer: 'local', client: 'cli' } }]);
    expect(JSON.stringify(linesOf(stderr))).not.toContain(secret);
    expect(linesOf((await runAssay(call)).stderr)).toEqual([]);
  });
});
