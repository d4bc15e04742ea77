import { gunzipSync } from 'node:zlib';
import type { Requester } from './requests.ts';

const MOST_SITEMAPS = 50;
const MOST_URLS = 100_000;
const MOST_BYTES = 20 * 1024 * 1024;

interface SitemapPage {
  url: string;
  sitemap: string;
}

interface SitemapOptions {
  request: Requester;
  /** Addresses that robots.txt names. */
  named: readonly string[];
  origin: string;
  limitMs: number;
}

export interface Sitemaps {
  pages: SitemapPage[];
  /** There are pages or maps beyond those that were read. */
  more: boolean;
}

/** All pages that a site's sitemaps name, in their order. What cannot be read is passed over: a sitemap is a help, no duty. */
export async function readSitemaps({ request, named, origin, limitMs }: SitemapOptions): Promise<Sitemaps> {
  const waiting = [...new Set([...named, `${origin}/sitemap.xml`])];
  const seen = new Set<string>();
  const pages: SitemapPage[] = [];
  let more = false;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (seen.has(next)) continue;
    if (seen.size >= MOST_SITEMAPS || pages.length >= MOST_URLS) return { pages, more: true };
    seen.add(next);
    const text = await read(request, next, limitMs);
    if (text === undefined) continue;
    const addresses = locations(text);
    if (/<sitemapindex[\s>]/i.test(text)) {
      for (const address of addresses) waiting.push(address);
      continue;
    }
    const room = MOST_URLS - pages.length;
    more ||= addresses.length > room;
    for (const url of addresses.slice(0, room)) pages.push({ url, sitemap: next });
  }
  return { pages, more };
}

async function read(request: Requester, url: string, limitMs: number): Promise<string | undefined> {
  if (!URL.canParse(url)) return undefined;
  try {
    const answer = await request('GET', url, limitMs);
    if (answer.status !== 200) {
      await answer.discard();
      return undefined;
    }
    const bytes = await answer.body(MOST_BYTES);
    const packed = bytes?.[0] === 0x1f && bytes[1] === 0x8b;
    return (bytes && packed ? gunzipSync(bytes, { maxOutputLength: MOST_BYTES }) : bytes)?.toString('utf8');
  } catch {
    return undefined;
  }
}

function locations(xml: string): string[] {
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
