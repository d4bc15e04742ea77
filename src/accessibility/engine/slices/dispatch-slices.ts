import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { quote } from '../../../platform/errors.ts';
import { unlessAborted } from '../../../platform/unless-aborted.ts';
import type { HostThrottle } from '../crawl/host-throttle.ts';
import { crawlPageKey } from '../crawl/page-address.ts';
import type { SiteQueue } from '../crawl/site-queue.ts';
import type { VisitSchedule, VisitTask } from '../crawl/visit-schedule.ts';
import type { ScanContext } from '../scan-context.ts';
import { type PageVisit, type PageVisitResult, visitResult } from '../visit/visit-result.ts';
import { MAX_SLICE_PAGES, type ScanSlice, slicedVisit, VISITS_FILE } from './slice-protocol.ts';
import type { SliceVisitor } from './slice-visitor.ts';

/** Slices that one scan has given to other workers at a time. */
export const SLICES_AT_A_TIME = 8;
/** A smaller slice is not worth the start of a browser. */
const MIN_SLICE_PAGES = 4;
/** Time before the next try when no worker has taken a slice. */
const RETRY_MS = 10_000;

interface SliceDispatch {
  scan: ScanContext;
  sites: readonly SiteQueue[];
  hosts: HostThrottle;
  schedule: VisitSchedule;
  visitor: SliceVisitor;
  /** Pages that this process visits at a time. */
  workers: number;
  newVisit(task: VisitTask): PageVisit;
  /** Writes the result of a page and follows its links. */
  record(pageVisit: PageVisit, visit: PageVisitResult): Promise<void>;
  finishIfOver(site: SiteQueue): Promise<void>;
}

/** Gives slices to other workers until no page is left. Pages that no worker visits return to the queue of their site. */
export async function dispatchSlices(dispatch: SliceDispatch): Promise<void> {
  const { scan, sites, hosts, schedule, visitor, workers, newVisit, record, finishIfOver } = dispatch;
  const size = {
    leaveHosts: workers,
    most(pages: number) {
      const share = Math.ceil(pages / (SLICES_AT_A_TIME + workers));
      return Math.min(MAX_SLICE_PAGES, Math.max(MIN_SLICE_PAGES, share));
    },
  };
  for (let tasks = await schedule.takeSlice(size); tasks; tasks = await schedule.takeSlice(size)) {
    const visits = tasks.map(newVisit);
    const folder = await unlessAborted(visitor.visit(toSlice(visits, sites)), scan.signal);
    const results = folder === undefined ? new Map<number, PageVisitResult>() : await readVisits(folder);
    for (const pageVisit of visits) {
      const { task, pageId } = pageVisit;
      const visit = results.get(pageId);
      if (!visit || folder === undefined) task.site.giveBack(task.position);
      else {
        await record(pageVisit, await adoptVisit(scan, pageVisit, visit, folder));
        hosts.report(task.host, visit.health);
      }
    }
    for (const host of new Set(tasks.map((task) => task.host))) hosts.release(host);
    for (const site of new Set(tasks.map((task) => task.site))) await finishIfOver(site);
    schedule.notifyChange();
    if (results.size === 0) await pause(RETRY_MS, undefined, { signal: scan.signal, ref: false });
  }
}

function toSlice(visits: readonly PageVisit[], sites: readonly SiteQueue[]): ScanSlice {
  return {
    pages: visits.map(({ task: { site, position, url, parent }, pageId }) => ({
      ...{ site: site.index, position, url, parent },
      page_id: pageId,
    })),
    moved: sites.filter(({ hasMoved }) => hasMoved).map(({ index, scope }) => ({ site: index, scope })),
  };
}

async function readVisits(folder: string): Promise<Map<number, PageVisitResult>> {
  const text = await readFile(join(folder, VISITS_FILE), 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const { page_id, visit } = slicedVisit.parse(JSON.parse(line));
      const { scope, ...rest } = visit;
      return [page_id, { ...rest, ...(scope && { scope }) }];
    }),
  );
}

/** The result of a page as if this process had visited it: known redirect targets and screenshots count for the whole scan. */
async function adoptVisit(
  scan: ScanContext,
  { task }: PageVisit,
  visit: PageVisitResult,
  folder: string,
): Promise<PageVisitResult> {
  if (visit.scope) task.site.moveTo(visit.scope);
  const landed = new URL(visit.finalUrl);
  const isRedirected = visit.outcome === 'scanned' && crawlPageKey(landed) !== crawlPageKey(new URL(task.url));
  if (isRedirected && !task.site.claim(landed)) {
    const reason = `it redirects to a page that is already known: ${quote(visit.finalUrl)}`;
    const { finalUrl, status, contentType } = visit;
    const end = { outcome: 'skipped' as const, crawlOutcome: 'duplicate', reason, health: 'good' as const };
    return { ...visitResult(finalUrl, end), status, contentType };
  }
  for (const finding of visit.findings) {
    const { screenshot, issue_id, rule } = finding;
    if (screenshot === undefined) continue;
    if (scan.knownFindings.isKnown(issue_id) || !scan.knownFindings.reserveScreenshot(rule)) delete finding.screenshot;
    else {
      const target = join(scan.resultsDir, screenshot);
      await mkdir(dirname(target), { recursive: true });
      await copyFile(join(folder, screenshot), target);
    }
  }
  return visit;
}
