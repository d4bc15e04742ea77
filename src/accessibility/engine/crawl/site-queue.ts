import { hash } from 'node:crypto';
import type { BaseUrl } from '../input/base-urls.ts';
import type { Outcome } from '../output/scan-journal.ts';
import { crawlPageKey, isInScope, owningScope, type SiteScope, siteScope } from './page-address.ts';

export interface FoundPage {
  url: string;
  parent: string;
}

/** Result of a page's visit, as far as the site's queue needs it. */
export interface PageResult {
  outcome: Outcome;
  isSiteFailure: boolean;
  foundPages: readonly FoundPage[];
}

interface QueuedPage extends FoundPage {
  /** A visit of it has begun. */
  isTaken?: boolean;
  result?: PageResult;
}

/** A page taken from a site's queue. */
export interface QueueEntry extends FoundPage {
  position: number;
}

/** A site is abandoned after this many failures in a row. */
export const MAX_CONSECUTIVE_FAILURES = 3;
/** Addresses beyond this number are counted, not queued: a calendar can have endless pages. */
export const MAX_QUEUED_URLS = 100_000;
/** Addresses beyond this number are not counted either. */
const MAX_COUNTED_URLS = 1_000_000;

export type SiteQueue = ReturnType<typeof createSiteQueue>;

/**
 * Breadth-first queue of the pages of one base URL. Several pages may be visited at once, but the pages that a page links to
 * join the queue only after all pages before it have ended. So the order, and the choice of pages under a limit, is
 * deterministic.
 */
export function createSiteQueue(index: number, base: BaseUrl, limit: number) {
  const start = new URL(base.url);
  const queue: QueuedPage[] = [{ url: start.href, parent: '' }];
  const known = new Set([crawlPageKey(start)]);
  const positions = new Map([[start.href, 0]]);
  const counts: Record<Outcome, number> = { scanned: 0, failed: 0, skipped: 0, blocked: 0 };
  let scope = siteScope(start);
  let hasMoved = false;
  let next = 0;
  let mergedCount = 0;
  let underWay = 0;
  let consecutiveFailures = 0;
  let abandoned = false;
  const unqueuedKeys = new Set<number>();
  let ended = false;

  function add({ url, parent }: FoundPage): void {
    const key = crawlPageKey(new URL(url));
    if (known.has(key)) return;
    if (queue.length >= MAX_QUEUED_URLS) {
      if (unqueuedKeys.size < MAX_COUNTED_URLS) unqueuedKeys.add(hashKey(key));
      return;
    }
    known.add(key);
    positions.set(url, queue.length);
    queue.push({ url, parent });
  }

  function claimKey(key: string): boolean {
    if (known.has(key)) return false;
    known.add(key);
    return true;
  }

  /** Applies the results of ended pages in queue order. */
  function merge(): void {
    for (let page = queue[mergedCount]; page?.result; page = queue[++mergedCount]) {
      const { foundPages: found, outcome, isSiteFailure } = page.result;
      for (const each of found) add(each);
      if (outcome === 'scanned') consecutiveFailures = 0;
      else if (isSiteFailure) consecutiveFailures++;
      if (consecutiveFailures >= MAX_CONSECUTIVE_FAILURES) abandoned = true;
      // The entry keeps its position; the found pages are in the queue now.
      page.result = { outcome, isSiteFailure, foundPages: [] };
    }
  }

  function end(position: number, result: PageResult): void {
    const page = queue[position];
    if (!page) return;
    page.result = result;
    counts[result.outcome]++;
    merge();
  }

  const canTake = () =>
    !abandoned &&
    next < queue.length &&
    (limit === 0 || counts.scanned + underWay < limit) &&
    queue[next] !== undefined;

  function skipTaken(): void {
    while (queue[next]?.isTaken || queue[next]?.result) next++;
  }

  return {
    index,
    base,
    counts,
    get scope() {
      return scope;
    },
    get hasMoved() {
      return hasMoved;
    },
    get ended() {
      return ended;
    },
    get abandoned() {
      return abandoned;
    },
    /** Pages in a row that failed, as far as all pages before them have ended. */
    get consecutiveFailures() {
      return consecutiveFailures;
    },
    get found() {
      return queue.length + unqueuedKeys.size;
    },
    /** Number of pages that will probably still be visited. */
    get ahead() {
      const waiting = underWay + queue.length - next;
      if (ended || abandoned) return underWay;
      return limit === 0 ? waiting : Math.min(waiting, Math.max(0, limit - counts.scanned));
    },
    isOver: () => underWay === 0 && !canTake(),
    finish() {
      ended = true;
    },
    /** The address that `take` would return. */
    peek: () => (canTake() ? queue[next]?.url : undefined),
    take(): QueueEntry | undefined {
      const page = canTake() ? queue[next] : undefined;
      if (!page) return undefined;
      underWay++;
      const turn = { url: page.url, parent: page.parent, position: next };
      page.isTaken = true;
      skipTaken();
      return turn;
    },
    /** Number of pages that `take` would return now. */
    get takeable() {
      if (!canTake()) return 0;
      return Math.min(queue.length - next, limit === 0 ? Number.POSITIVE_INFINITY : limit - counts.scanned - underWay);
    },
    /** Returns a page that was taken and not visited. */
    giveBack(position: number) {
      const page = queue[position];
      if (!page?.isTaken || page.result) return;
      page.isTaken = false;
      underWay--;
      next = Math.min(next, position);
    },
    end(position: number, result: PageResult) {
      underWay--;
      end(position, result);
    },
    /** Restores the result of a page that ended in an earlier run. */
    replay(url: string, result: PageResult): void {
      const position = positions.get(url);
      if (position === undefined || queue[position]?.result) return;
      end(position, result);
      skipTaken();
    },
    moveTo(landed: SiteScope) {
      scope = landed;
      hasMoved = true;
    },
    /** Claims the target of a redirect; false when it is already known. */
    claim: (url: URL) => claimKey(crawlPageKey(url)),
    claimKey,
    isKnown(url: URL) {
      const key = crawlPageKey(url);
      return (
        known.has(key) ||
        unqueuedKeys.size >= MAX_COUNTED_URLS ||
        (unqueuedKeys.size > 0 && unqueuedKeys.has(hashKey(key)))
      );
    },
    isOwn: (url: URL, scopes: readonly SiteScope[]) => isInScope(scope, url) && owningScope(scopes, url) === scope,
    /** Pages that were found and are not visited. */
    rest: () => ({
      pages: queue.slice(next).filter((page) => !page.result && !page.isTaken),
      notKept: unqueuedKeys.size,
      isCountWhole: unqueuedKeys.size < MAX_COUNTED_URLS,
    }),
  };
}

/** A short hash is enough to count an address once, and needs less memory than the address. */
function hashKey(key: string): number {
  return hash('sha1', key, 'buffer').readUIntBE(0, 6);
}
