import { join } from 'node:path';
import { crawlPageKey } from '../engine/crawl/page-address.ts';
import { readCsv } from './csv-reader.ts';

/** Base URLs with the same key are the same site. */
function siteKey(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  return url ? crawlPageKey(url) : baseUrl;
}

/**
 * Creates a function that checks whether a row's base URL is one of these sites; without sites, every base URL is. With one page
 * per site, engines write only the origin of the base URL: then `isShortened` is true.
 */
export function createSiteFilter(
  sites: ReadonlySet<string> | undefined,
  isShortened: boolean,
): (baseUrl: string) => boolean {
  if (!sites) return () => true;
  const keys = isShortened ? new Set([...sites].map((site) => site.replace(/[/?#].*/, ''))) : sites;
  const known = new Map<string, boolean>();
  return (baseUrl) => {
    const answer = known.get(baseUrl) ?? keys.has(siteKey(baseUrl));
    known.set(baseUrl, answer);
    return answer;
  };
}

/** Reads the keys of the sites that have scanned pages in a results folder. */
export async function readScannedSites(dir: string): Promise<Set<string>> {
  const sites = new Set<string>();
  await readCsv(join(dir, 'pages_scanned.csv'), (header) => {
    const [url, pages] = [header.indexOf('base_url'), header.indexOf('number_of_pages')];
    return (cells) => {
      if (Number(cells[pages]) > 0) sites.add(siteKey(cells[url] ?? ''));
    };
  });
  return sites;
}
