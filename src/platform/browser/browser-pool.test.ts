import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createRawServer } from 'node:net';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testHome } from '../../../test/sites/workspace.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { createPublicAddressGuard } from '../network/address-guard.ts';
import { type BrowserPool, createBrowserPool } from './browser-pool.ts';
import { startGuardProxy } from './guard-proxy.ts';

let pool: BrowserPool;
let url: string;
let visits = 0;
const site = createServer((_request, response) => {
  visits++;
  response.setHeader('content-type', 'text/html');
  response.end('<title>Inside</title>');
});
beforeAll(async () => {
  pool = createBrowserPool({ home: testHome });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const { port } = site.address() as AddressInfo;
  url = `http://127.0.0.1:${port}/`;
});
afterAll(async () => {
  await pool.close();
  site.close();
});

test('shares one browser among contexts and counts open ones', async () => {
  {
    await using one = await pool.open({ allowedPrivateAddresses: undefined });
    await using _two = await pool.open({ allowedPrivateAddresses: undefined });
    const page = await one.context.newPage();
    await page.goto(url);
    expect(await page.title()).toBe('Inside');
    expect(pool.counts()).toEqual({ browsers: 1, contexts: 2 });
  }
  expect(pool.counts()).toEqual({ browsers: 1, contexts: 0 });
});

test('blocks private addresses for every kind of request in a guarded context', async () => {
  await using guarded = await pool.open({ allowedPrivateAddresses: [] });
  const page = await guarded.context.newPage();
  const before = visits;
  const answer = await page.goto(url).catch(() => undefined);
  expect(answer?.status() ?? 403).toBe(403);
  expect(visits).toBe(before);
  await page.goto('data:text/html,<p>free</p>');
  expect(await page.evaluate(() => typeof RTCPeerConnection)).toBe('undefined');
  await using allowed = await pool.open({ allowedPrivateAddresses: ['127.0.0.1'] });
  const other = await allowed.context.newPage();
  expect((await other.goto(url))?.status()).toBe(200);
});

/** All that a page can do to make its browser ask for something. */
const ways = (inside: string) => `<!doctype html><title>Outside</title>
${['prefetch', 'preconnect', 'stylesheet', 'icon', 'manifest', 'prerender'].map((rel) => `<link rel="${rel}" href="${inside}/${rel}">`).join('')}
<link rel="preload" as="script" href="${inside}/preload">
<script type="speculationrules">${JSON.stringify({
  prefetch: [
    { source: 'list', urls: [`${inside}/speculative`], eagerness: 'immediate' },
    {
      source: 'list',
      urls: [`${inside}/anonymous`],
      requires: ['anonymous-client-ip-when-cross-origin'],
      eagerness: 'immediate',
    },
  ],
  prerender: [{ source: 'list', urls: [`${inside}/prerendered`], eagerness: 'immediate' }],
})}</script>
${['iframe', 'img', 'embed', 'video', 'script'].map((tag) => `<${tag} src="${inside}/${tag}"></${tag}><${tag} src="/redirect"></${tag}>`).join('')}
<object data="${inside}/object"></object><a ping="${inside}/ping" href="#there">ping</a>`;

test('blocks private addresses for an allowed page by request, socket, worker, redirect and spelling', async () => {
  const { port } = site.address() as AddressInfo;
  const inside = `http://127.0.0.1:${port}`;
  const outside = createServer(({ url: path }, response) => {
    if (path === '/redirect') response.writeHead(302, { location: `${inside}/redirected` });
    else response.setHeader('content-type', path === '/worker.js' ? 'text/javascript' : 'text/html');
    response.end(path === '/worker.js' ? `fetch('${inside}/worker'); new WebSocket('${inside}/socket')` : ways(inside));
  });
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
  let packets = 0;
  const stun = createSocket('udp4', () => packets++);
  await new Promise<void>((resolve) => stun.bind(0, '127.0.0.1', resolve));
  const before = visits;
  // By its name it is allowed, by its address it is not.
  await using opened = await pool.open({ allowedPrivateAddresses: ['localhost'] });
  const page = await opened.context.newPage();
  const home = `http://localhost:${(outside.address() as AddressInfo).port}/`;
  expect((await page.goto(home))?.status()).toBe(200);
  const spelled = ['[::1]', '0.0.0.0', '127.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', 'sub.localhost'];
  const got = await page.evaluate(
    async ({ inside, addresses, stunPort }) => {
      navigator.sendBeacon(`${inside}/beacon`, 'x');
      new Worker('/worker.js');
      new SharedWorker('/worker.js');
      window.open(`${inside}/window`);
      document.querySelector('a')?.click();
      const frame = document.body.appendChild(document.createElement('iframe'));
      for (const Peer of [frame.contentWindow, window.open('about:blank')].map((view) =>
        Reflect.get(view ?? {}, 'RTCPeerConnection'),
      )) {
        if (!Peer) continue;
        const peer = new Peer({ iceServers: [{ urls: `stun:127.0.0.1:${stunPort}` }] });
        peer.createDataChannel('x');
        await peer.setLocalDescription(await peer.createOffer());
      }
      const heard = (target: EventTarget) =>
        new Promise<string>((resolve) => {
          for (const name of ['open', 'load', 'error'])
            target.addEventListener(name, () => resolve(name), { once: true });
        });
      const request = new XMLHttpRequest();
      request.open('POST', `${inside}/xhr`);
      request.send('x');
      const socket = new WebSocket(`${inside.replace('http', 'ws')}/socket`);
      const events = new EventSource(`${inside}/events`);
      const asked = addresses.map((address) =>
        fetch(address).then(
          (answer) => answer.text(),
          () => 'error',
        ),
      );
      return Promise.all([heard(request), heard(socket), heard(events), ...asked]);
    },
    {
      inside,
      addresses: [`${inside}/fetch`, '/redirect', ...spelled.map((host) => `http://${host}:${port}/`)],
      stunPort: stun.address().port,
    },
  );
  expect(new Set(got)).toEqual(new Set(['error']));
  expect((await page.goto(`${home}redirect`))?.status()).toBe(403);
  expect(visits).toBe(before);
  expect(packets).toBe(0);
  outside.closeAllConnections();
  outside.close();
  stun.close();
});

