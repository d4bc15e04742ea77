import type { HostThrottle } from './host-throttle.ts';
import type { QueueEntry, SiteQueue } from './site-queue.ts';

export interface VisitTask extends QueueEntry {
  site: SiteQueue;
  host: string;
}

interface SliceSize {
  /** Hosts with pages that are left for this process. */
  leaveHosts: number;
  /** Pages of a slice at most, by the number of pages that could start now. */
  most(pages: number): number;
  /** Whether a slice is wanted now. Asked after each change and every second. */
  mayTake(): boolean;
}

export interface VisitSchedule {
  /** Resolves with the next page that may start; undefined when no page is left. */
  take(): Promise<VisitTask | undefined>;
  /**
   * Resolves with pages for another process, which leases their hosts, when more than `leaveHosts` hosts have pages; undefined when
   * no page is left.
   */
  takeSlice(size: SliceSize): Promise<VisitTask[] | undefined>;
  /** Wakes waiting workers after a page ended or a queue grew. */
  notifyChange(): void;
}

/** Assigns pages to workers: sites in order, later sites while earlier ones wait for their host or for the links of running pages. */
export function createVisitSchedule(
  sites: readonly SiteQueue[],
  hosts: HostThrottle,
  signal: AbortSignal,
): VisitSchedule {
  let wake = () => {};
  let firstOpen = 0;
  let change = newChange();
  signal.addEventListener('abort', () => wake());

  function newChange(): Promise<void> {
    return new Promise((resolve) => {
      wake = resolve;
    });
  }

  function nextTask(): VisitTask | { waitMs: number } | undefined {
    let waitMs = Number.POSITIVE_INFINITY;
    while (sites[firstOpen]?.ended) firstOpen++;
    for (let index = firstOpen; index < sites.length; index++) {
      const site = sites[index];
      if (!site || site.ended) continue;
      const url = site.peek();
      if (url === undefined) continue;
      const { host } = new URL(url);
      const wait = hosts.waitMs(host);
      waitMs = Math.min(waitMs, wait);
      const turn = wait === 0 ? site.take() : undefined;
      if (turn) {
        hosts.begin(host);
        return { ...turn, site, host };
      }
    }
    return firstOpen < sites.length ? { waitMs } : undefined;
  }

  /** Sites with pages whose hosts are free now. */
  function freeSites(): SiteQueue[] {
    return sites.slice(firstOpen).filter((site) => {
      const url = site.ended ? undefined : site.peek();
      return url !== undefined && hosts.isFree(new URL(url).host);
    });
  }

  function collectSlice({ leaveHosts, most }: SliceSize): VisitTask[] {
    const free = freeSites();
    const limit = most(free.reduce((sum, { takeable }) => sum + takeable, 0));
    const slice: VisitTask[] = [];
    const leased = new Set<string>();
    // Sites at the start are next in this process.
    for (const site of free.slice(leaveHosts).toReversed()) {
      for (let url = site.peek(); url !== undefined && slice.length < limit; url = site.peek()) {
        const { host } = new URL(url);
        if (!leased.has(host) && !hosts.isFree(host)) break;
        const turn = site.take();
        if (!turn) break;
        hosts.lease(host);
        leased.add(host);
        slice.push({ ...turn, site, host });
      }
    }
    return slice;
  }

  return {
    async takeSlice(size) {
      for (;;) {
        signal.throwIfAborted();
        while (sites[firstOpen]?.ended) firstOpen++;
        if (firstOpen >= sites.length) return undefined;
        const slice = size.mayTake() ? collectSlice(size) : [];
        if (slice.length > 0) return slice;
        await waitForChange(change, LOOK_AGAIN_MS);
      }
    },
    async take() {
      for (;;) {
        signal.throwIfAborted();
        const next = nextTask();
        if (next === undefined || 'site' in next) return next;
        await waitForChange(change, next.waitMs);
      }
    },
    notifyChange() {
      const woken = wake;
      change = newChange();
      woken();
    },
  };
}

/** A host may be visited again after a gap, without a change. */
const LOOK_AGAIN_MS = 1000;

async function waitForChange(change: Promise<void>, waitMs: number): Promise<void> {
  if (waitMs === Number.POSITIVE_INFINITY) return change;
  let timer: NodeJS.Timeout | undefined;
  const time = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.ceil(waitMs));
  });
  await Promise.race([change, time]);
  clearTimeout(timer);
}
