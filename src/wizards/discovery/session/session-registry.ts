import { browserEndedMessage } from '../../../platform/browser/browser-messages.ts';
import { Failure } from '../../../platform/errors.ts';
import { isContextLostError } from '../../../platform/page/settle/settle.ts';
import { discoveryError } from './discovery-error.ts';
import { createDiscoveryPictures, type DiscoveryPictures } from './discovery-pictures.ts';
import type { DiscoverySession } from './discovery-session.ts';
import { PageStuckError, rejectIfPageHangs } from './page-watchdog.ts';

const IDLE_MS = 30 * 60_000;
const MAX_SESSIONS = 20;
const MAX_REMEMBERED = 1_000;

interface SessionEntry {
  session: DiscoverySession;
  timer: NodeJS.Timeout;
  /** Calls for one session run one after the other. */
  lastCall: Promise<unknown>;
  /** Number of running and waiting calls. */
  calls: number;
}

/** A reserved slot for one session. Disposing it frees the slot, unless a session uses it. */
interface SessionReservation extends Disposable {
  put(session: DiscoverySession): void;
}

/** The open discoveries of this process. Each belongs to its owner and expires after half an hour without a call. */
export interface SessionRegistry extends AsyncDisposable {
  /**
   * Reserves a slot before a browser is started. At the limit, the longest idle session of this owner is evicted, or one of
   * the owner with most sessions. One session beyond the limit is allowed for an owner without any. Throws
   * `too_many_sessions` if none can be evicted.
   */
  reserve(owner: string): SessionReservation;
  /** Runs `work` with a session of this owner after the earlier calls for it. Throws if there is no such session. */
  use<Value>(id: string, owner: string, work: (session: DiscoverySession) => Promise<Value>): Promise<Value>;
  remove(id: string): Promise<void>;
  ids(): string[];
  /** The pictures of a session are removed with it. */
  pictures: DiscoveryPictures;
}

function isBrowserLost(error: unknown): boolean {
  if (error instanceof Failure) return error.code === 'browser_error' || error.code === 'BROWSER_GONE';
  return error instanceof Error && browserEndedMessage.test(error.message);
}

function sessionLostError({ partialFile }: DiscoverySession, isStuck: boolean, error: unknown): Failure {
  const details = { screenshot: null, ...(partialFile && { partial_file: partialFile }) };
  if (!isStuck)
    return discoveryError(
      'browser_error',
      'The page of this discovery was closed, or the browser ended. The session is over.',
      details,
      error,
    );
  return discoveryError(
    'timeout',
    'The page no longer responds: one of its scripts keeps it busy. The session is over.',
    { ...details, corrective_action: 'Call federalscout_start_discovery again and leave out the last action.' },
    error,
  );
}

/** Converts timeouts and navigations during a read into errors of the site; other errors stay as they are. */
function toSiteError(error: unknown): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  if (error.name === 'TimeoutError')
    return discoveryError('timeout', 'The page did not respond in time.', { screenshot: null }, error);
  if (!isContextLostError(error)) return error;
  const message = 'The page navigated to another address while it was read.';
  const corrective_action = 'Call federalscout_get_page_info to see the current page.';
  return discoveryError('navigation_failed', message, { screenshot: null, corrective_action }, error);
}

