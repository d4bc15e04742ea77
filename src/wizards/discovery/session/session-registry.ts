import { Failure } from '../../../platform/errors.ts';
import { isNavigationError } from '../../../platform/page/settle/settle.ts';
import { discoveryError } from './discovery-error.ts';
import type { DiscoverySession } from './discovery-session.ts';
import { PageStuckError, rejectIfPageHangs } from './page-watchdog.ts';

const IDLE_MS = 30 * 60_000;
const MAX_SESSIONS = 20;
const MAX_REMEMBERED = 1_000;

interface SessionEntry {
  session: DiscoverySession;
  timer: NodeJS.Timeout;
  /** Calls for one session are made one after the other. */
  lastCall: Promise<unknown>;
  /** How many of them are under way or waiting. */
  calls: number;
}

/** Room for one session. Disposing it releases the room, unless a session has taken it. */
interface SessionReservation extends Disposable {
  put(session: DiscoverySession): void;
}

/** The discoveries of this process. Each belongs to its caller, and goes after half an hour in which nobody asked for it. */
export interface SessionRegistry extends AsyncDisposable {
  /**
   * Reserves room for one more, before a browser is started. Where there is none, the caller's own session that was idle
   * longest gives way, or one of the owner who holds most of them. One session beyond the limit is left for an owner who
   * has none. Throws `too_many_sessions` where nothing can give way.
   */
  reserve(owner: string): SessionReservation;
  /** Does something with a session of this caller, as soon as what was asked of it before is done. */
  use<Value>(id: string, owner: string, work: (session: DiscoverySession) => Promise<Value>): Promise<Value>;
  remove(id: string): Promise<void>;
  ids(): string[];
}

function isBrowserLost(error: unknown): boolean {
  if (error instanceof Failure) return error.code === 'browser_error' || error.code === 'BROWSER_GONE';
  return (
    error instanceof Error &&
    /has been closed|Target closed|crashed|disconnected|Connection closed/i.test(error.message)
  );
}

function sessionLostError({ partialFile }: DiscoverySession, isStuck: boolean, error: unknown): Failure {
  const details = { screenshot: null, ...(partialFile && { partial_file: partialFile }) };
  if (!isStuck)
    return discoveryError(
      'browser_error',
      'The page of this discovery was closed, or the browser was lost; the session is over.',
      details,
      error,
    );
  return discoveryError(
    'timeout',
    'The page does not answer any more: a script of it keeps it busy. The session is over.',
    { ...details, corrective_action: 'Call federalscout_start_discovery again, and leave out what was done last.' },
    error,
  );
}

/** A page that is slow or leaves while it is read is the site's doing; anything else stays what it is. */
function toSiteError(error: unknown): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  if (error.name === 'TimeoutError')
    return discoveryError('timeout', 'The page did not answer in time.', { screenshot: null }, error);
  if (!isNavigationError(error)) return error;
  const message = 'The page went to another address while it was read.';
  const corrective_action = 'Call federalscout_get_page_info to see where it is now.';
  return discoveryError('navigation_failed', message, { screenshot: null, corrective_action }, error);
}

/** Why a session is over that was not completed. */
const endReasons = {
  idle: 'expired: nothing was asked of it for too long',
  lost: 'ended: its browser was lost',
  stuck: 'ended: its page did not answer any more',
  'made room': 'ended: it was idle longest when room was needed for another one',
} as const;

