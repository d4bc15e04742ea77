import { Failure } from '../../platform/errors.ts';
import { unlessAborted } from '../../platform/unless-aborted.ts';
import { scopeOf } from './addresses.ts';
import type { TitledPage } from './audits/seo.ts';
import { mergeRows } from './csv.ts';
import type { Hosts } from './hosts.ts';
import type { PageLine } from './journal.ts';
import type { Lane, Lanes } from './lanes.ts';
import { newPages } from './links.ts';
import { createProgress } from './progress.ts';
import type { Results } from './results.ts';
import type { Scan } from './scan-parts.ts';
import { createSchedule, type Task } from './schedule.ts';
import { type FoundPage, MOST_KEPT, type Site } from './site.ts';
import { readSitemaps } from './sitemaps.ts';
import { restReason, siteTables, titledPage, visitTables } from './tables.ts';
import { visitPage } from './visit.ts';
import { type Errand, unreachable, type Visit } from './visit-end.ts';
import { within } from './waiting.ts';

/** Failures after which another try in a fresh browser may well succeed. */
const worthAnotherTry: readonly string[] = ['BROWSER_GONE', 'PAGE_CRASHED', 'PAGE_ABORTED', 'NAVIGATED_AWAY'];
const TRIES = 3;

interface Work {
  scan: Scan;
  sites: readonly Site[];
  hosts: Hosts;
  lanes: Lanes;
  results: Results;
  workers: number;
  print(line: string): void;
  /** Stops all others when one cannot go on. */
  halt(): void;
}

/** Visits all pages of all sites, and writes each down before its links are followed. Returns the closing line. */
export async function scanSites({ scan, sites, hosts, lanes, results, workers, print, halt }: Work): Promise<string> {
  const titles = new Map<Site, Map<number, TitledPage>>();
  let lastPageId = replay();
  const progress = createProgress(sites, results.lines.filter(({ type }) => type === 'page').length);
  const schedule = createSchedule(sites, hosts, scan.signal);

  function replay(): number {
    let last = 0;
    for (const line of results.lines) {
      const site = sites[line.site];
      if (!site) continue;
      if (line.type === 'site') {
        site.counts.skipped += line.skipped;
        site.finish();
        continue;
      }
      last = Math.max(last, line.page_id);
      if (line.scope) site.moveTo(line.scope);
      site.replay(line.url, { outcome: line.outcome, siteTrouble: line.site_trouble, found: line.found });
      site.claim(new URL(line.final_url));
      if (line.outcome === 'scanned') note(site, { url: line.final_url, title: line.title, pageId: line.page_id });
    }
    return last;
  }

  function note(site: Site, page: { url: string; title: string; pageId: number }): void {
    const known = titles.get(site) ?? new Map<number, TitledPage>();
    titles.set(site, known.set(page.pageId, titledPage(scan, site, page)));
  }

  async function work(lane: Lane): Promise<void> {
    for (let task = await schedule.take(); task; task = await schedule.take()) {
      const errand: Errand = { task, pageId: ++lastPageId, claims: new Set() };
      const visit = await unlessAborted(attempt(scan, lane, errand), scan.signal);
      const found = await unlessAborted(pagesFrom(scan, task, visit), scan.signal);
      await write(errand, visit, found);
      if (task.site.isOver()) await finish(task.site);
      schedule.changed();
    }
  }

  async function write(errand: Errand, visit: Visit, found: FoundPage[]): Promise<void> {
    const { task, pageId } = errand;
    const rows = mergeRows(visit.rows, visitTables(scan, errand, visit), { progress: [progress.row()] });
    await results.commit(rows, scan.known.remember(visit.findings), lineOf(errand, visit, found));
    if (visit.outcome === 'scanned') note(task.site, { url: visit.finalUrl, title: visit.title, pageId });
    hosts.end(task.host, visit.health);
    task.site.end(task.place, { outcome: visit.outcome, siteTrouble: visit.siteTrouble, found });
    const address = visit.outcome === 'scanned' ? visit.finalUrl : task.url;
    print(progress.line(visit.outcome, address, about(visit)));
  }

  async function finish(site: Site): Promise<void> {
    if (site.ended) return;
    site.finish();
    const rest = site.rest();
    const { pages } = rest;
    const skipped = pages.length + rest.notKept;
    const seen = [...(titles.get(site)?.values() ?? [])].toSorted((a, b) => a.pageId - b.pageId);
    const { why } = restReason(site);
    titles.delete(site);
    await results.commit(siteTables(scan, site, seen, pages), [], {
      type: 'site',
      site: site.index,
      url: site.base.url,
      scanned: site.counts.scanned,
      skipped,
      why: skipped > 0 ? why : '',
    });
    site.counts.skipped += skipped;
    if (skipped > 0) print(`${skipped} pages of ${site.base.url} skipped: ${why}${notKeptInWords(rest)}`);
  }

  // A kill may have come between a site's last page and its end.
  for (const site of sites) if (!site.ended && site.isOver()) await finish(site);
  await together(
    Array.from({ length: workers }, () => work(lanes.open())),
    halt,
  );
  return progress.summary();
}

