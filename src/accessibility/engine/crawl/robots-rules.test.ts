import { Agent } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { type SiteHandler, serveSite } from '../../../../test/sites/serve.ts';
import { createHttpRequester } from './http-requester.ts';
import { createRobotsCache } from './robots-cache.ts';
import { parseRobots } from './robots-rules.ts';

const origin = 'https://x.nz';

function allowed(text: string, path: string, token = 'Assay'): boolean {
  return parseRobots(origin, text, token).isAllowed(new URL(path, origin));
}

test('applies the longest rule of the matching group, and allow on a tie', () => {
  const text =
    'User-agent: other\nDisallow: /\n\nUser-agent: AssayBot\nUser-agent: second\nDisallow: /a # why\nAllow: /a/b\nDisallow: /*.php$\nDisallow: /tie\nAllow: /tie\nSitemap: https://x.nz/map.xml';
  const isAllowed = (path: string) => allowed(text, path, 'assaybot');
  expect(['/', '/a/b/c', '/x.php?y', '/tie', '/robots.txt'].map(isAllowed)).toEqual([true, true, true, true, true]);
  expect(['/a', '/ab', '/a/c', '/x.php'].map(isAllowed)).toEqual([false, false, false, false]);
  expect(parseRobots(origin, text, 'x').sitemaps).toEqual(['https://x.nz/map.xml']);
  expect(allowed('User-agent: *\nDisallow: /', '/')).toBe(false);
  expect(allowed('User-agent: *\nDisallow:', '/')).toBe(true);
});

test.each([
  ['a path with letters outside of ASCII', 'User-agent: *\nDisallow: /größe', '/größe/x', false],
  ['the same path, encoded in the file', 'User-agent: *\nDisallow: /gr%C3%B6%C3%9Fe', '/größe', false],
  ['lower-case escapes', 'User-agent: *\nDisallow: /a%3cb', '/a<b', false],
  ['an escape that is not needed', 'User-agent: *\nDisallow: /%7Ejoe', '/~joe', false],
  ['an escape that is not needed in the address', 'User-agent: *\nDisallow: /~joe', '/%7ejoe', false],
  ['an escaped slash, which is another path', 'User-agent: *\nDisallow: /a%2Fb', '/a/b', true],
  ['square brackets', 'User-agent: *\nDisallow: /a[1]', '/a[1]', false],
  ['square brackets in a query', 'User-agent: *\nDisallow: /*?sort[by]=', '/p?sort[by]=a', false],
  ['square brackets, encoded in the file', 'User-agent: *\nDisallow: /%5b', '/[', false],
  ['square brackets, encoded in the address', 'User-agent: *\nDisallow: /a[', '/a%5b', false],
  ['a vertical bar', 'User-agent: *\nDisallow: /a|b', '/a|b', false],
  ['braces', 'User-agent: *\nDisallow: /{a}?f={a}', '/{a}?f={a}', false],
  ['a backtick', 'User-agent: *\nDisallow: /`?`', '/`?`', false],
  ['apostrophes, which a URL encodes in its query only', "User-agent: *\nDisallow: /'?q='x'", "/'?q='x'", false],
  ['a caret', 'User-agent: *\nDisallow: /x^y', '/x^y', false],
  ['a percent sign without digits', 'User-agent: *\nDisallow: /100%', '/100%/x', false],
  ['an escaped percent sign', 'User-agent: *\nDisallow: /%2541', '/A', true],
  ['an escaped asterisk', 'User-agent: *\nDisallow: /file-with-a-%2A.html', '/file-with-a-*.html', false],
  ['an escaped asterisk, which is no wildcard', 'User-agent: *\nDisallow: /a%2Ab', '/axb', true],
  ['an escaped dollar sign', 'User-agent: *\nDisallow: /foo-%24', '/foo-$/x', false],
  ['an emoji', 'User-agent: *\nDisallow: /😀', '/😀', false],
  ['a group with a version', 'User-agent: Assay/1.0\nDisallow: /', '/', false],
  ['a group with a comment behind the product', 'User-agent: assay (+https://x.nz)\nDisallow: /', '/', false],
  ['another product whose name starts alike', 'User-agent: AssayOther\nDisallow: /', '/', true],
  ['a byte order mark', '\uFEFFUser-agent: *\nDisallow: /', '/', false],
  ['lines that end with CR alone', 'User-agent: *\rDisallow: /a\rAllow: /b', '/a', false],
  ['lines that end with CRLF', 'User-agent: *\r\nDisallow: /a\r\n', '/a', false],
  ['a sitemap inside of a group', 'User-agent: Assay\nSitemap: /s\nUser-agent: b\nDisallow: /', '/', false],
  ['a group of its own without rules', 'User-agent: *\nDisallow: /\n\nUser-agent: Assay\n', '/', true],
])('reads %s', (_, text, path, expected) => {
  expect(allowed(text, path)).toBe(expected);
});

test('reads the crawl delay of the matching group', () => {
  const text =
    'User-agent: *\nCrawl-delay: 20\nDisallow: /a\n\nUser-agent: AssayBot\nUser-agent: b\nCrawl-delay: 2.5 # s\n';
  const delay = (content: string, token: string) => parseRobots(origin, content, token).crawlDelay;
  expect(['assaybot', 'b', 'c'].map((token) => delay(text, token))).toEqual([2.5, 2.5, 20]);
  const invalid = ['soon', '-1', '', '1e9', 'Infinity'].map((value) => `User-agent: *\nCrawl-delay: ${value}`);
  expect(invalid.map((each) => delay(each, 'x'))).toEqual([0, 0, 0, 0, 0]);
});

