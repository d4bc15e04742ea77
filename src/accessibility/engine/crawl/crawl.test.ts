import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { siteFailureReason } from '../../../platform/page/navigation/site-failure.ts';
import { formatCsv } from '../output/csv-rows.ts';
import { createHostThrottle } from './host-throttle.ts';
import type { HttpRequester, HttpResponse } from './http-requester.ts';
import {
  crawlPageKey,
  isDocumentUrl,
  isInScope,
  landedScope,
  normalizePageUrl,
  owningScope,
  siteScope,
} from './page-address.ts';
import { createSiteQueue } from './site-queue.ts';
import { readSitemaps } from './sitemaps.ts';
import { createVisitSchedule } from './visit-schedule.ts';

const url = (text: string) => new URL(text);

test('a scope covers whole path segments only', () => {
  const news = siteScope(url('https://www.x.nz/news'));
  const current = ['https://x.nz/news', 'https://x.nz/news/', 'https://www.x.nz/news/a?b', 'http://x.nz/news/a'];
  const not = ['https://x.nz/newsletter', 'https://x.nz/', 'https://x.nz.evil.com/news', 'https://y.nz/news'];
  expect(current.filter((each) => !isInScope(news, url(each)))).toEqual([]);
  expect(not.filter((each) => isInScope(news, url(each)))).toEqual([]);
  expect(siteScope(url('https://x.nz/a/index.html'))).toEqual({ host: 'x.nz', path: '/a' });
  expect(landedScope(url('https://x.nz/home'))).toEqual({ host: 'x.nz', path: '' });
});

test('assigns a page to the longest base URL that contains it', () => {
  const scopes = [siteScope(url('https://x.nz')), siteScope(url('https://x.nz/news'))];
  expect(owningScope(scopes, url('https://x.nz/news/1'))).toBe(scopes[1]);
  expect(owningScope(scopes, url('https://x.nz/about'))).toBe(scopes[0]);
});

test('gives all spellings of a page address the same key', () => {
  const keys = ['https://x.nz/a', 'https://www.x.nz/a/', 'http://x.nz/a'].map((each) => crawlPageKey(url(each)));
  expect(new Set(keys).size).toBe(1);
  expect(normalizePageUrl('#/route', 'https://x.nz/', false)?.href).toBe('https://x.nz/');
  expect(normalizePageUrl('#/route', 'https://x.nz/', true)?.href).toBe('https://x.nz/#/route');
  expect(normalizePageUrl('javascript:void(0)', 'https://x.nz/', true)).toBeUndefined();
  expect([
    isDocumentUrl(url('https://x.nz/a.PDF')),
    isDocumentUrl(url('https://x.nz/a.html')),
    isDocumentUrl(url('https://x.nz/v1.2/')),
  ]).toEqual([true, false, false]);
});

const serving =
  (files: Record<string, string | Buffer>): HttpRequester =>
  async (_, address): Promise<HttpResponse> => {
    const body = files[address];
    return {
      url: address,
      status: body === undefined ? 404 : 200,
      contentType: '',
      retryAfterMs: undefined,
      body: async () => Buffer.from(body ?? ''),
      bodyStart: async () => Buffer.from(body ?? ''),
      discard: async () => {},
    };
  };

test('reads sitemap indexes and gzipped sitemaps, and skips unreadable ones', async () => {
  const files: Record<string, string | Buffer> = {
    'https://x.nz/index.xml':
      '<sitemapindex><sitemap><loc>https://x.nz/a.xml.gz</loc></sitemap><sitemap><loc>https://x.nz/index.xml</loc></sitemap></sitemapindex>',
    'https://x.nz/a.xml.gz': gzipSync('<urlset><url><loc> https://x.nz/1?a=1&amp;b=2 </loc></url></urlset>'),
  };
  const request = serving(files);
  const { pages } = await readSitemaps({
    request,
    declaredUrls: ['https://x.nz/index.xml', 'nonsense'],
    origin: 'https://x.nz',
    limitMs: 1,
  });
  expect(pages).toEqual([{ url: 'https://x.nz/1?a=1&b=2', sitemap: 'https://x.nz/a.xml.gz' }]);
});

test('queues found pages in the order of their parents, not in the order of completion', () => {
  const site = createSiteQueue(0, { organisation: '', sector: '', url: 'https://x.nz/' }, 0);
  const found = (...paths: string[]) => paths.map((path) => ({ url: `https://x.nz/${path}`, parent: '' }));
  const end = { outcome: 'scanned', isSiteFailure: false } as const;
  site.take();
  site.end(0, { ...end, foundPages: found('a', 'b') });
  const [a, b] = [site.take(), site.take()];
  site.end(b?.position ?? -1, { ...end, foundPages: found('b1') });
  expect(site.peek()).toBeUndefined();
  site.end(a?.position ?? -1, { ...end, foundPages: found('a1', 'b1') });
  expect([site.take()?.url, site.take()?.url, site.take()]).toEqual(['https://x.nz/a1', 'https://x.nz/b1', undefined]);
});