/** Waits for all, then fails with the first failure: nobody may still be writing when the results are closed. */
async function together(work: readonly Promise<void>[], halt: () => void): Promise<void> {
  const failures: unknown[] = [];
  const noted = (error: unknown) => {
    failures.push(error);
    halt();
  };
  await Promise.all(work.map((each) => each.catch(noted)));
  if (failures.length > 0) throw failures[0];
}

async function attempt(scan: Scan, lane: Lane, errand: Errand): Promise<Visit> {
  for (let tries = 1; ; tries++) {
    try {
      return await within(longestVisit(scan), 'the page', visitPage(scan, lane, errand));
    } catch (error) {
      scan.signal.throwIfAborted();
      if (error instanceof Failure && error.kind === 'unavailable') throw error;
      await lane.discard();
      const code = error instanceof Failure ? error.code : '';
      if (tries < TRIES && worthAnotherTry.includes(code)) continue;
      if (code === 'PAGE_DOWNLOAD') return { ...unreachable(errand.task.url, error), ...download };
      return { ...unreachable(errand.task.url, error), ...(code === 'NAVIGATED_AWAY' ? { siteTrouble: false } : {}) };
    }
  }
}

/** Each step has its own limit; this one is for what nobody thought of. */
function longestVisit({ config, views }: Scan): number {
  const steps = views.map(({ audits }) => 4 * config.page_load_timeout + (audits.length + 3) * config.script_timeout);
  return 1000 * steps.reduce((sum, seconds) => sum + seconds, 60);
}

const download: Partial<Visit> = { outcome: 'skipped', how: 'download', health: 'good', siteTrouble: false };

/** The pages that a page leads to; of a base URL also those that the site's maps name. */
async function pagesFrom(scan: Scan, task: Task, visit: Visit): Promise<FoundPage[]> {
  const { config } = scan;
  if (config.max_links_per_domain === 1) return [];
  const links = [...visit.links];
  const reachable = visit.outcome === 'scanned' || visit.status > 0;
  if (task.place === 0 && config.crawl_sitemaps && reachable && visit.outcome !== 'blocked') {
    const url = new URL(visit.finalUrl);
    // Where the scan does not follow robots.txt, one that cannot be read names no sitemaps.
    const named = await scan.robots(url).then(
      ({ sitemaps }) => sitemaps,
      () => [],
    );
    const limitMs = config.page_load_timeout * 1000;
    const { pages, more } = await readSitemaps({ request: scan.request, named, origin: url.origin, limitMs });
    for (const { url: page, sitemap } of pages) links.push({ url: page, parent: sitemap });
    if (more) visit.partial.push(`the site's maps were read as far as their first ${pages.length} pages`);
  }
  return newPages(links, { site: task.site, scopes: scan.scopes(), config });
}

function notKeptInWords({ notKept, isCountWhole }: ReturnType<Site['rest']>): string {
  if (notKept === 0) return '';
  const number = isCountWhole ? String(notKept) : `${notKept} or more`;
  return `; ${number} of them not listed, since ${MOST_KEPT} addresses are kept of a site`;
}

function lineOf({ task, pageId }: Errand, visit: Visit, found: FoundPage[]): Omit<PageLine, 'files'> {
  return {
    type: 'page',
    site: task.site.index,
    page_id: pageId,
    url: task.url,
    final_url: visit.finalUrl,
    outcome: visit.outcome,
    how: visit.how,
    why: visit.why,
    title: visit.title,
    issues: visit.issues,
    partial: visit.partial,
    load_ms: visit.loadMs,
    site_trouble: visit.siteTrouble,
    found,
    ...(visit.scope ? { scope: visit.scope } : {}),
  };
}

/** For the line of a page: what was found, or why it was not looked at. */
function about(visit: Visit): string {
  if (visit.outcome !== 'scanned') return visit.why;
  const issues = Object.entries(visit.issues).flatMap(([name, count]) =>
    count > 0 ? [`${shortName(name)} ${count}`] : [],
  );
  return [issues.join(', ') || 'no issues', ...(visit.partial.length > 0 ? ['partly'] : [])].join('; ');
}

function shortName(plugin: string): string {
  return plugin.split('_')[0] ?? plugin;
}

export function firstScope(site: Site) {
  return scopeOf(new URL(site.base.url));
}
