import { createAddressGuard } from '../../../platform/network/address-guard.ts';
import { isFileUrl, isRepeatingPath, isSafeLink, normaliseUrl } from '../site-urls.ts';

const ANSWERS_WITHIN_MS = 10_000;
const MOST_BYTES = 5_000_000;
const MOST_PAGES = 200;
const MOST_SITEMAPS = 5;

/** Pages that the sitemap of the site names. Returns none if it is missing or invalid. */
export async function readSitemapUrls(
  origin: string,
  inside: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<URL[]> {
  const waiting = [`${origin}/sitemap.xml`];
  const pages = new Map<string, URL>();
  for (const address of waiting) {
    const text = await fetchSitemap(address, inside, signal);
    const named = Array.from(text.matchAll(/<loc>\s*(?:<!\[CDATA\[)?([^<\]]+)/gi), ([, each = '']) =>
      normaliseUrl(each.trim().replaceAll('&amp;', '&')),
    ).filter((url) => url?.origin === origin);
    for (const url of named) {
      if (!url) continue;
      if (/<sitemapindex[\s>]/i.test(text)) {
        if (waiting.length < MOST_SITEMAPS) waiting.push(url.href);
      } else if (pages.size < MOST_PAGES && isSafeLink(url, '') && !isFileUrl(url) && !isRepeatingPath(url))
        pages.set(url.href, url);
    }
  }
  return [...pages.values()];
}

async function fetchSitemap(
  address: string,
  inside: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<string> {
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(ANSWERS_WITHIN_MS)]);
    const answer = await createAddressGuard(inside).fetch(new URL(address), { signal: within });
    if (answer.status !== 200 || !answer.body) {
      await answer.body?.cancel();
      return '';
    }
    const decoder = new TextDecoder();
    let text = '';
    for await (const part of answer.body) {
      text += decoder.decode(part, { stream: true });
      if (text.length > MOST_BYTES) break;
    }
    return text;
  } catch {
    signal.throwIfAborted();
    return '';
  }
}
