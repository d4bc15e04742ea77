import type { ScanConfig } from '../input/engine-config.ts';
import { crawlPageKey, isDocumentUrl, normalizePageUrl, type SiteScope } from './page-address.ts';
import { type FoundPage, MAX_QUEUED_URLS, type SiteQueue } from './site-queue.ts';

/** Equals the queue size of a site: more links of one page could not be queued. */
export const MAX_LINKS_PER_PAGE = MAX_QUEUED_URLS;

export interface PageLinks {
  /** Distinct links in document order. */
  links: string[];
  /** Number of links beyond the maximum. */
  droppedCount: number;
}

/** Runs in the page: collects links to the same host, including those in open shadow roots. */
export function collectLinksInPage(most: number): PageLinks {
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
  return { links: [...links], droppedCount: others.size };
}

interface LinkFilter {
  site: SiteQueue;
  scopes: readonly SiteScope[];
  config: ScanConfig;
}

/** Selects the links that lead to pages of this site that are not known yet. */
export function selectNewPages(links: readonly FoundPage[], { site, scopes, config }: LinkFilter): FoundPage[] {
  const seen = new Set<string>();
  // With thousands of sites, only those on the same host can own the page.
  const sameHostScopes = scopes.filter(({ host }) => host === site.scope.host);
  return links.flatMap(({ url: text, parent }) => {
    const url = normalizePageUrl(text, parent, config.follow_hash_routes);
    if (!url || isDocumentUrl(url) || (config.only_allow_https && url.protocol !== 'https:')) return [];
    const key = crawlPageKey(url);
    if (seen.has(key) || site.isKnown(url) || !site.isOwn(url, sameHostScopes)) return [];
    seen.add(key);
    return [{ url: url.href, parent }];
  });
}
