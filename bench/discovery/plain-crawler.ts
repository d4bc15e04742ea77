import type { Claim } from './judge.ts';

const MOST_PAGES = 100;

/** Follows every link and takes each page with a form for a use case: named by its address, since it knows no better. */
export async function crawlPlainly(site: string): Promise<{ found: Claim[]; pages: number; seconds: number }> {
  const began = performance.now();
  const seen = new Set([`${site}/`]);
  const queue = [...seen];
  const found: Claim[] = [];
  let pages = 0;
  while (queue.length > 0 && pages < MOST_PAGES) {
    const address = queue.shift() ?? '';
    pages++;
    const answer = await fetch(address);
    const text = await answer.text();
    if (!/html/.test(answer.headers.get('content-type') ?? '')) continue;
    const path = new URL(answer.url).pathname;
    if (/<form\b/i.test(text.replaceAll(/<(header|footer)\b[\s\S]*?<\/\1>/gi, '')))
      found.push({ class: guess(path), place: path });
    for (const [, href = ''] of text.matchAll(/<a\b[^>]*href="([^"]*)"/g)) {
      const url = URL.parse(href.replaceAll('&amp;', '&'), address);
      if (url?.origin !== new URL(site).origin || seen.has(url.href)) continue;
      seen.add(url.href);
      queue.push(url.href);
    }
  }
  return { found, pages, seconds: (performance.now() - began) / 1000 };
}

/** The benefit of the doubt: an address that says what the page is for is believed. */
function guess(path: string): Claim['class'] {
  const names = {
    login: 'login',
    'sign-up': 'sign-up',
    forgot: 'reset-password',
    contact: 'contact',
    search: 'search',
    cart: 'cart',
    apply: 'wizard',
    appointments: 'booking',
    status: 'track',
  } as const;
  const hit = Object.entries(names).find(([word]) => path.includes(word));
  return hit?.[1] ?? 'submit';
}
