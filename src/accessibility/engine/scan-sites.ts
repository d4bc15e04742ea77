import { unlessAborted } from '../../platform/unless-aborted.ts';
import type { TitledPage } from './audits/seo-audit.ts';
import type { HostThrottle } from './crawl/host-throttle.ts';
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
import { dispatchSlices } from './slices/dispatch-slices.ts';
import type { SliceVisitor } from './slices/slice-visitor.ts';
import { baseUrlColumn } from './visit/audit-page.ts';
import type { BrowserTab, TabPool } from './visit/browser-tabs.ts';
import type { PageVisit, PageVisitResult } from './visit/visit-result.ts';
import { visitWithRetries } from './visit/visit-with-retries.ts';

interface SiteScanOptions {
  scan: ScanContext;
  sites: readonly SiteQueue[];
  hosts: HostThrottle;
  tabs: TabPool;
  results: ResultsWriter;
  workers: number;
  /** Has other workers visit pages too. */
  visitor?: SliceVisitor | undefined;
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
  visitor,
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
      const pageVisit = newVisit(task);
      const visit = await unlessAborted(visitWithRetries(scan, tab, pageVisit), scan.signal);
      await record(pageVisit, visit);
      hosts.end(task.host, visit.health);
      await finishIfOver(task.site);
      schedule.notifyChange();
    }
  }

  function newVisit(task: VisitTask): PageVisit {
    return { task, pageId: ++lastPageId, claims: new Map() };
  }

  async function record(pageVisit: PageVisit, visit: PageVisitResult): Promise<void> {
    const { task, pageId } = pageVisit;
    const found = await unlessAborted(findNewPages(scan, task, visit), scan.signal);
    const rows = mergeTables(visit.rows, visitRows(scan, pageVisit, visit), { progress: [progress.row()] });
    await results.commit(rows, scan.knownFindings.remember(visit.findings), toPageLine(pageVisit, visit, found));
    if (visit.outcome === 'scanned') note(task.site, { url: visit.finalUrl, title: visit.title, pageId });
    task.site.end(task.position, { outcome: visit.outcome, isSiteFailure: visit.isSiteFailure, foundPages: found });
    const address = visit.outcome === 'scanned' ? visit.finalUrl : task.url;
    print(progress.line(visit.outcome, address, describeVisit(visit)));
  }

  async function finishIfOver(site: SiteQueue): Promise<void> {
    if (site.ended || !site.isOver()) return;
    site.finish();
    const rest = site.rest();
    const { pages } = rest;
    const skipped = pages.length + rest.notKept;
    const seen = [...(titles.get(site)?.values() ?? [])].toSorted((a, b) => a.pageId - b.pageId);
    const { reason } = unvisitedReason(site);
    titles.delete(site);
    scan.knownFindings.forgetSite(baseUrlColumn(site.base.url, scan.config.max_links_per_domain));
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
  for (const site of sites) await finishIfOver(site);
  const crew = createCrew(halt);
  for (let worker = 0; worker < workers; worker++) crew.start(work(tabs.open()));
  const dispatch = { scan, sites, hosts, schedule, workers, newVisit, record, finishIfOver, start: crew.start };
  if (visitor) crew.start(dispatchSlices({ ...dispatch, visitor }));
  await crew.ended();
  return progress.summary();
}

/** Work at the same time. The first error stops all of it. */
function createCrew(halt: () => void) {
  const failures: unknown[] = [];
  const running = new Set<Promise<void>>();
  return {
    start(work: Promise<void>): void {
      const noted = work
        .catch((error: unknown) => {
          failures.push(error);
          halt();
        })
        .finally(() => running.delete(noted));
      running.add(noted);
    },
    /** Waits for all work, then throws the first error: nothing may still be written when the results are closed. */
    async ended(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
      if (failures.length > 0) throw failures[0];
    },
  };
}

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
