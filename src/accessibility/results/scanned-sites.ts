import { join } from 'node:path';
import { pageKey } from '../engine/crawl/page-address.ts';
import { readCsv } from './csv-reader.ts';

/** One site has one key, however its base URL is spelled. */
function siteKey(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  return url ? pageKey(url) : baseUrl;
}

/**
 * Whether a row's base URL is one of these sites; all are where none are named. With one page a site, engines shorten it to
 * the origin in their tables.
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

/** The sites of which a results folder has pages, by their keys. */
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
