import { hash } from 'node:crypto';
import type { BaseUrl } from '../input/base-urls.ts';
import type { Outcome } from '../output/scan-journal.ts';
import { isInScope, owningScope, pageKey, type SiteScope, siteScope } from './page-address.ts';

export interface FoundPage {
  url: string;
  parent: string;
}

/** How a page ended, as far as its site is concerned. */
export interface PageResult {
  outcome: Outcome;
  isSiteFailure: boolean;
  foundPages: readonly FoundPage[];
}

interface QueuedPage extends FoundPage {
  result?: PageResult;
}

/** A page that was taken from a site's queue. */
export interface QueueEntry extends FoundPage {
  position: number;
}

const MAX_CONSECUTIVE_FAILURES = 3;
/** More addresses than this are counted, not kept: a calendar has no end. */
export const MAX_QUEUED_URLS = 100_000;
/** And more than this not even counted. */
const MAX_COUNTED_URLS = 1_000_000;

export type SiteQueue = ReturnType<typeof createSiteQueue>;

/**
 * The pages of one base URL, breadth-first. Several may be under way at once, yet what a page found joins the queue only when
 * all pages before it have ended, so the order, and with it the choice of pages under a limit, does not hang on timing.
 */
export function createSiteQueue(index: number, base: BaseUrl, limit: number) {
  const start = new URL(base.url);
  const queue: QueuedPage[] = [{ url: start.href, parent: '' }];
  const known = new Set([pageKey(start)]);
  const positions = new Map([[start.href, 0]]);
  const counts: Record<Outcome, number> = { scanned: 0, failed: 0, skipped: 0, blocked: 0 };
  let scope = siteScope(start);
  let next = 0;
  let mergedCount = 0;
  let underWay = 0;
  let consecutiveFailures = 0;
  let abandoned = false;
  const unqueuedKeys = new Set<number>();
  let ended = false;

  function add({ url, parent }: FoundPage): void {
    const key = pageKey(new URL(url));
    if (known.has(key)) return;
    if (queue.length >= MAX_QUEUED_URLS) {
      if (unqueuedKeys.size < MAX_COUNTED_URLS) unqueuedKeys.add(hashKey(key));
      return;
    }
    known.add(key);
    positions.set(url, queue.length);
    queue.push({ url, parent });
  }

  /** Lets the pages that ended speak, in the queue's order. */
  function merge(): void {
    for (let page = queue[mergedCount]; page?.result; page = queue[++mergedCount]) {
      const { foundPages: found, outcome, isSiteFailure } = page.result;
      for (const each of found) add(each);
      if (outcome === 'scanned') consecutiveFailures = 0;
      else if (isSiteFailure) consecutiveFailures++;
      if (consecutiveFailures >= MAX_CONSECUTIVE_FAILURES) abandoned = true;
      // Kept for its position alone; what it found is in the queue now.
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

  return {
    index,
    base,
    counts,
    get scope() {
      return scope;
    },
    get ended() {
      return ended;
    },
    get abandoned() {
      return abandoned;
    },
    get found() {
      return queue.length + unqueuedKeys.size;
    },
    /** Pages that will probably still be visited. */
    get ahead() {
      const waiting = underWay + queue.length - next;
      if (ended || abandoned) return underWay;
      return limit === 0 ? waiting : Math.min(waiting, Math.max(0, limit - counts.scanned));
    },
    isOver: () => underWay === 0 && !canTake(),
    finish() {
      ended = true;
    },
    /** The address that `take` would hand out. */
    peek: () => (canTake() ? queue[next]?.url : undefined),
    take(): QueueEntry | undefined {
      const page = canTake() ? queue[next] : undefined;
      if (!page) return undefined;
      underWay++;
      const turn = { url: page.url, parent: page.parent, position: next };
      while (queue[++next]?.result);
      return turn;
    },
    end(position: number, result: PageResult) {
      underWay--;
      end(position, result);
    },
    /** Puts a page back that ended in an earlier run. */
    replay(url: string, result: PageResult): void {
      const position = positions.get(url);
      if (position === undefined || queue[position]?.result) return;
      end(position, result);
      while (queue[next]?.result) next++;
    },
    moveTo(landed: SiteScope) {
      scope = landed;
    },
    /** Takes an address that a redirect led to; false where it is a page of the queue anyway. */
    claim(url: URL): boolean {
      const key = pageKey(url);
      if (known.has(key)) return false;
      known.add(key);
      return true;
    },
    isKnown(url: URL) {
      const key = pageKey(url);
      return (
        known.has(key) ||
        unqueuedKeys.size >= MAX_COUNTED_URLS ||
        (unqueuedKeys.size > 0 && unqueuedKeys.has(hashKey(key)))
      );
    },
    isOwn: (url: URL, scopes: readonly SiteScope[]) => isInScope(scope, url) && owningScope(scopes, url) === scope,
    /** Pages that were found and will not be visited. */
    rest: () => ({
      pages: queue.slice(next).filter((page) => !page.result),
      notKept: unqueuedKeys.size,
      isCountWhole: unqueuedKeys.size < MAX_COUNTED_URLS,
    }),
  };
}

/** Of an address that is only counted so much is remembered that it is not counted twice. */
function hashKey(key: string): number {
  return hash('sha1', key, 'buffer').readUIntBE(0, 6);
}
