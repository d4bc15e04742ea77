import { isFile, pageKey, type Scope, tidyAddress } from './addresses.ts';
import type { ScanConfig } from './config.ts';
import { type FoundPage, MOST_KEPT, type Site } from './site.ts';

/** As many of one page as are kept of one site. */
export const MOST_LINKS = MOST_KEPT;

export interface LinksInPage {
  /** Each once, in the document's order. */
  links: string[];
  /** How many more there are. */
  more: number;
}

/** In the page: where its links lead on its own host, those in open shadow roots included. */
export function linksInPage(most: number): LinksInPage {
  const links = new Set<string>();
  const others = new Set<string>();
  const bare = ({ host }: { host: string }) => host.replace(/^www\./, '');
  const here = bare(location);
  const add = (href: string) => {
    const address = URL.parse(href, document.baseURI);
    if (!address || !/^https?:$/.test(address.protocol) || bare(address) !== here) return;
    if (!/^#!?\//.test(address.hash)) address.hash = '';
    if (links.has(address.href)) return;
    if (links.size < most) links.add(address.href);
    else others.add(address.href);
  };
  const visit = (root: Document | ShadowRoot) => {
    for (const element of root.querySelectorAll('*')) {
      const href = element.matches('a[href], area[href]') ? element.getAttribute('href') : null;
      if (href !== null) add(href);
      if (element.shadowRoot) visit(element.shadowRoot);
    }
  };
  visit(document);
  return { links: [...links], more: others.size };
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