test('opens no local file in a guarded context', async () => {
  await using guarded = await pool.open({ allowedPrivateAddresses: [] });
  const page = await guarded.context.newPage();
  const file = new URL(import.meta.url).href;
  for (const address of [file, `view-source:${file}`]) await expect(page.goto(address)).rejects.toThrow();
  // The browser's own page about it may still be on its way.
  const shown = await eventually(() => page.content());
  expect(shown).not.toContain('opens no file');
});

test.each([
  ['a trailer that cannot be', '200 OK\r\nTrailer: X\r\nContent-Length: 2\r\n\r\nhi'],
  ['a status of zero', '000 Zero\r\nContent-Length: 2\r\n\r\nhi'],
  ['another protocol', '101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
])('survives a site that answers with %s', async (_what, answer) => {
  const hostile = createRawServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(`HTTP/1.1 ${answer}`));
  });
  await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
  await using guarded = await pool.open({ allowedPrivateAddresses: ['127.0.0.1'] });
  const page = await guarded.context.newPage();
  const { port } = hostile.address() as AddressInfo;
  await page.goto(`http://127.0.0.1:${port}/`).catch(() => {});
  const next = await guarded.context.newPage();
  expect((await next.goto(url))?.status()).toBe(200);
  hostile.close();
});

test('closes the context when its signal is aborted, whatever its page does', async () => {
  const stop = new AbortController();
  const { context } = await pool.open({ allowedPrivateAddresses: undefined, signal: stop.signal });
  const page = await context.newPage();
  const forever = page.evaluate(() => new Promise(() => {})).catch((error: Error) => error.message);
  stop.abort();
  expect(await forever).toContain('closed');
  await expect.poll(() => pool.counts().contexts).toBe(0);
  await expect(pool.open({ allowedPrivateAddresses: undefined, signal: stop.signal })).rejects.toThrow();
});

test('closes a browser whose contexts were all aborted, and keeps one that is in use', async () => {
  const stop = new AbortController();
  const { signal } = stop;
  const others = await pool.open({ allowedPrivateAddresses: undefined });
  await Promise.all([
    pool.open({ allowedPrivateAddresses: undefined, signal }),
    pool.open({ allowedPrivateAddresses: undefined, signal }),
  ]);
  stop.abort();
  await expect.poll(() => pool.counts()).toEqual({ browsers: 1, contexts: 1 });
  expect(await others.context.newPage()).toBeDefined();
  await others[Symbol.asyncDispose]();
  await expect.poll(() => pool.counts()).toEqual({ browsers: 0, contexts: 0 });
  // One that only waits for the next is ended by who comes too late to use it.
  await (await pool.open({ allowedPrivateAddresses: undefined }))[Symbol.asyncDispose]();
  expect(pool.counts()).toEqual({ browsers: 1, contexts: 0 });
  await expect(pool.open({ allowedPrivateAddresses: undefined, signal })).rejects.toThrow();
  await expect.poll(() => pool.counts()).toEqual({ browsers: 0, contexts: 0 });
});

test('replaces a browser that dies while a context is opened', async () => {
  const { context } = await pool.open({ allowedPrivateAddresses: undefined });
  const session = await context.browser()?.newBrowserCDPSession();
  session?.send('Browser.crash').catch(() => {});
  await using next = await pool.open({ allowedPrivateAddresses: undefined });
  expect(await next.context.newPage()).toBeDefined();
});

test('replaces a browser that died', async () => {
  const { context } = await pool.open({ allowedPrivateAddresses: undefined });
  await context.browser()?.close();
  await using again = await pool.open({ allowedPrivateAddresses: undefined });
  expect(await again.context.newPage()).toBeDefined();
  expect(pool.counts()).toEqual({ browsers: 1, contexts: 1 });
});

test('connects only to the address that was checked', async () => {
  let asked = 0;
  const lookup = async () => [{ address: asked++ === 0 ? '93.184.215.14' : '127.0.0.1', family: 4 }];
  const guard = createPublicAddressGuard({ lookup });
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

test('discards a trace that is not stopped when its context closes', async () => {
  // The driver's handle of the call stacks that it collects for a trace has no public name.
  const stacks = (context: BrowserContext): unknown => Reflect.get(context.tracing, '_stacksId');
  const closed = await pool.open({ allowedPrivateAddresses: undefined });
  await closed.context.tracing.start();
  expect(stacks(closed.context)).toBeDefined();
  await closed[Symbol.asyncDispose]();
  await expect.poll(() => stacks(closed.context)).toBeUndefined();
  const cancelled = new AbortController();
  const { context } = await pool.open({ allowedPrivateAddresses: undefined, signal: cancelled.signal });
  await context.tracing.start();
  cancelled.abort();
  await expect.poll(() => stacks(context)).toBeUndefined();
});
