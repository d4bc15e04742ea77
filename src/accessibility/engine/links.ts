import { isFile, pageKey, type Scope, tidyAddress } from './addresses.ts';
import type { ScanConfig } from './config.ts';
import type { FoundPage, Site } from './site.ts';

export const MOST_LINKS = 10_000;

/** In the page: where its links lead, in the document's order, those in open shadow roots included. */
export function linksInPage(most: number): string[] {
  const found: string[] = [];
  const visit = (root: Document | ShadowRoot) => {
    for (const element of root.querySelectorAll('*')) {
      if (found.length >= most) return;
      const href = element.matches('a[href], area[href]') ? element.getAttribute('href') : null;
      const address = href === null ? null : URL.parse(href, document.baseURI);
      if (address) found.push(address.href);
      if (element.shadowRoot) visit(element.shadowRoot);
    }
  };
  visit(document);
  return found;
}

interface Choice {
  site: Site;
  scopes: readonly Scope[];
  config: ScanConfig;
}

/** Of all links those that lead to pages of this site that nobody has seen yet. */
export function newPages(links: readonly FoundPage[], { site, scopes, config }: Choice): FoundPage[] {
  const seen = new Set<string>();
  // Of ten thousand sites few share a host with this one.
  const near = scopes.filter(({ host }) => host === site.scope.host);
  return links.flatMap(({ url: text, parent }) => {
    const url = tidyAddress(text, parent, config.follow_hash_routes);
    if (!url || isFile(url) || (config.only_allow_https && url.protocol !== 'https:')) return [];
    const key = pageKey(url);
    if (seen.has(key) || site.isKnown(url) || !site.isOwn(url, near)) return [];
    seen.add(key);
    return [{ url: url.href, parent }];
  });
}
