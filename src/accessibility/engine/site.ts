import { hash } from 'node:crypto';
import { isInScope, ownerOf, pageKey, type Scope, scopeOf } from './addresses.ts';
import type { BaseUrl } from './base-urls.ts';
import type { Outcome } from './journal.ts';

export interface FoundPage {
  url: string;
  parent: string;
}

/** How a page ended, as far as its site is concerned. */
export interface PageEnd {
  outcome: Outcome;
  siteTrouble: boolean;
  found: readonly FoundPage[];
}

interface QueuedPage extends FoundPage {
  end?: PageEnd;
}

/** A page that was taken from a site's queue. */
export interface Turn extends FoundPage {
  place: number;
}

const FAILURES_IN_A_ROW = 3;
/** More addresses than this are counted, not kept: a calendar has no end. */
export const MOST_KEPT = 100_000;
/** And more than this not even counted. */
const MOST_COUNTED = 1_000_000;

export type Site = ReturnType<typeof createSite>;

/**
 * The pages of one base URL, breadth-first. Several may be under way at once, yet what a page found joins the queue only when
 * all pages before it have ended, so the order, and with it the choice of pages under a limit, does not hang on timing.
 */
export function createSite(index: number, base: BaseUrl, limit: number) {
  const start = new URL(base.url);
  const queue: QueuedPage[] = [{ url: start.href, parent: '' }];
  const known = new Set([pageKey(start)]);
  const places = new Map([[start.href, 0]]);
  const counts: Record<Outcome, number> = { scanned: 0, failed: 0, skipped: 0, blocked: 0 };
  let scope = scopeOf(start);
  let next = 0;
  let merged = 0;
  let underWay = 0;
  let inARow = 0;
  let abandoned = false;
  const notKept = new Set<number>();
  let ended = false;

  function add({ url, parent }: FoundPage): void {
    const key = pageKey(new URL(url));
    if (known.has(key)) return;
    if (queue.length >= MOST_KEPT) {
      if (notKept.size < MOST_COUNTED) notKept.add(digest(key));
      return;
    }
    known.add(key);
    places.set(url, queue.length);
    queue.push({ url, parent });
  }

  /** Lets the pages that ended speak, in the queue's order. */
  function merge(): void {
    for (let page = queue[merged]; page?.end; page = queue[++merged]) {
      const { found, outcome, siteTrouble } = page.end;
      for (const each of found) add(each);
      if (outcome === 'scanned') inARow = 0;
      else if (siteTrouble) inARow++;
      if (inARow >= FAILURES_IN_A_ROW) abandoned = true;
      // Kept for its place alone; what it found is in the queue now.
      page.end = { outcome, siteTrouble, found: [] };
    }
  }

  function end(place: number, how: PageEnd): void {
    const page = queue[place];
    if (!page) return;
    page.end = how;
    counts[how.outcome]++;
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
      return queue.length + notKept.size;
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
    take(): Turn | undefined {
      const page = canTake() ? queue[next] : undefined;
      if (!page) return undefined;
      underWay++;
      const turn = { url: page.url, parent: page.parent, place: next };
      while (queue[++next]?.end);
      return turn;
    },
    end(place: number, how: PageEnd) {
      underWay--;
      end(place, how);
    },
    /** Puts a page back that ended in an earlier run. */
    replay(url: string, how: PageEnd): void {
      const place = places.get(url);
      if (place === undefined || queue[place]?.end) return;
      end(place, how);
      while (queue[next]?.end) next++;
    },
    moveTo(landed: Scope) {
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
      return known.has(key) || notKept.size >= MOST_COUNTED || (notKept.size > 0 && notKept.has(digest(key)));
    },
    isOwn: (url: URL, scopes: readonly Scope[]) => isInScope(scope, url) && ownerOf(scopes, url) === scope,
    /** Pages that were found and will not be visited. */
    rest: () => ({
      pages: queue.slice(next).filter((page) => !page.end),
      notKept: notKept.size,
      isCountWhole: notKept.size < MOST_COUNTED,
    }),
  };
}

/** Of an address that is only counted so much is remembered that it is not counted twice. */
function digest(key: string): number {
  return hash('sha1', key, 'buffer').readUIntBE(0, 6);
}