test('keeps rules of any length and with any number of wildcards', () => {
  const stars = (count: number) => `/${'a*'.repeat(count)}b$`;
  const text = `User-agent: *\nDisallow: ${stars(60)}\nDisallow: ${stars(20_000)}\nDisallow: /${'*'.repeat(1_000)}d\nDisallow: /${'x'.repeat(5_000)}\n${' '.repeat(100_000)}x\nAllow${' '.repeat(100_000)}`;
  expect(allowed(text, `/${'a'.repeat(59)}b`)).toBe(true);
  expect(allowed(text, `/${'a'.repeat(60)}b`)).toBe(false);
  expect(allowed(text, `/${'a'.repeat(1_000)}c`)).toBe(true);
  expect(allowed(text, `/${'a'.repeat(1_000)}d`)).toBe(false);
  expect(allowed(text, `/${'x'.repeat(5_001)}`)).toBe(false);
});

test.each([
  ['/a*', '/a', true],
  ['/*a$', '/ba', true],
  ['/*a$', '/ab', false],
  ['/ab*b$', '/ab', false],
  ['/ab*b$', '/abb', true],
  ['/a*b*c', '/axbxc/d', true],
  ['/a*c*b$', '/axbxc', false],
  ['/a$', '/a', true],
  ['/a$', '/a/b', false],
  ['/a*$', '/abc', true],
  ['*.php', '/x.php', true],
  ['/$a', '/$ab', true],
  ['/a?b=*&c', '/a?b=1&c=2', true],
])('matches the pattern %s to the path %s: %s', (pattern, path, isMatch) => {
  expect(allowed(`User-agent: *\nDisallow: ${pattern}`, path)).toBe(!isMatch);
});

test('reads 20,000 rules and disallows a path that takes too long to match', () => {
  const rules = Array.from({ length: 20_000 }, (_, i) => `Disallow: /*a${i}*b*c$`);
  const text = ['User-agent: *', ...rules, 'Disallow: /x', 'Allow: /x/yes'].join('\n');
  const robots = parseRobots(origin, text, 'Assay');
  const paths = ['/x/yes', '/x/no', '/a19999/b/c', '/other', `/${'a'.repeat(8_000)}`];
  expect(paths.map((path) => robots.isAllowed(new URL(path, origin)))).toEqual([true, false, false, true, false]);
});

const dispatcher = new Agent();
const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of closing.splice(0)) await each[Symbol.asyncDispose]();
});

async function cacheFor(handler: SiteHandler) {
  const site = await serveSite(handler);
  closing.push(site);
  const delays: unknown[] = [];
  const request = createHttpRequester({
    userAgent: 'Assay/1.0',
    signal: new AbortController().signal,
    dispatcher,
    checkAddress: undefined,
  });
  const rulesOf = createRobotsCache({
    request,
    token: 'Assay',
    limitMs: 5_000,
    onCrawlDelay: (_host, ...seconds) => delays.push(seconds),
  });
  const isAllowed = async (path: string) => {
    const url = new URL(path, site.url);
    return (await rulesOf(url)).isAllowed(url);
  };
  return { isAllowed, delays, site };
}

const answering =
  (status: number, body = '', headers: Record<string, string> = {}) =>
  () => ({ status, type: 'text/plain', body, headers });

test('allows everything when robots.txt returns a 4xx status', async () => {
  for (const status of [400, 401, 403, 404, 410, 429]) {
    const { isAllowed } = await cacheFor(answering(status, 'User-agent: *\nDisallow: /'));
    expect(await isAllowed('/a'), String(status)).toBe(true);
  }
});

test('disallows everything while robots.txt returns a server error, and retries', async () => {
  let status = 503;
  const { isAllowed } = await cacheFor(() => answering(status, 'User-agent: *\nDisallow: /b')());
  await expect(isAllowed('/a')).rejects.toMatchObject({
    code: 'ROBOTS_UNREACHABLE',
    message: 'robots.txt returned status 503',
  });
  status = 200;
  expect([await isAllowed('/a'), await isAllowed('/b')]).toEqual([true, false]);
});

test('disallows everything while the network fails', async () => {
  const { isAllowed, site } = await cacheFor(answering(200));
  await site[Symbol.asyncDispose]();
  closing.length = 0;
  await expect(isAllowed('/a')).rejects.toThrow();
});

test('follows redirects of robots.txt, and allows everything when they loop', async () => {
  const moved = answering(301, '', { location: '/rules' });
  const rules = answering(200, 'User-agent: *\nDisallow: /a');
  const { isAllowed } = await cacheFor((path) => (path === '/rules' ? rules() : moved()));
  expect([await isAllowed('/a'), await isAllowed('/b')]).toEqual([false, true]);
  const circle = await cacheFor(answering(301, '', { location: '/robots.txt' }));
  expect(await circle.isAllowed('/a')).toBe(true);
});

test('reads the first 500 KiB of a longer file', async () => {
  const filler = `# ${'x'.repeat(97)}\n`.repeat(6_000);
  const { isAllowed } = await cacheFor(
    answering(200, `User-agent: *\nDisallow: /first\n${filler}User-agent: *\nDisallow: /last\n`),
  );
  expect([await isAllowed('/first'), await isAllowed('/last')]).toEqual([false, true]);
});

test('limits the crawl delay to 30 seconds and reports it once', async () => {
  const { isAllowed, delays } = await cacheFor(answering(200, 'User-agent: *\nCrawl-delay: 86400'));
  await isAllowed('/a');
  await isAllowed('/b');
  expect(delays).toEqual([[30, 86_400]]);
});