/** Why a session ended before it was completed. */
const endReasons = {
  idle: 'expired: it was idle for too long',
  lost: 'ended: its browser was lost',
  stuck: 'ended: its page no longer responded',
  evicted: 'ended: it was the longest idle when another session needed its slot',
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
  const pictures = createDiscoveryPictures((id) => entries.has(id));
  /** Sessions that are being started. */
  const reserved = new Set<{ owner: string }>();
  /** Ended sessions, so that their owners get the reason. */
  const ended = new Map<string, { owner: string; partialFile: string | undefined; why: keyof typeof endReasons }>();

  async function close(entry: SessionEntry): Promise<void> {
    const { session } = entry;
    clearTimeout(entry.timer);
    entries.delete(session.id);
    pictures.remove(session.id);
    session.watch[Symbol.dispose]();
    await session.open[Symbol.asyncDispose]();
  }

  function expire(id: string): void {
    const entry = entries.get(id);
    if (!entry) return;
    // A call is running: the idle time starts again when it ends.
    if (entry.calls > 0) return void entry.timer.refresh();
    end(entry, 'idle');
  }

  /** Ends a session that was not completed. */
  function end(entry: SessionEntry, why: keyof typeof endReasons): void {
    const { id, owner, partialFile } = entry.session;
    ended.set(id, { owner, partialFile, why });
    const [oldest] = ended.keys();
    if (ended.size > MAX_REMEMBERED && oldest) ended.delete(oldest);
    void close(entry);
  }

  function findEntry(id: string, owner: string): SessionEntry {
    const entry = entries.get(id);
    if (entry?.session.owner === owner) return entry;
    const past = ended.get(id);
    if (past?.owner === owner) {
      throw discoveryError('session_expired', `The discovery session ${id} ${endReasons[past.why]}.`, {
        screenshot: null,
        ...(past.partialFile && { partial_file: past.partialFile }),
      });
    }
    throw discoveryError('invalid_session', 'There is no discovery session with this session_id.', {
      screenshot: null,
    });
  }

  /** The map is ordered by last use. */
  function findLongestIdle(owner: string): SessionEntry | undefined {
    return [...entries.values()].find(({ session, calls }) => session.owner === owner && calls === 0);
  }

  /** Number of sessions per owner, including those that are being started. */
  function countByOwner(): Map<string, number> {
    const counts = new Map<string, number>();
    const owners = [...entries.values()].map(({ session }) => session.owner);
    for (const owner of [...owners, ...[...reserved].map((each) => each.owner)])
      counts.set(owner, (counts.get(owner) ?? 0) + 1);
    return counts;
  }

  /** An idle session of the owner with most sessions, at least two more than this owner, so that no owner locks others out. */
  function findIdleOfLargestOwner(owner: string, counts: ReadonlyMap<string, number>): SessionEntry | undefined {
    const fair = (counts.get(owner) ?? 0) + 1;
    const greedy = [...counts].filter(([, count]) => count > fair).toSorted(([, a], [, b]) => b - a);
    return greedy.map(([each]) => findLongestIdle(each)).find((entry) => entry !== undefined);
  }

  function evictIfFull(owner: string): void {
    const taken = entries.size + reserved.size;
    if (taken < most) return;
    const counts = countByOwner();
    const idle = findLongestIdle(owner) ?? findIdleOfLargestOwner(owner, counts);
    if (idle) return void end(idle, 'evicted');
    if (taken === most && !counts.has(owner)) return;
    throw discoveryError('too_many_sessions', `There are already ${most} discoveries in progress.`, {
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
      const entry = findEntry(id, owner);
      entry.calls++;
      const turn = entry.lastCall.then(() => {
        if (entries.get(id) !== entry) return findEntry(id, owner).session;
        return entry.session;
      });
      const done = turn.then((session) => rejectIfPageHangs(() => session.watch.page(), work(session), stuckMs));
      entry.lastCall = done.catch(() => {});
      try {
        return await done;
      } catch (error) {
        const isStuck = error instanceof PageStuckError;
        if (!isStuck && !isBrowserLost(error)) throw toSiteError(error);
        if (entries.get(id) === entry) end(entry, isStuck ? 'stuck' : 'lost');
        throw sessionLostError(entry.session, isStuck, error);
      } finally {
        entry.calls--;
        if (entries.get(id) === entry) {
          entry.timer.refresh();
          entries.delete(id);
          entries.set(id, entry);
        }
      }
    },
    async remove(id) {
      const entry = entries.get(id);
      if (entry) await close(entry);
    },
    ids: () => [...entries.keys()],
    pictures,
    async [Symbol.asyncDispose]() {
      await Promise.all([...entries.values()].map(close));
    },
  };
}
