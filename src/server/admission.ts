import type { CallSlots } from './call-slots.ts';
import { SMALL_BODY_BYTES } from './request-body.ts';
import { REFUSED_CODE, refusalResponse } from './web-exchange.ts';

const LEAST_REQUESTS_OF_ONE_OWNER = 256;
const MOST_UNREAD_BYTES_OF_ONE_OWNER = 64 * 1024 * 1024;
const MOST_UNREAD_BYTES_OF_ALL = 256 * 1024 * 1024;

/** Current resource use of one owner. */
interface OwnerUsage {
  requests: number;
  /** Bytes of bodies that have not been parsed yet. */
  unreadBytes: number;
  /** Large bodies that are being read; each uses a call slot. */
  largeBodies: number;
}

/** One request of an owner. */
interface AdmittedRequest {
  /** Counts the body as this many bytes, before they are buffered. Returns a refusal when a limit is exceeded. */
  admitBytes(bytes: number): Response | undefined;
  /** Releases the bytes of the body once it is parsed or refused. */
  bodyRead(): void;
}

export interface Admission {
  /** Counts a request until the signal is aborted. Returns a refusal when the owner has too many requests. */
  admit(owner: string, signal: AbortSignal): AdmittedRequest | Response;
  /** Resolves for one caller at a time, each in a separate turn of the event loop. */
  parseTurn(): Promise<void>;
}

/**
 * Limits resources that are used before a request is parsed: open requests and unread bytes per owner, and unread bytes of
 * all owners. A large body is read only with a call slot. Bodies of one owner get at most half of the slots, so that slow
 * senders cannot block other owners.
 */
export function createAdmission(slots: CallSlots): Admission {
  const owners = new Map<string, OwnerUsage>();
  let unreadBytesOfAll = 0;
  let lastTurn: Promise<void> = Promise.resolve();
  const mostRequests = Math.max(LEAST_REQUESTS_OF_ONE_OWNER, 2 * slots.most);

  function trackBody(owner: string, usage: OwnerUsage): AdmittedRequest {
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
          return retryLaterResponse(429, `Your open requests exceed ${MOST_UNREAD_BYTES_OF_ONE_OWNER} unread bytes.`);
        if (unreadBytesOfAll + more > MOST_UNREAD_BYTES_OF_ALL)
          return retryLaterResponse(503, `All open requests exceed ${MOST_UNREAD_BYTES_OF_ALL} unread bytes.`);
        if (total > SMALL_BODY_BYTES && !freeSlot) {
          if (usage.largeBodies >= Math.ceil(slots.most / 2))
            return retryLaterResponse(429, `You already send ${usage.largeBodies} large requests.`);
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
        return retryLaterResponse(429, `You already have ${mostRequests} open requests.`);
      usage.requests++;
      owners.set(owner, usage);
      const body = trackBody(owner, usage);
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
  return refusalResponse(status, REFUSED_CODE, `${reason} Try again when they are answered.`, {
    'retry-after': '1',
  });
}
