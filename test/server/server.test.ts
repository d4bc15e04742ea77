import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/platform/errors.ts';
import { readSettings, settings } from '../../src/platform/settings.ts';
import { createTokenAuthenticator } from '../../src/server/auth.ts';
import type { Services } from '../../src/server/services.ts';
import type { ToolContext } from '../../src/tool/tool.ts';
import { createEchoSurface, type Run } from '../support/server/echo.ts';
import { serveSurface } from '../support/server/in-process.ts';

type Mode = 'legacy' | { pin: string };

/** A server with a tool that does what a test wants it to. */
async function serve(run: Run, services: Partial<Services> = {}, mode: Mode = { pin: '2026-07-28' }) {
  const logged: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
  const surface = await createEchoSurface(run, { log, ...services });
  const served = await serveSurface(surface, {
    authenticator: createTokenAuthenticator('the-token-of-this-test'),
    log,
  });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(served.url), {
      requestInit: { headers: { authorization: 'Bearer the-token-of-this-test' } },
    }),
  );
  return {
    logged,
    say: (text: unknown, options = {}) => client.callTool({ name: 'say', arguments: { text } }, options),
    async [Symbol.asyncDispose]() {
      await client.close();
      await served.close();
    },
  };
}

describe('a result', () => {
  test('is structured content and the same as compact text', async () => {
    await using server = await serve(async ({ text }) => ({ said: text }));
    expect(await server.say('hello')).toMatchObject({
      structuredContent: { said: 'hello' },
      content: [{ type: 'text', text: '{"said":"hello"}' }],
    });
  });

  const picture = (number: number) => ({
    ...{ uri: `echo://${number}`, name: `Page ${number}`, data: Buffer.from(`JPEG ${number}`) },
    mimeType: 'image/jpeg' as const,
  });
  const image = { type: 'image', data: Buffer.from('JPEG 2').toString('base64'), mimeType: 'image/jpeg' };
  const links = [1, 2].map((number) => ({
    ...{ type: 'resource_link', uri: `echo://${number}`, name: `Page ${number}`, mimeType: 'image/jpeg' },
  }));

  test('has its last picture as an image, and all pictures and large files as links', async () => {
    await using server = await serve(async (_args, { attachLink, attachPicture }) => {
      attachLink({ uri: 'file:///report.html', name: 'report', mimeType: 'text/html' });
      return { said: [1, 2].map((number) => attachPicture(picture(number))).join() };
    });
    const { content, structuredContent } = await server.say('');
    expect(structuredContent).toEqual({ said: 'echo://1,echo://2' });
    const report = { type: 'resource_link', uri: 'file:///report.html', name: 'report', mimeType: 'text/html' };
    expect(content.slice(1)).toEqual([image, report, ...links]);
  });

  test('has the pictures of a failure too', async () => {
    await using server = await serve(async (_args, { attachPicture }) => {
      throw new Failure('conflict', 'BUSY', [1, 2].map((number) => attachPicture(picture(number))).join());
    });
    const { content } = await server.say('');
    expect(content).toEqual([{ type: 'text', text: '[BUSY] echo://1,echo://2' }, image, ...links]);
  });

  test('has pictures in base64 where the operator wants them inline', async () => {
    const setting = readSettings([settings.screenshots], ['--screenshots', 'inline'], {}).get;
    const run: Run = async (_args, { attachPicture }) => ({ said: attachPicture(picture(2)) });
    await using server = await serve(run, { setting });
    expect(await server.say('')).toMatchObject({
      structuredContent: { said: image.data },
      content: [{}, image, links[1]],
    });
  });

  test('is computed in the context of its caller', async () => {
    let seen: ToolContext | undefined;
    await using server = await serve(async (_args, context) => {
      seen = context;
      return { said: '' };
    });
    await server.say('');
    expect(seen).toMatchObject({ cwd: '/somewhere', principal: { issuer: 'local', client: 'http' } });
  });
});

describe('a failure', () => {
  test('has the error shape of its toolset', async () => {
    await using server = await serve(async () => {
      throw new Failure('conflict', 'BUSY', 'Another caller is served; wait.');
    });
    expect(await server.say('')).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: '[BUSY] Another caller is served; wait.' }],
      structuredContent: { code: 'BUSY' },
    });
    expect(server.logged).toEqual([]);
  });

  test('is sent to an older client as text only, because it validates data against the output schema', async () => {
    const busy: Run = async () => {
      throw new Failure('conflict', 'BUSY', 'Another caller is served; wait.');
    };
    await using server = await serve(busy, {}, 'legacy');
    const { isError, content, structuredContent } = await server.say('');
    expect({ isError, content }).toEqual({
      isError: true,
      content: [{ type: 'text', text: '[BUSY] Another caller is served; wait.' }],
    });
    expect(structuredContent).toBeUndefined();
  });

  test('of the arguments has that shape too', async () => {
    await using server = await serve(async () => ({ said: '' }));
    expect(await server.say(5)).toMatchObject({
      isError: true,
      content: [{ text: '[INVALID_ARGUMENTS] Invalid arguments for say: text: expected string, got 5.' }],
    });
  });

  test.each<[string, Run]>([
    [
      'an exception',
      async () => {
        throw new TypeError('secret detail of the inside');
      },
    ],
    ['a result that breaks the promise of the schema', async () => ({ said: 'secret detail of the inside' })],
  ])('that is unexpected, %s, is an id for the caller and a stack for the log', async (_what, run) => {
    await using server = await serve(run);
    const result = await server.say('');
    const text = JSON.stringify(result.content);
    expect(result.isError).toBe(true);
    expect(text).not.toContain('secret detail');
    const id = /Internal error ([0-9a-f-]{36})/.exec(text)?.[1] ?? 'none';
    const line = server.logged.find((logged) => logged.includes(id));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ tool: 'say', errorId: id, err: { stack: expect.any(String) } });
    expect((await server.say(''))?.isError).toBe(true);
  });
});

describe('a call', () => {
  const untilAborted =
    (aborted: (reason: unknown) => void): Run =>
    async (_args, { signal, progress }) => {
      progress(1, 2, 'begun');
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      aborted(signal.reason);
      signal.throwIfAborted();
      return { said: '' };
    };

  test('stops when the caller cancels', async () => {
    const { promise: aborted, resolve } = Promise.withResolvers();
    await using server = await serve(untilAborted(resolve));
    const cancel = new AbortController();
    const call = server.say('', { signal: cancel.signal, onprogress: () => cancel.abort() });
    await expect(call).rejects.toThrow();
    await aborted;
    expect(server.logged).toEqual([]);
  });

  test('stops when the server shuts down', async () => {
    const { promise: aborted, resolve } = Promise.withResolvers();
    const shutdown = new AbortController();
    await using server = await serve(untilAborted(resolve), { shutdown: shutdown.signal });
    const result = await server.say('', { onprogress: () => shutdown.abort() });
    await aborted;
    expect(result).toMatchObject({ isError: true, content: [{ text: '[CANCELLED] The call was cancelled.' }] });
  });
});
