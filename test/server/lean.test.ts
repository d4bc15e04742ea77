import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../src/platform/log.ts';
import type { Authenticator } from '../../src/server/auth.ts';
import { createLeanSurface } from '../../src/server/lean-surface.ts';
import { type Connection, connectHttp, connectStdio, eras, type HttpServer, startHttp } from '../support/assay.ts';
import { type Folder, lcov, newFolder } from '../support/folders.ts';
import { createEchoSurface } from '../support/server/echo.ts';
import { serveSurface } from '../support/server/in-process.ts';

const tokensOf = (value: unknown) => JSON.stringify(value).length / 4;

let folder: Folder;
let server: HttpServer;
beforeAll(async () => {
  folder = await newFolder();
  await writeFile(join(folder.path, 'lcov.info'), lcov({ 'src/a.js': [1, 0, 0, 1] }));
  server = await startHttp({ args: ['--lean', '--toolsets', 'coverage', '--folders', '.'], cwd: folder.path });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const transports: Record<string, () => Promise<Connection>> = {
  stdio: () => connectStdio('modern', { args: ['--lean'], cwd: folder.path }),
  HTTP: () => connectHttp('modern', server),
};

describe.each(Object.entries(transports))('over %s', (_name, connect) => {
  test('finds a tool and calls it with the result of a direct call', async () => {
    await using client = await connect();
    const found = await client.callTool({ name: 'assay_find_tools', arguments: { query: 'which lines are untested' } });
    expect(found.structuredContent).toMatchObject({
      tools: expect.arrayContaining([
        expect.objectContaining({
          name: 'get_uncovered_lines',
          inputSchema: expect.objectContaining({ type: 'object' }),
        }),
      ]),
    });
    const args = { lcovPath: 'lcov.info' };
    const direct = await client.callTool({ name: 'get_uncovered_lines', arguments: args });
    const through = await client.callTool({
      name: 'assay_call_tool',
      arguments: { name: 'get_uncovered_lines', arguments: args },
    });
    expect(direct.isError).toBeFalsy();
    expect(through).toEqual(direct);
  });

  test('returns the errors of a direct call', async () => {
    await using client = await connect();
    for (const args of [{}, { lcovPath: 'missing.info' }, { lcovPath: 5 }]) {
      const direct = await client.callTool({ name: 'get_overall_coverage', arguments: args });
      const through = await client.callTool({
        name: 'assay_call_tool',
        arguments: { name: 'get_overall_coverage', arguments: args },
      });
      expect(direct.isError).toBe(true);
      expect(through).toEqual(direct);
    }
  });

  test('explains a wrong name and wrong arguments of its own two tools', async () => {
    await using client = await connect();
    const answer = async (name: string, args: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: args });
      expect(result.isError).toBe(true);
      return JSON.stringify(result.content);
    };
    expect(await answer('assay_call_tool', { name: 'get_overal_coverage' })).toMatch(
      /not found. Did you mean get_overall_coverage\? Search with assay_find_tools/,
    );
    expect(await answer('assay_call_tool', {})).toMatch(/name: missing/);
    expect(await answer('assay_find_tools', { query: 'x', limit: 50 })).toMatch(/limit/);
  });
});

test('lists at most 12 entry tools and its own two, in less than 3,000 tokens', async () => {
  await using client = await connectStdio('modern', { args: ['--lean'] });
  const { tools } = await client.listTools();
  expect(tools.length).toBeLessThanOrEqual(14);
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['assay_find_tools', 'assay_call_tool']));
  expect(tools.filter(({ outputSchema }) => outputSchema)).toEqual([]);
  expect(tokensOf(tools) + tokensOf(client.getInstructions())).toBeLessThan(3000);
});

test('lists the entry tools of the chosen toolsets only', async () => {
  await using client = await connectHttp('modern', server);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names.toSorted()).toEqual([
    'assay_call_tool',
    'assay_find_tools',
    'get_overall_coverage',
    'get_patch_coverage',
  ]);
});

test('can be chosen by one request to a server that lists everything', async () => {
  await using full = await startHttp({ cwd: folder.path });
  await using client = await connectHttp('modern', full, { query: '?lean=true' });
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('assay_find_tools');
});

describe.each(eras)('with scopes, in the %s era', (era) => {
  const readers: Authenticator = {
    issuers: [],
    ready: async () => true,
    authenticate: async () => ({
      ok: true,
      caller: {
        principal: { issuer: 'https://issuer.example', subject: 'reader', client: 'reader' },
        scopes: new Set(['echo:read']),
      },
    }),
  };

  test('challenges a call through assay_call_tool as a direct one', async () => {
    const surface = createLeanSurface(
      await createEchoSurface(async ({ text }) => ({ said: text })),
      createLog('error'),
    );
    const http = await serveSurface(surface, { authenticator: readers });
    try {
      await using client = await connectHttp(era, { url: http.url, token: 'any' });
      const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
      const through = (name: string) => call('assay_call_tool', { name, arguments: { text: 'hello' } });
      expect((await through('say')).structuredContent).toEqual({ said: 'hello' });
      await expect(call('shout', { text: 'hello' })).rejects.toThrow(/403|scope/i);
      await expect(through('shout')).rejects.toThrow(/403|scope/i);
      const found = await call('assay_find_tools', { query: 'shout say' });
      expect(JSON.stringify(found.structuredContent)).not.toContain('"shout"');
    } finally {
      await http.close();
    }
  });
});
