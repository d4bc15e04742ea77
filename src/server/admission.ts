import type { CallSlots } from './call-slots.ts';
import { SMALL_BODY_BYTES } from './request-body.ts';
import { REFUSED_CODE, refusalResponse } from './web-exchange.ts';

const LEAST_REQUESTS_OF_ONE_OWNER = 256;
const MOST_UNREAD_BYTES_OF_ONE_OWNER = 64 * 1024 * 1024;
const MOST_UNREAD_BYTES_OF_ALL = 256 * 1024 * 1024;

/** What one owner takes up at the moment. */
interface OwnerUsage {
  requests: number;
  /** Bytes of bodies that have not been parsed yet. */
  unreadBytes: number;
  /** Large bodies that are being read: each has a place among the calls. */
  largeBodies: number;
}

/** One request of an owner. */
interface AdmittedRequest {
  /** Counts the body as this many bytes, before they are kept. Returns a response where there is no room for them. */
  admitBytes(bytes: number): Response | undefined;
  /** The body has been parsed or refused: it takes up nothing any more. */
  bodyRead(): void;
}

export interface Admission {
  /** Counts a request until the signal is aborted. Returns a response where the owner has too many under way. */
  admit(owner: string, signal: AbortSignal): AdmittedRequest | Response;
  /** Resolves one after another, each in a turn of the event loop of its own. */
  parseTurn(): Promise<void>;
}

/**
 * Bounds what callers can take up before it is known what they ask for: requests under way and unread bytes of each
 * owner, and the unread bytes of all. A large body is read only with a place among the calls, of which the bodies of
 * one owner get at most half, so that slow senders cannot keep the others out.
 */
export function createAdmission(slots: CallSlots): Admission {
  const owners = new Map<string, OwnerUsage>();
  let unreadBytesOfAll = 0;
  let lastTurn: Promise<void> = Promise.resolve();
  const mostRequests = Math.max(LEAST_REQUESTS_OF_ONE_OWNER, 2 * slots.most);

  function bodyOf(owner: string, usage: OwnerUsage): AdmittedRequest {
    let bytes = 0;
    let freeSlot: (() => void) | undefined;
    const grow = (to: number) => {
      usage.unreadBytes += to - bytes;
      unreadBytesOfAll += to - bytes;
      bytes = to;
    };
    return {
      admitBytes(total) {
        const more = total - bytes;
        if (more <= 0) return undefined;
        if (usage.unreadBytes + more > MOST_UNREAD_BYTES_OF_ONE_OWNER)
          return retryLaterResponse(
            429,
            `More than ${MOST_UNREAD_BYTES_OF_ONE_OWNER} bytes of your requests are unread.`,
          );
        if (unreadBytesOfAll + more > MOST_UNREAD_BYTES_OF_ALL)
          return retryLaterResponse(503, `More than ${MOST_UNREAD_BYTES_OF_ALL} bytes of requests are unread.`);
        if (total > SMALL_BODY_BYTES && !freeSlot) {
          if (usage.largeBodies >= Math.ceil(slots.most / 2))
            return retryLaterResponse(429, `${usage.largeBodies} large requests of yours are being read.`);
          const slot = slots.reserve(owner);
          if (slot instanceof Response) return slot;
          freeSlot = slot;
          usage.largeBodies++;
        }
        grow(total);
        return undefined;
      },
      bodyRead() {
        grow(0);
        if (freeSlot) usage.largeBodies--;
        freeSlot?.();
        freeSlot = undefined;
      },
    };
  }

  return {
    admit(owner, signal) {
      const usage = owners.get(owner) ?? { requests: 0, unreadBytes: 0, largeBodies: 0 };
      if (usage.requests >= mostRequests)
        return retryLaterResponse(429, `${mostRequests} requests of yours are under way.`);
      usage.requests++;
      owners.set(owner, usage);
      const body = bodyOf(owner, usage);
      const leave = () => {
        body.bodyRead();
        if (--usage.requests === 0) owners.delete(owner);
      };
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
      return body;
    },
    parseTurn() {
      lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
      return lastTurn;
    },
  };
}

function retryLaterResponse(status: 429 | 503, reason: string): Response {
  return refusalResponse(status, REFUSED_CODE, `${reason} Try again when they have been answered.`, {
    'retry-after': '1',
  });
}