export function createSessionRegistry({
  idleMs = IDLE_MS,
  most = MAX_SESSIONS,
  stuckMs,
}: {
  idleMs?: number;
  most?: number;
  stuckMs?: number;
} = {}): SessionRegistry {
  const entries = new Map<string, SessionEntry>();
  /** The sessions that are being started. */
  const reserved = new Set<{ owner: string }>();
  /** Sessions that are over, by why; their owners may be told. */
  const ended = new Map<string, { owner: string; partialFile: string | undefined; why: keyof typeof endReasons }>();

  async function close(place: SessionEntry): Promise<void> {
    const { session } = place;
    clearTimeout(place.timer);
    entries.delete(session.id);
    session.watch[Symbol.dispose]();
    await session.open[Symbol.asyncDispose]();
  }

  function expire(id: string): void {
    const place = entries.get(id);
    if (!place) return;
    // Somebody is at it: the time begins anew when they are done.
    if (place.calls > 0) return void place.timer.refresh();
    end(place, 'idle');
  }

  /** Ends a session whose owner did not complete it. */
  function end(place: SessionEntry, why: keyof typeof endReasons): void {
    const { id, owner, partialFile } = place.session;
    ended.set(id, { owner, partialFile, why });
    const [oldest] = ended.keys();
    if (ended.size > MAX_REMEMBERED && oldest) ended.delete(oldest);
    void close(place);
  }

  function findEntry(id: string, owner: string): SessionEntry {
    const place = entries.get(id);
    if (place?.session.owner === owner) return place;
    const gone = ended.get(id);
    if (gone?.owner === owner) {
      throw discoveryError('session_expired', `The discovery session ${id} ${endReasons[gone.why]}.`, {
        screenshot: null,
        ...(gone.partialFile && { partial_file: gone.partialFile }),
      });
    }
    throw discoveryError('invalid_session', 'There is no discovery session of that session_id.', { screenshot: null });
  }

  /** The order of the map is that of the last use. */
  function findLongestIdle(owner: string): SessionEntry | undefined {
    return [...entries.values()].find(({ session, calls }) => session.owner === owner && calls === 0);
  }

  /** How many sessions each owner has, those included that are being started. */
  function countByOwner(): Map<string, number> {
    const counts = new Map<string, number>();
    const owners = [...entries.values()].map(({ session }) => session.owner);
    for (const owner of [...owners, ...[...reserved].map((each) => each.owner)])
      counts.set(owner, (counts.get(owner) ?? 0) + 1);
    return counts;
  }

  /** An idle session of the owner who has most, at least two more than this owner: so none can keep the others out. */
  function findIdleOfLargestOwner(owner: string, counts: ReadonlyMap<string, number>): SessionEntry | undefined {
    const fair = (counts.get(owner) ?? 0) + 1;
    const greedy = [...counts].filter(([, count]) => count > fair).toSorted(([, a], [, b]) => b - a);
    return greedy.map(([each]) => findLongestIdle(each)).find((place) => place !== undefined);
  }

  function evictIfFull(owner: string): void {
    const taken = entries.size + reserved.size;
    if (taken < most) return;
    const counts = countByOwner();
    const idle = findLongestIdle(owner) ?? findIdleOfLargestOwner(owner, counts);
    if (idle) return void end(idle, 'made room');
    if (taken === most && !counts.has(owner)) return;
    throw discoveryError('too_many_sessions', `There are ${most} discoveries under way already.`, {
      screenshot: null,
    });
  }

  return {
    reserve(owner) {
      evictIfFull(owner);
      const reservation = { owner };
      reserved.add(reservation);
      return {
        put(session) {
          reserved.delete(reservation);
          const timer = setTimeout(() => expire(session.id), idleMs).unref();
          entries.set(session.id, { session, timer, lastCall: Promise.resolve(), calls: 0 });
        },
        [Symbol.dispose]: () => void reserved.delete(reservation),
      };
    },
    async use(id, owner, work) {
      const place = findEntry(id, owner);
      place.calls++;
      const turn = place.lastCall.then(() => {
        if (entries.get(id) !== place) return findEntry(id, owner).session;
        return place.session;
      });
      const done = turn.then((session) => rejectIfPageHangs(() => session.watch.page(), work(session), stuckMs));
      place.lastCall = done.catch(() => {});
      try {
        return await done;
      } catch (error) {
        const isStuck = error instanceof PageStuckError;
        if (!isStuck && !isBrowserLost(error)) throw toSiteError(error);
        if (entries.get(id) === place) end(place, isStuck ? 'stuck' : 'lost');
        throw sessionLostError(place.session, isStuck, error);
      } finally {
        place.calls--;
        if (entries.get(id) === place) {
          place.timer.refresh();
          entries.delete(id);
          entries.set(id, place);
        }
      }
    },
    async remove(id) {
      const place = entries.get(id);
      if (place) await close(place);
    },
    ids: () => [...entries.keys()],
    async [Symbol.asyncDispose]() {
      await Promise.all([...entries.values()].map(close));
    },
  };
}
