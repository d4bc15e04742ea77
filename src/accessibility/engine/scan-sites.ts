import { Failure } from '../../platform/errors.ts';
import { unlessAborted } from '../../platform/unless-aborted.ts';
import type { TitledPage } from './audits/seo-audit.ts';
import type { HostThrottle } from './crawl/host-throttle.ts';
import { siteScope } from './crawl/page-address.ts';
import { selectNewPages } from './crawl/page-links.ts';
import { type FoundPage, MAX_QUEUED_URLS, type SiteQueue } from './crawl/site-queue.ts';
import { readSitemaps } from './crawl/sitemaps.ts';
import { createVisitSchedule, type VisitTask } from './crawl/visit-schedule.ts';
import { siteRows, toTitledPage, unvisitedReason, visitRows } from './output/crawl-tables.ts';
import { mergeTables } from './output/csv-rows.ts';
import type { ResultsWriter } from './output/results-writer.ts';
import type { PageLine } from './output/scan-journal.ts';
import { createScanProgress } from './output/scan-progress.ts';
import type { ScanContext } from './scan-context.ts';
import { withTimeLimit } from './time-limits.ts';
import type { BrowserTab, TabPool } from './visit/browser-tabs.ts';
import { visitPage } from './visit/visit-page.ts';
import { type PageVisit, type PageVisitResult, unreachablePage } from './visit/visit-result.ts';

/** Codes of failures that a retry in a fresh browser often resolves. */
const retryableCodes: readonly string[] = ['BROWSER_GONE', 'PAGE_CRASHED', 'PAGE_ABORTED', 'NAVIGATED_AWAY'];
const MAX_TRIES = 3;

interface SiteScanOptions {
  scan: ScanContext;
  sites: readonly SiteQueue[];
  hosts: HostThrottle;
  tabs: TabPool;
  results: ResultsWriter;
  workers: number;
  print(line: string): void;
  /** Stops all workers after one has failed. */
  halt(): void;
}

/** Visits all pages of all sites. Each page is committed to the results before its links are followed. Returns the summary line. */
export async function scanSites({
  scan,
  sites,
  hosts,
  tabs,
  results,
  workers,
  print,
  halt,
}: SiteScanOptions): Promise<string> {
  const titles = new Map<SiteQueue, Map<number, TitledPage>>();
  let lastPageId = replay();
  const progress = createScanProgress(sites, results.journalLines.filter(({ type }) => type === 'page').length);
  const schedule = createVisitSchedule(sites, hosts, scan.signal);

  function replay(): number {
    let last = 0;
    for (const line of results.journalLines) {
      const site = sites[line.site];
      if (!site) continue;
      if (line.type === 'site') {
        site.counts.skipped += line.skipped;
        site.finish();
        continue;
      }
      last = Math.max(last, line.page_id);
      if (line.scope) site.moveTo(line.scope);
      site.replay(line.url, { outcome: line.outcome, isSiteFailure: line.site_trouble, foundPages: line.found });
      site.claim(new URL(line.final_url));
      if (line.outcome === 'scanned') note(site, { url: line.final_url, title: line.title, pageId: line.page_id });
    }
    return last;
  }

  function note(site: SiteQueue, page: { url: string; title: string; pageId: number }): void {
    const known = titles.get(site) ?? new Map<number, TitledPage>();
    titles.set(site, known.set(page.pageId, toTitledPage(scan, site, page)));
  }

  async function work(tab: BrowserTab): Promise<void> {
    for (let task = await schedule.take(); task; task = await schedule.take()) {
      const pageVisit: PageVisit = { task, pageId: ++lastPageId, claimedKeys: new Set() };
      const visit = await unlessAborted(visitWithRetries(scan, tab, pageVisit), scan.signal);
      const found = await unlessAborted(findNewPages(scan, task, visit), scan.signal);
      await write(pageVisit, visit, found);
      if (task.site.isOver()) await finish(task.site);
      schedule.notifyChange();
    }
  }

  async function write(pageVisit: PageVisit, visit: PageVisitResult, found: FoundPage[]): Promise<void> {
    const { task, pageId } = pageVisit;
    const rows = mergeTables(visit.rows, visitRows(scan, pageVisit, visit), { progress: [progress.row()] });
    await results.commit(rows, scan.knownFindings.remember(visit.findings), toPageLine(pageVisit, visit, found));
    if (visit.outcome === 'scanned') note(task.site, { url: visit.finalUrl, title: visit.title, pageId });
    hosts.end(task.host, visit.health);
    task.site.end(task.position, { outcome: visit.outcome, isSiteFailure: visit.isSiteFailure, foundPages: found });
    const address = visit.outcome === 'scanned' ? visit.finalUrl : task.url;
    print(progress.line(visit.outcome, address, describeVisit(visit)));
  }

  async function finish(site: SiteQueue): Promise<void> {
    if (site.ended) return;
    site.finish();
    const rest = site.rest();
    const { pages } = rest;
    const skipped = pages.length + rest.notKept;
    const seen = [...(titles.get(site)?.values() ?? [])].toSorted((a, b) => a.pageId - b.pageId);
    const { reason } = unvisitedReason(site);
    titles.delete(site);
    await results.commit(siteRows(scan, site, seen, pages), [], {
      type: 'site',
      site: site.index,
      url: site.base.url,
      scanned: site.counts.scanned,
      skipped,
      why: skipped > 0 ? reason : '',
    });
    site.counts.skipped += skipped;
    if (skipped > 0) print(`${skipped} pages of ${site.base.url} skipped: ${reason}${describeUnlisted(rest)}`);
  }

  // The process may have been killed after a site's last page and before its closing line.
  for (const site of sites) if (!site.ended && site.isOver()) await finish(site);
  await runAll(
    Array.from({ length: workers }, () => work(tabs.open())),
    halt,
  );
  return progress.summary();
}

