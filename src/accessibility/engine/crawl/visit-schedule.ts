import type { HostThrottle } from './host-throttle.ts';
import type { QueueEntry, SiteQueue } from './site-queue.ts';

export interface VisitTask extends QueueEntry {
  site: SiteQueue;
  host: string;
}

export interface VisitSchedule {
  /** Resolves with the next page that may start; undefined when no page is left. */
  take(): Promise<VisitTask | undefined>;
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

  return {
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

async function waitForChange(change: Promise<void>, waitMs: number): Promise<void> {
  if (waitMs === Number.POSITIVE_INFINITY) return change;
  let timer: NodeJS.Timeout | undefined;
  const time = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.ceil(waitMs));
  });
  await Promise.race([change, time]);
  clearTimeout(timer);
}
