import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/platform/errors.ts';
import { createCallLimiter, createMemoryCallLog } from '../../src/server/rate-limits.ts';
import { connectHttp, runAssay, startHttp } from '../support/assay.ts';
import { createEchoSurface } from '../support/echo.ts';
import { lcov, newFolder } from '../support/folders.ts';
import { byName, serveSurface } from '../support/in-process.ts';

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
