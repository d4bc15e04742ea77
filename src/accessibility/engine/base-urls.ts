import { createHash } from 'node:crypto';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { Failure, quote, systemReason } from '../../platform/errors.ts';
import { restoreCsvCell } from '../../platform/reports/csv.ts';
import type { ScanConfig } from './config.ts';

/** One line of the list of sites. */
export interface BaseUrl {
  organisation: string;
  sector: string;
  url: string;
}

export interface BaseUrls {
  sites: BaseUrl[];
  /** Lines that cannot be scanned, each with its reason. */
  refused: { url: string; why: string }[];
}

/** All sites to visit, in an order that is the same each time. */
export async function readBaseUrls(root: string, config: ScanConfig): Promise<BaseUrls> {
  const folder = await inside(root, config.base_urls_visit_path);
  const rows = (await Promise.all((await csvFiles(folder)).map(readRows))).flat();
  const sites = new Map<string, BaseUrl>();
  const refused: BaseUrls['refused'] = [];
  for (const { organisation, url, sector } of rows) {
    if (!chosen(config.filter_to_organisations, organisation) || !chosen(config.filter_to_urls, url)) continue;
    const parsed = URL.parse(url.trim());
    const why = parsed ? refusal(parsed, config) : 'not a URL';
    if (why || !parsed) refused.push({ url, why: why ?? 'not a URL' });
    else if (!sites.has(parsed.href)) {
      // CWAC keeps the address as it was written, but for the case of scheme and host: its issue ids depend on it.
      sites.set(parsed.href, { organisation, sector, url: asWritten(url.trim(), parsed) });
    }
  }
  const list = [...sites.values()];
  return { sites: config.shuffle_base_urls ? mixed(list) : list, refused };
}

/** Base URLs whose servers do not like HEAD. */
export async function readNoHead(root: string, config: ScanConfig): Promise<Set<string>> {
  const folder = await inside(root, config.base_urls_nohead_path).catch(() => undefined);
  if (folder === undefined) return new Set();
  const texts = await Promise.all((await csvFiles(folder)).map((file) => readFile(file, 'utf8')));
  const rows = z.array(z.array(z.string()));
  return new Set(texts.flatMap((text) => rows.parse(parse(text, lenient)).flatMap(([url]) => (url ? [url] : []))));
}

const lenient = { bom: true, relax_column_count: true, skip_empty_lines: true };

function refusal(url: URL, config: ScanConfig): string | undefined {
  if (!/^https?:$/.test(url.protocol)) return 'only http and https can be scanned';
  if (config.only_allow_https && url.protocol !== 'https:') return 'only https is allowed (only_allow_https)';
  if (url.username || url.password) return 'an address with a user name is not scanned';
  return undefined;
}

function asWritten(text: string, parsed: URL): string {
  const match = /^[a-z]+:\/\/[^/?#]*/i.exec(text);
  return match ? `${parsed.origin}${text.slice(match[0].length)}` : parsed.href;
}

function chosen(filters: readonly string[], value: string): boolean {
  return filters.length === 0 || filters.some((filter) => value.includes(filter));
}

/** Neighbours in the list are often one server's; this order parts them, and is still the same on each run. */
function mixed(sites: readonly BaseUrl[]): BaseUrl[] {
  const place = new Map(sites.map((site) => [site, createHash('sha256').update(site.url).digest('hex')]));
  return sites.toSorted((a, b) => ((place.get(a) ?? '') < (place.get(b) ?? '') ? -1 : 1));
}

async function inside(root: string, path: string): Promise<string> {
  const allowed = resolve(root, 'base_urls');
  const folder = resolve(root, path);
  const [realAllowed, realFolder] = await Promise.all([real(allowed), real(folder)]);
  const way = relative(realAllowed, realFolder);
  if (way === '..' || way.startsWith(`..${sep}`) || resolve(realAllowed, way) !== realFolder) {
    throw new Failure(
      'bad_input',
      'PATH_OUTSIDE',
      `base_urls_visit_path must lie within base_urls, got ${quote(path)}.`,
    );
  }
  return realFolder;
}

async function real(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    throw new Failure('not_found', 'NO_BASE_URLS', `Cannot read the folder ${quote(path)}: ${systemReason(error)}.`);
  }
}

async function csvFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => name.endsWith('.csv'))
    .toSorted()
    .map((name) => join(folder, name));
}

const siteRow = z.tuple([z.string(), z.string(), z.string()]);

async function readRows(file: string): Promise<BaseUrl[]> {
  const [header, ...rows] = z.array(z.array(z.string())).parse(parse(await readFile(file, 'utf8'), lenient));
  if (header?.join(',') !== 'organisation,url,sector') {
    throw new Failure('bad_input', 'BAD_URL_LIST', `${quote(file)} must begin with organisation,url,sector.`);
  }
  return rows.map((row) => {
    const parsed = siteRow.safeParse(row);
    if (!parsed.success)
      throw new Failure('bad_input', 'BAD_URL_LIST', `Each line of ${quote(file)} must have 3 columns.`);
    const [organisation, url, sector] = parsed.data;
    return { organisation: restoreCsvCell(organisation), url, sector: restoreCsvCell(sector) };
  });
}
