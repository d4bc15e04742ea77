import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectHttp, eras, type HttpServer, root, runAssay, startHttp } from '../support/assay.ts';
import { type Folder, lcov, newFolder } from '../support/folders.ts';

let folder: Folder;
let server: HttpServer;
beforeAll(async () => {
  folder = await newFolder();
  await folder.write('lcov.info', lcov({ 'src/a.ts': [1, 0] }));
  server = await startHttp({ cwd: folder.path });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

describe.each(eras)('a client of the %s era over HTTP', (era) => {
  test('lists and calls tools', async () => {
    await using client = await connectHttp(era, server);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('get_patch_coverage');
    const result = await client.callTool({ name: 'get_overall_coverage', arguments: { lcovPath: 'lcov.info' } });
    expect(result.structuredContent).toEqual({ overall: 50 });
    expect((await client.listPrompts()).prompts.length).toBeGreaterThan(0);
  });

  test.each([
    ['the URL', { query: '?read-only=true' }],
    ['a header', { headers: { 'x-assay-read-only': 'true' } }],
  ])('narrows the surface by %s', async (_how, options) => {
    await using client = await connectHttp(era, server, options);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('get_overall_coverage');
    expect(names).not.toContain('start_coverage_snapshot');
    await expect(
      client.callTool({ name: 'start_coverage_snapshot', arguments: { lcovPath: 'lcov.info' } }),
    ).rejects.toThrow(/read-only/);
  });

  test('handles many concurrent calls', async () => {
    const clients = await Promise.all(Array.from({ length: 8 }, () => connectHttp(era, server)));
    const results = await Promise.all(
      clients.map((client, i) =>
        client.callTool({ name: 'get_file_coverage', arguments: { lcovPath: 'lcov.info', filePaths: [`no-${i}`] } }),
      ),
    );
    expect(results.map((result) => result.structuredContent)).toEqual(
      clients.map((_, i) => ({ files: { [`no-${i}`]: 0 }, notInReport: [`no-${i}`] })),
    );
    await Promise.all(clients.map((client) => client.close()));
  });
});

/** A request with any Host header and without a token. */
function send(
  headers: Record<string, string>,
  { path = '/mcp', method = 'POST', body = '{}' }: { path?: string; method?: string; body?: string } = {},
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, path, method, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    outgoing.on('error', reject);
    outgoing.end(method === 'POST' ? body : undefined);
  });
}

