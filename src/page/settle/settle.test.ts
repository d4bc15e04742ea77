import { beforeAll, describe, expect, test } from 'vitest';
import { loadingPages, serveLoadingPages } from '../../../test/sites/loading-pages.ts';
import { type TestServer, testPages, testServer } from '../../platform/page/test-support.ts';
import { actAndSettle, watchActivity } from './settle.ts';

const open = testPages();
let server: TestServer;
let pages: ReturnType<typeof loadingPages>;

beforeAll(async () => {
  server = await testServer(serveLoadingPages(() => pages));
  pages = loadingPages(server.url.replace('127.0.0.1', 'localhost'));
  return () => server[Symbol.asyncDispose]();
});

async function visit(name: string) {
  const page = await open('');
  const url = `${server.url}/${encodeURIComponent(name)}`;
  const result = await actAndSettle(page, () => page.goto(url, { waitUntil: 'commit' }));
  return { ...result, isReady: await page.evaluate(() => 'readyAt' in window) };
}

describe('waits for what a person would wait for', () => {
  test.each([
    'after 80 ms',
    'after 1,000 ms',
    'after 3,000 ms below a heading',
    'after a chain with pauses',
    'after an import',
    'after a slow long answer',
    'skeleton with a timer',
    'skeleton without ARIA',
    'in a shadow root',
  ])('%s', async (name) => {
    expect(await visit(name)).toMatchObject({ how: 'navigated', open: [], isReady: true });
  });
});

describe('does not wait for what changes no page', () => {
  test.each([
    'repeated poll',
    'event stream',
    'fetched stream',
    'unread answer',
    'web socket',
    'beacon',
    'pixel',
    'clock',
    'ticker',
    'carousel',
    'decoration',
    'hanging script of another site',
  ])('%s', async (name) => {
    expect(await visit(name)).toMatchObject({ how: 'navigated', open: [] });
  });
});

test('says what was still open on a page that may still change', async () => {
  expect(await visit('after 7,000 ms without a sign')).toMatchObject({
    how: 'late',
    open: [`GET ${server.url}/wait`],
    isReady: false,
  });
});

test('says that the time limit came first', async () => {
  const page = await open('');
  const url = `${server.url}/${encodeURIComponent('after 7,000 ms without a sign')}`;
  const result = await actAndSettle(page, () => page.goto(url), { timeoutMs: 2_000 });
  expect(result).toMatchObject({ how: 'late', open: [expect.stringContaining('GET ')] });
});

test('tells a page that changed from one that was replaced', async () => {
  const page = await open('<button onclick="document.body.append(1)">Add</button><a href="data:,">Away</a>');
  expect(await actAndSettle(page, () => page.click('button'))).toMatchObject({ how: 'ready', documents: 0 });
  await page.goto(`${server.url}/plain`);
  expect(await actAndSettle(page, () => page.click('text=Home'))).toMatchObject({
    how: 'navigated',
    documents: 1,
    url: `${server.url}/static`,
  });
});

test('waits for the answer to a click and the change that it makes', async () => {
  const page = await open('');
  await page.goto(`${server.url}/plain`);
  await page.setContent(
    `<button onclick="fetch('/wait?200').then((r) => r.text()).then(() => { out.textContent = 'done' })">Go</button><p id="out"></p>`,
  );
  expect(await actAndSettle(page, () => page.click('button'))).toMatchObject({ how: 'ready', open: [] });
  expect(await page.textContent('#out')).toBe('done');
});

test('ends when it is aborted and when the page is closed', async () => {
  const page = await open('');
  const stop = new AbortController();
  const act = () =>
    page.goto(`${server.url}/${encodeURIComponent('after 7,000 ms, aria-busy')}`, { waitUntil: 'commit' });
  setTimeout(() => stop.abort(new Error('stopped')), 200);
  await expect(actAndSettle(page, act, { signal: stop.signal })).rejects.toThrow('stopped');
  using activity = watchActivity(page);
  const settled = activity.settle();
  await page.close();
  expect(await settled).toMatchObject({ open: [] });
});
