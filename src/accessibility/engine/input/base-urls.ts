import { createHash } from 'node:crypto';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { parse } from 'csv-parse/sync';
import * as z from 'zod';
import { Failure, quote, systemReason } from '../../../platform/errors.ts';
import { restoreCsvCell } from '../../../platform/reports/csv.ts';
import type { ScanConfig } from './engine-config.ts';

/** One row of the site list. */
export interface BaseUrl {
  organisation: string;
  sector: string;
  url: string;
}

export interface BaseUrlList {
  sites: BaseUrl[];
  /** Rows that cannot be scanned, each with the reason. */
  rejected: { url: string; reason: string }[];
}

/** Reads all sites to visit, in a deterministic order. Throws when the folder or a file in it cannot be used. */
export async function readBaseUrls(root: string, config: ScanConfig): Promise<BaseUrlList> {
  const folder = await resolveInsideBaseUrls(root, config.base_urls_visit_path);
  const rows = (await Promise.all((await listUrlFiles(folder)).map(readUrlFile))).flat();
  const sites = new Map<string, BaseUrl>();
  const rejected: BaseUrlList['rejected'] = [];
  for (const { organisation, url, sector } of rows) {
    if (!matchesFilters(config.filter_to_organisations, organisation) || !matchesFilters(config.filter_to_urls, url))
      continue;
    const parsed = URL.parse(url.trim());
    const reason = parsed ? rejectionReason(parsed, config) : 'not a URL';
    if (reason || !parsed) rejected.push({ url, reason: reason ?? 'not a URL' });
    else if (!sites.has(parsed.href)) {
      // CWAC keeps the spelling of the address, except for the case of scheme and host; its issue ids depend on it.
      sites.set(parsed.href, { organisation, sector, url: keepSpelling(url.trim(), parsed) });
    }
  }
  const list = [...sites.values()];
  return { sites: config.shuffle_base_urls ? shuffleByHash(list) : list, rejected: rejected };
}

/** Reads the base URLs whose servers handle HEAD badly; empty when the folder does not exist. */
export async function readNoHeadUrls(root: string, config: ScanConfig): Promise<Set<string>> {
  const folder = await resolveInsideBaseUrls(root, config.base_urls_nohead_path).catch(() => undefined);
  if (folder === undefined) return new Set();
  const texts = await Promise.all((await listUrlFiles(folder)).map((file) => readFile(file, 'utf8')));
  const rows = z.array(z.array(z.string()));
  return new Set(texts.flatMap((text) => rows.parse(parse(text, csvOptions)).flatMap(([url]) => (url ? [url] : []))));
}

const csvOptions = { bom: true, relax_column_count: true, skip_empty_lines: true };

function rejectionReason(url: URL, config: ScanConfig): string | undefined {
  if (!/^https?:$/.test(url.protocol)) return 'only http and https can be scanned';
  if (config.only_allow_https && url.protocol !== 'https:') return 'only https is allowed (only_allow_https)';
  if (url.username || url.password) return 'addresses with a user name or password are not scanned';
  return undefined;
}

function keepSpelling(text: string, parsed: URL): string {
  const match = /^[a-z]+:\/\/[^/?#]*/i.exec(text);
  return match ? `${parsed.origin}${text.slice(match[0].length)}` : parsed.href;
}

function matchesFilters(filters: readonly string[], value: string): boolean {
  return filters.length === 0 || filters.some((filter) => value.includes(filter));
}

/** Neighbours in the list are often on one server. Sorting by hash separates them and is the same on each run. */
function shuffleByHash(sites: readonly BaseUrl[]): BaseUrl[] {
  const hashes = new Map(sites.map((site) => [site, createHash('sha256').update(site.url).digest('hex')]));
  return sites.toSorted((a, b) => ((hashes.get(a) ?? '') < (hashes.get(b) ?? '') ? -1 : 1));
}

async function resolveInsideBaseUrls(root: string, path: string): Promise<string> {
  const allowed = resolve(root, 'base_urls');
  const folder = resolve(root, path);
  const [realAllowed, realFolder] = await Promise.all([resolveRealPath(allowed), resolveRealPath(folder)]);
  const way = relative(realAllowed, realFolder);
  if (way === '..' || way.startsWith(`..${sep}`) || resolve(realAllowed, way) !== realFolder) {
    throw new Failure(
      'bad_input',
      'PATH_OUTSIDE',
      `base_urls_visit_path must be a folder inside base_urls, got ${quote(path)}.`,
    );
  }
  return realFolder;
}

async function resolveRealPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    throw new Failure('not_found', 'NO_BASE_URLS', `Cannot read the folder ${quote(path)}: ${systemReason(error)}.`);
  }
}

async function listUrlFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => name.endsWith('.csv'))
    .toSorted()
    .map((name) => join(folder, name));
}

const siteRow = z.tuple([z.string(), z.string(), z.string()]);

async function readUrlFile(file: string): Promise<BaseUrl[]> {
  const [header, ...rows] = z.array(z.array(z.string())).parse(parse(await readFile(file, 'utf8'), csvOptions));
  if (header?.join(',') !== 'organisation,url,sector') {
    throw new Failure('bad_input', 'BAD_URL_LIST', `The first line of ${quote(file)} must be organisation,url,sector.`);
  }
  return rows.map((row) => {
    const parsed = siteRow.safeParse(row);
    if (!parsed.success)
      throw new Failure('bad_input', 'BAD_URL_LIST', `Each line of ${quote(file)} must have 3 columns.`);
    const [organisation, url, sector] = parsed.data;
    return { organisation: restoreCsvCell(organisation), url, sector: restoreCsvCell(sector) };
  });
}
