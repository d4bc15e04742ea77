import type { Claim } from './gold-match.ts';

const MAX_PAGES = 100;

/** Baseline: follows every link and reports each page with a form as a use case, classified by its address. */
export async function crawlForForms(site: string): Promise<{ found: Claim[]; pages: number; seconds: number }> {
  const start = performance.now();
  const seen = new Set([`${site}/`]);
  const queue = [...seen];
  const found: Claim[] = [];
  let pages = 0;
  while (queue.length > 0 && pages < MAX_PAGES) {
    const address = queue.shift() ?? '';
    pages++;
    const answer = await fetch(address);
    const text = await answer.text();
    if (!/html/.test(answer.headers.get('content-type') ?? '')) continue;
    const path = new URL(answer.url).pathname;
    if (/<form\b/i.test(text.replaceAll(/<(header|footer)\b[\s\S]*?<\/\1>/gi, '')))
      found.push({ class: guess(path), page: path });
    for (const [, href = ''] of text.matchAll(/<a\b[^>]*href="([^"]*)"/g)) {
      const url = URL.parse(href.replaceAll('&amp;', '&'), address);
      if (url?.origin !== new URL(site).origin || seen.has(url.href)) continue;
      seen.add(url.href);
      queue.push(url.href);
    }
  }
  return { found, pages, seconds: (performance.now() - start) / 1000 };
}

/** Classifies a page by words in its path, which favours the baseline. */
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