test('reduces the load on a host in trouble and recovers slowly', () => {
  let now = 0;
  const hosts = createHostThrottle(4, 200, () => now);
  hosts.begin('x');
  expect(hosts.waitMs('x')).toBe(200);
  now = 200;
  hosts.begin('x');
  expect(hosts.waitMs('x')).toBe(Number.POSITIVE_INFINITY);
  hosts.end('x', 'trouble');
  expect(hosts.waitMs('x')).toBe(Number.POSITIVE_INFINITY);
  hosts.end('x', 'unknown');
  now = 1000;
  hosts.begin('x');
  expect(hosts.waitMs('x')).toBe(Number.POSITIVE_INFINITY);
  hosts.end('x', 'good');
  for (let page = 0; page < 10; page++) {
    now += 1000;
    hosts.begin('x');
    hosts.end('x', 'good');
  }
  now += 1000;
  hosts.begin('x');
  expect(hosts.waitMs('x')).toBe(200);
});

test('keeps the minimum gap of a host from the first page on, after successes and failures', () => {
  let now = 0;
  const hosts = createHostThrottle(4, 200, () => now);
  hosts.begin('x');
  hosts.setMinimumGap('x', 20_000);
  expect([hosts.waitMs('x'), hosts.waitMs('y')]).toEqual([20_000, 0]);
  for (const health of ['good', 'trouble', 'good', 'good'] as const) {
    hosts.end('x', health);
    expect(hosts.waitMs('x')).toBe(20_000);
    now += 20_000;
    expect(hosts.waitMs('x')).toBe(0);
    hosts.begin('x');
  }
});

test('starts no page of a leased host, and keeps the gap after its release', () => {
  let now = 0;
  const hosts = createHostThrottle(4, 200, () => now);
  hosts.begin('x');
  now = 1000;
  expect([hosts.waitMs('x'), hosts.isFree('x'), hosts.isFree('y')]).toEqual([0, false, true]);
  hosts.end('x', 'good');
  expect(hosts.isFree('x')).toBe(true);
  hosts.lease('x');
  expect([hosts.waitMs('x'), hosts.isFree('x')]).toEqual([Number.POSITIVE_INFINITY, false]);
  hosts.report('x', 'trouble');
  hosts.release('x');
  expect(hosts.waitMs('x')).toBe(400);
});

test('gives slices of free hosts away, leaves hosts to this process, and takes unvisited pages back', async () => {
  const base = (url: string) => ({ organisation: 'o', sector: 's', url });
  const sites = ['http://a/', 'http://b/', 'http://c/'].map((url, index) => createSiteQueue(index, base(url), 3));
  const hosts = createHostThrottle(2, 0);
  const schedule = createVisitSchedule(sites, hosts, new AbortController().signal);
  const size = { leaveHosts: 1, most: (pages: number) => pages, mayTake: () => true };
  const seen: number[] = [];
  const first = await schedule.takeSlice({ ...size, most: (pages) => seen.push(pages) + 1 });
  expect(seen).toEqual([3]);
  expect(first?.map(({ url }) => url)).toEqual(['http://c/', 'http://b/']);
  expect((await schedule.take())?.url).toBe('http://a/');
  const found = ['1', '2', '3'].map((path) => ({ url: `http://b/${path}`, parent: 'http://b/' }));
  sites[1]?.end(0, { outcome: 'scanned', isSiteFailure: false, foundPages: found });
  hosts.release('b');
  const next = await schedule.takeSlice({ ...size, leaveHosts: 0 });
  expect(next?.map(({ url }) => url)).toEqual(['http://b/1', 'http://b/2']);
  expect(sites[1]?.takeable).toBe(0);
  sites[1]?.end(1, { outcome: 'failed', isSiteFailure: false, foundPages: [] });
  sites[1]?.giveBack(2);
  expect([sites[1]?.takeable, sites[1]?.rest().pages.length]).toEqual([2, 2]);
  expect([sites[1]?.take()?.position, sites[1]?.take()?.position, sites[1]?.take()]).toEqual([2, 3, undefined]);
});

test('writes CSV with a byte order mark, one header, CRLF and quotes', () => {
  expect(formatCsv([{ a: 'x,"y"', b: 1 }], true)).toBe('\uFEFFa,b\r\n"x,""y""",1\r\n');
  expect(formatCsv([{ a: 'two\nlines', b: '' }], false)).toBe('"two\nlines",\r\n');
});

test('describes network errors', async () => {
  const failed = (code: string) => new Error('fetch failed', { cause: Object.assign(new Error('no'), { code }) });
  expect(
    ['ENOTFOUND', 'ECONNREFUSED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UND_ERR_SOCKET'].map(failed).map(siteFailureReason),
  ).toEqual([
    'the host cannot be found',
    'the connection was refused',
    'its certificate or TLS is not valid',
    'the connection broke',
  ]);
  expect(siteFailureReason(new Error('page.goto: net::ERR_TOO_MANY_REDIRECTS at x'))).toBe('it redirects in a circle');
  const badPort = await fetch('http://127.0.0.1:6666/').catch((error: unknown) => error);
  expect(siteFailureReason(badPort)).toBe('it leads to an address that browsers do not open');
});

test('reads a sitemap that is built to be slow to parse', async () => {
  const hostile = `<urlset>${'<loc><![CDATA['.repeat(20_000)}${'<loc>'.repeat(100_000)}<url><loc>https://x.nz/a</loc></url>`;
  const request = serving({ 'https://x.nz/sitemap.xml': hostile });
  const { pages } = await readSitemaps({ request, declaredUrls: [], origin: 'https://x.nz', limitMs: 1000 });
  expect(pages.map((page) => page.url)).toEqual(['https://x.nz/a']);
});
