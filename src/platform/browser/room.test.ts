import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testHome } from '../../../test/sites/workspace.ts';
import { publicAddressesOnly } from '../net.ts';
import { startGuardProxy } from './guard-proxy.ts';
import { type BrowserRoom, createBrowserRoom } from './room.ts';

let room: BrowserRoom;
let url: string;
let visits = 0;
const site = createServer((_request, response) => {
  visits++;
  response.setHeader('content-type', 'text/html');
  response.end('<title>Inside</title>');
});
beforeAll(async () => {
  room = createBrowserRoom({ home: testHome });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const { port } = site.address() as AddressInfo;
  url = `http://127.0.0.1:${port}/`;
});
afterAll(async () => {
  await room.close();
  site.close();
});

test('contexts share one browser, and are counted while they are open', async () => {
  {
    await using one = await room.open({ inside: undefined });
    await using _two = await room.open({ inside: undefined });
    const page = await one.context.newPage();
    await page.goto(url);
    expect(await page.title()).toBe('Inside');
    expect(room.counts()).toEqual({ browsers: 1, contexts: 2 });
  }
  expect(room.counts()).toEqual({ browsers: 1, contexts: 0 });
});

test('a guarded context reaches nothing inside, by no way that pages have', async () => {
  await using guarded = await room.open({ inside: [] });
  const page = await guarded.context.newPage();
  const before = visits;
  const answer = await page.goto(url).catch(() => undefined);
  expect(answer?.status() ?? 403).toBe(403);
  expect(visits).toBe(before);
  await page.goto('data:text/html,<p>free</p>');
  expect(await page.evaluate(() => typeof RTCPeerConnection)).toBe('undefined');
  await using allowed = await room.open({ inside: ['127.0.0.1'] });
  const other = await allowed.context.newPage();
  expect((await other.goto(url))?.status()).toBe(200);
});

test('what a signal ends is gone, whatever its page was doing', async () => {
  const stop = new AbortController();
  const { context } = await room.open({ inside: undefined, signal: stop.signal });
  const page = await context.newPage();
  const forever = page.evaluate(() => new Promise(() => {})).catch((error: Error) => error.message);
  stop.abort();
  expect(await forever).toContain('closed');
  await expect.poll(() => room.counts().contexts).toBe(0);
  await expect(room.open({ inside: undefined, signal: stop.signal })).rejects.toThrow();
});

test('a browser that died is replaced', async () => {
  const { context } = await room.open({ inside: undefined });
  await context.browser()?.close();
  await using again = await room.open({ inside: undefined });
  expect(await again.context.newPage()).toBeDefined();
  expect(room.counts()).toEqual({ browsers: 1, contexts: 1 });
});

test('a name that changes its address after the check leads nowhere', async () => {
  let asked = 0;
  const lookup = async () => [{ address: asked++ === 0 ? '93.184.215.14' : '127.0.0.1', family: 4 }];
  const guard = publicAddressesOnly({ lookup });
  const proxy = await startGuardProxy(guard.check, guard.lookup);
  const before = visits;
  const { port } = site.address() as AddressInfo;
  const { ProxyAgent, fetch } = await import('undici');
  const dispatcher = new ProxyAgent({ uri: proxy.server, proxyTunnel: false });
  const visit = fetch(`http://rebinding.example:${port}/`, { dispatcher });
  await expect(visit).rejects.toThrow();
  expect(asked).toBeGreaterThan(1);
  expect(visits).toBe(before);
  proxy.close();
});
