import { gunzipSync } from 'node:zlib';
import type { HttpRequester } from './http-requester.ts';

const MAX_SITEMAPS = 50;
const MAX_URLS = 100_000;
const MAX_BYTES = 20 * 1024 * 1024;

interface SitemapPage {
  url: string;
  sitemap: string;
}

interface SitemapOptions {
  request: HttpRequester;
  /** Sitemap addresses that robots.txt declares. */
  declaredUrls: readonly string[];
  origin: string;
  limitMs: number;
}

export interface SitemapPages {
  pages: SitemapPage[];
  /** More pages or sitemaps exist than were read. */
  isTruncated: boolean;
}

/** Reads the pages of a site's sitemaps in order. Sitemaps that cannot be read are skipped, because they are optional. */
export async function readSitemaps({ request, declaredUrls, origin, limitMs }: SitemapOptions): Promise<SitemapPages> {
  const waiting = [...new Set([...declaredUrls, `${origin}/sitemap.xml`])];
  const seen = new Set<string>();
  const pages: SitemapPage[] = [];
  let isTruncated = false;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (seen.has(next)) continue;
    if (seen.size >= MAX_SITEMAPS || pages.length >= MAX_URLS) return { pages, isTruncated: true };
    seen.add(next);
    const text = await fetchSitemap(request, next, limitMs);
    if (text === undefined) continue;
    const addresses = parseLocations(text);
    if (/<sitemapindex[\s>]/i.test(text)) {
      for (const address of addresses) waiting.push(address);
      continue;
    }
    const remaining = MAX_URLS - pages.length;
    isTruncated ||= addresses.length > remaining;
    for (const url of addresses.slice(0, remaining)) pages.push({ url, sitemap: next });
  }
  return { pages, isTruncated };
}

async function fetchSitemap(request: HttpRequester, url: string, limitMs: number): Promise<string | undefined> {
  if (!URL.canParse(url)) return undefined;
  try {
    const answer = await request('GET', url, limitMs);
    if (answer.status !== 200) {
      await answer.discard();
      return undefined;
    }
    const bytes = await answer.body(MAX_BYTES);
    const packed = bytes?.[0] === 0x1f && bytes[1] === 0x8b;
    return (bytes && packed ? gunzipSync(bytes, { maxOutputLength: MAX_BYTES }) : bytes)?.toString('utf8');
  } catch {
    return undefined;
  }
}

function parseLocations(xml: string): string[] {
  return Array.from(xml.matchAll(/<loc>(?:\s*<!\[CDATA\[)?([^<]*)<\/loc>/gi), ([, text = '']) =>
    text
      .replace(/\]\]>\s*$/, '')
      .trim()
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&apos;', "'")
      .replaceAll('&#38;', '&')
      .replaceAll('&amp;', '&'),
  );
}
