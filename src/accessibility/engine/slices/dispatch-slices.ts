import type { HostThrottle } from '../crawl/host-throttle.ts';
import type { SiteQueue } from '../crawl/site-queue.ts';
import type { VisitSchedule, VisitTask } from '../crawl/visit-schedule.ts';
import type { ScanContext } from '../scan-context.ts';
import { baseUrlColumn } from '../visit/audit-page.ts';
import type { PageVisit, PageVisitResult } from '../visit/visit-result.ts';
import { MAX_SLICE_PAGES, type ScanSlice } from './slice-protocol.ts';
import { openSliceResults } from './slice-results.ts';
import type { SliceVisitor } from './slice-visitor.ts';

/** Slices that one scan has given to other workers at a time. */
const SLICES_AT_A_TIME = 8;
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
  /** Work that must end before the scan does. Its error ends the scan. */
  start(work: Promise<void>): void;
}

/** Gives slices to other workers until no page is left. Pages that no worker visits return to the queue of their site. */
export async function dispatchSlices(dispatch: SliceDispatch): Promise<void> {
  const { schedule, workers, start } = dispatch;
  let out = 0;
  let retryAt = Number.NEGATIVE_INFINITY;
  let isDoubtful = false;

  async function visitElsewhere(tasks: readonly VisitTask[]): Promise<void> {
    const isVisited = await mergeSlice(dispatch, tasks);
    out--;
    isDoubtful = !isVisited;
    if (!isVisited) retryAt = performance.now() + RETRY_MS;
    schedule.notifyChange();
  }

  const size = {
    leaveHosts: workers,
    most(pages: number) {
      const share = Math.ceil(pages / (SLICES_AT_A_TIME + workers));
      return Math.min(MAX_SLICE_PAGES, Math.max(MIN_SLICE_PAGES, share));
    },
    // When no worker took the last slice, one slice at a time is enough to find out whether there is one now.
    mayTake: () => out < (isDoubtful ? 1 : SLICES_AT_A_TIME) && performance.now() >= retryAt,
  };
  for (let tasks = await schedule.takeSlice(size); tasks; tasks = await schedule.takeSlice(size)) {
    out++;
    start(visitElsewhere(tasks));
  }
}

/** Has the pages visited by another worker and takes the results over. False if no worker has visited any. */
async function mergeSlice(
  { scan, sites, hosts, visitor, newVisit, record, finishIfOver }: SliceDispatch,
  tasks: readonly VisitTask[],
): Promise<boolean> {
  const visits = tasks.map(newVisit);
  await using results = await openSliceResults(scan, visitor, describeSlice(scan, visits, sites, hosts));
  for (const pageVisit of visits) {
    const { task } = pageVisit;
    // As in one process, no page follows the last failure of an abandoned site.
    const visit = task.site.abandoned ? undefined : await results.take(pageVisit);
    if (!visit) task.site.giveBack(task.position);
    else {
      await record(pageVisit, visit);
      hosts.report(task.host, visit.health);
    }
  }
  for (const host of new Set(tasks.map((task) => task.host))) hosts.release(host);
  for (const site of new Set(tasks.map((task) => task.site))) await finishIfOver(site);
  return !results.isEmpty;
}

function describeSlice(
  scan: ScanContext,
  visits: readonly PageVisit[],
  sites: readonly SiteQueue[],
  hosts: HostThrottle,
): ScanSlice {
  const own = new Set(visits.map(({ task }) => task.site));
  return {
    pages: visits.map(({ task: { site, position, url, parent }, pageId }) => ({
      ...{ site: site.index, position, url, parent },
      page_id: pageId,
    })),
    moved: sites.filter(({ hasMoved }) => hasMoved).map(({ index, scope }) => ({ site: index, scope })),
    failing: [...own]
      .filter(({ consecutiveFailures }) => consecutiveFailures > 0)
      .map(({ index, consecutiveFailures }) => ({ site: index, failures: consecutiveFailures })),
    gaps: [...new Set(visits.map(({ task }) => task.host))].map((host) => ({ host, ms: hosts.gapMs(host) })),
    known: scan.knownFindings.describe(
      [...own].map(({ base }) => baseUrlColumn(base.url, scan.config.max_links_per_domain)),
    ),
  };
}