describe('the HTTP server', () => {
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const authorized = () => ({ ...json, authorization: `Bearer ${server.token}` });

  test('reports that it is healthy', async () => {
    expect(await send({}, { path: '/healthz', method: 'GET' })).toMatchObject({ status: 200, body: '{"status":"ok"}' });
  });

  test.each([
    ['no token', {}, 401],
    ['a wrong token', { authorization: 'Bearer nonsense' }, 401],
    ['another scheme', { authorization: 'Basic nonsense' }, 401],
    ['a name that was bound to this machine', { host: 'evil.example' }, 403],
    ['a page of another origin', { origin: 'https://evil.example' }, 403],
  ])('rejects %s', async (_what, headers, status) => {
    const answer = await send({ ...(status === 403 ? authorized() : json), ...headers });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } });
    if (status === 401) expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
  });

  test('rejects a token in the URL', async () => {
    expect((await send(json, { path: `/mcp?access_token=${server.token}` })).status).toBe(401);
  });

  test('names the endpoint', async () => {
    expect(await send(authorized(), { path: '/' })).toMatchObject({
      status: 404,
      body: expect.stringContaining('/mcp'),
    });
  });

  test('answers a body that is not JSON', async () => {
    expect(await send(authorized(), { body: '{oops' })).toMatchObject({
      status: 400,
      body: expect.stringContaining('-32700'),
    });
  });

  test('rejects an unknown toolset, and lists the known ones', async () => {
    const answer = await send(authorized(), { path: '/mcp?toolsets=coverge' });
    expect(answer).toMatchObject({ status: 400, body: expect.stringContaining('Did you mean coverage?') });
  });

  test('rejects a body of 100 MB by its content length, and keeps running', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.token}\r\nContent-Type: application/json\r\nContent-Length: 104857600\r\n\r\n`,
    );
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
    expect((await send({}, { path: '/healthz', method: 'GET' })).status).toBe(200);
  });

  test.each(['GET // HTTP/1.1', 'POST /mcp?toolsets=coverge HTTP/1.1', 'TRACE /mcp HTTP/1.1'])(
    'keeps running when the caller of "%s" disconnects',
    async (line) => {
      const { hostname, port } = new URL(server.url);
      for (let i = 0; i < 40; i++) {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => {});
        await once(socket, 'connect');
        const head = `${line}\r\nHost: localhost\r\nAuthorization: Bearer ${server.token}\r\nContent-Length: 2\r\n\r\n{}`;
        await new Promise((resolve) => socket.write(head, resolve));
        socket.resetAndDestroy();
      }
      expect((await send({}, { path: '/healthz', method: 'GET' })).status).toBe(200);
    },
  );

  test('keeps running when a client disconnects during a call', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"jsonrpc"`,
    );
    await new Promise((resolve) => socket.write('', resolve));
    socket.destroy();
    expect((await send({}, { path: '/healthz', method: 'GET' })).status).toBe(200);
    expect(server.stderr()).not.toContain('unhandled error in http exchange');
  });

  test('answers an unknown session with 404', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const answer = await send({ ...authorized(), 'mcp-session-id': 'made-up' }, { body });
    expect(answer).toMatchObject({ status: 404, body: expect.stringContaining('Initialize again') });
  });

  test('completes and reads only paths in the allowed folders', async () => {
    await using elsewhere = await newFolder();
    await elsewhere.write('private/lcov.info', lcov({ a: [1] }));
    await elsewhere.write('shared/lcov.info', lcov({ a: [1] }));
    await using own = await startHttp({
      cwd: elsewhere.path,
      args: ['--toolsets', 'coverage', '--folders', 'shared'],
    });
    await using client = await connectHttp('modern', own);
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'check_coverage_of_change' },
      argument: { name: 'lcovPath', value: '' },
    });
    expect(completion.values).toEqual(['shared/lcov.info']);
    for (const lcovPath of ['private/lcov.info', 'shared/../private/lcov.info', `${elsewhere.path}/private/lcov.info`])
      expect(await client.callTool({ name: 'get_overall_coverage', arguments: { lcovPath } })).toMatchObject({
        isError: true,
        content: [
          { text: 'Error: The path is outside the folders that this server may access. Pass a path within them.' },
        ],
      });
    spawnSync('git', ['init', '--quiet'], { cwd: elsewhere.path });
    const patch = { name: 'get_patch_coverage', arguments: { lcovPath: 'shared/lcov.info', repoPath: 'shared' } };
    expect(await client.callTool(patch)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('outside the folders') }],
    });
  });

  test('never prints or returns the token of a caller', async () => {
    const answer = await send({ ...json, authorization: 'Bearer my-own-secret-token' });
    expect(answer.body).not.toContain('my-own-secret-token');
    expect(server.stderr()).not.toContain('my-own-secret-token');
  });

  test('uses the token of the environment without printing it', async () => {
    await using own = await startHttp({ cwd: root, env: { ASSAY_TOKEN: 'a-token-of-my-own-choice' } });
    expect(own.stderr()).not.toContain('a-token-of-my-own-choice');
    await using client = await connectHttp('modern', own);
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  });

  test('exits on SIGTERM with a connected client', async () => {
    await using own = await startHttp();
    await using client = await connectHttp('legacy', own);
    await client.listTools();
    own.child.kill('SIGTERM');
    const [code] = await once(own.child, 'close');
    expect(code).toBe(0);
  });

  test('refuses a public address without authentication, and a port in use', async () => {
    expect(await runAssay(['serve', '--http', '--host', '0.0.0.0'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--host must be a loopback address'),
    });
    const { port } = new URL(server.url);
    expect(await runAssay(['serve', '--http', '--port', port])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`port ${port} is in use`),
    });
  });
});