/** Waits for all workers, then throws the first error: no worker may still write when the results are closed. */
async function runAll(work: readonly Promise<void>[], halt: () => void): Promise<void> {
  const failures: unknown[] = [];
  const noted = (error: unknown) => {
    failures.push(error);
    halt();
  };
  await Promise.all(work.map((each) => each.catch(noted)));
  if (failures.length > 0) throw failures[0];
}

async function visitWithRetries(scan: ScanContext, tab: BrowserTab, pageVisit: PageVisit): Promise<PageVisitResult> {
  for (let tries = 1; ; tries++) {
    try {
      return await withTimeLimit(maxVisitMs(scan), 'the page', visitPage(scan, tab, pageVisit));
    } catch (error) {
      scan.signal.throwIfAborted();
      if (error instanceof Failure && error.kind === 'unavailable') throw error;
      await tab.discard();
      const code = error instanceof Failure ? error.code : '';
      if (tries < MAX_TRIES && retryableCodes.includes(code)) continue;
      if (code === 'PAGE_DOWNLOAD') return { ...unreachablePage(pageVisit.task.url, error), ...download };
      return {
        ...unreachablePage(pageVisit.task.url, error),
        ...(code === 'NAVIGATED_AWAY' ? { isSiteFailure: false } : {}),
      };
    }
  }
}

/** Upper bound for a whole visit. Each step has its own limit; this one catches steps without one. */
function maxVisitMs({ config, viewports }: ScanContext): number {
  const steps = viewports.map(
    ({ audits }) => 4 * config.page_load_timeout + (audits.length + 3) * config.script_timeout,
  );
  return 1000 * steps.reduce((sum, seconds) => sum + seconds, 60);
}

const download: Partial<PageVisitResult> = {
  outcome: 'skipped',
  crawlOutcome: 'download',
  health: 'good',
  isSiteFailure: false,
};

/** New pages that a page links to; for a base URL also those of the site's sitemaps. */
async function findNewPages(scan: ScanContext, task: VisitTask, visit: PageVisitResult): Promise<FoundPage[]> {
  const { config } = scan;
  if (config.max_links_per_domain === 1) return [];
  const links = [...visit.links];
  const reachable = visit.outcome === 'scanned' || visit.status > 0;
  if (task.position === 0 && config.crawl_sitemaps && reachable && visit.outcome !== 'blocked') {
    const url = new URL(visit.finalUrl);
    // A robots.txt that cannot be read declares no sitemaps. It blocks pages only where the scan follows robots.txt.
    const named = await scan.robots(url).then(
      ({ sitemaps }) => sitemaps,
      () => [],
    );
    const limitMs = config.page_load_timeout * 1000;
    const { pages, isTruncated } = await readSitemaps({
      request: scan.request,
      declaredUrls: named,
      origin: url.origin,
      limitMs,
    });
    for (const { url: page, sitemap } of pages) links.push({ url: page, parent: sitemap });
    if (isTruncated) visit.partial.push(`only the first ${pages.length} pages of the site's sitemaps were read`);
  }
  return selectNewPages(links, { site: task.site, scopes: scan.scopes(), config });
}

function describeUnlisted({ notKept, isCountWhole }: ReturnType<SiteQueue['rest']>): string {
  if (notKept === 0) return '';
  const number = isCountWhole ? String(notKept) : `${notKept} or more`;
  return `; ${number} of them are not listed, because at most ${MAX_QUEUED_URLS} addresses per site are kept`;
}

function toPageLine({ task, pageId }: PageVisit, visit: PageVisitResult, found: FoundPage[]): Omit<PageLine, 'files'> {
  return {
    type: 'page',
    site: task.site.index,
    page_id: pageId,
    url: task.url,
    final_url: visit.finalUrl,
    outcome: visit.outcome,
    how: visit.crawlOutcome,
    why: visit.reason,
    title: visit.title,
    issues: visit.issues,
    partial: visit.partial,
    load_ms: visit.loadMs,
    site_trouble: visit.isSiteFailure,
    found,
    ...(visit.scope ? { scope: visit.scope } : {}),
  };
}

/** Text in the progress line of a page: its issues, or why it was not scanned. */
function describeVisit(visit: PageVisitResult): string {
  if (visit.outcome !== 'scanned') return visit.reason;
  const issues = Object.entries(visit.issues).flatMap(([name, count]) =>
    count > 0 ? [`${shortName(name)} ${count}`] : [],
  );
  return [issues.join(', ') || 'no issues', ...(visit.partial.length > 0 ? ['partly'] : [])].join('; ');
}

function shortName(plugin: string): string {
  return plugin.split('_')[0] ?? plugin;
}

export function initialScope(site: SiteQueue) {
  return siteScope(new URL(site.base.url));
}
