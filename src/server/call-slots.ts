import type { CallTracker } from './mcp-server.ts';
import type { Metrics } from './metrics.ts';
import { REFUSED_CODE, refusalResponse } from './web-exchange.ts';

export interface CallSlots extends CallTracker {
  most: number;
  /** Keeps a place free for a body that is about to be read. Returns the function that releases it, or a refusal. */
  reserve(owner: string): (() => void) | Response;
  /** Runs a call in a place of its own, or refuses it: 503 where all places are taken, 429 where the owner has its share. */
  during(request: Request, owner: string, dispatch: () => Promise<Response>): Promise<Response>;
  /** Resolves when no call is under way, or the time is up. */
  idle(withinMs: number): Promise<void>;
}

interface CallSlot {
  owner: string | undefined;
  holders: number;
}

interface CallSlotsOptions {
  most: number;
  /** Places that one owner can hold at a time, with calls and with bodies that are being read. */
  mostOfOneOwner: number;
  metrics: Metrics;
}

/**
 * Tool calls under way. A call lasts until its answer has been sent or its caller has gone, and as long as its tool works:
 * in the 2025 revisions a caller who goes does not end it.
 */
export function createCallSlots({ most, mostOfOneOwner, metrics }: CallSlotsOptions): CallSlots {
  const places = new WeakMap<Request, CallSlot>();
  /** Places that each owner holds, reserved ones included. */
  const held = new Map<string, number>();
  let underWay = 0;
  let reserved = 0;
  let whenIdle: (() => void) | undefined;
  const countFor = (owner: string | undefined, change: 1 | -1) => {
    if (owner === undefined) return;
    const now = (held.get(owner) ?? 0) + change;
    if (now === 0) held.delete(owner);
    else held.set(owner, now);
  };
  const count = (owner: string | undefined, change: 1 | -1) => {
    countFor(owner, change);
    underWay += change;
    metrics.callsInFlight(change);
    if (underWay === 0) whenIdle?.();
  };
  const hold = (place: CallSlot) => {
    if (++place.holders === 1) count(place.owner, 1);
    return () => void (--place.holders === 0 && count(place.owner, -1));
  };
  /** A refusal where no place is left for this owner. */
  const refuse = (owner: string): Response | undefined => {
    if (underWay + reserved >= most)
      return refusalResponse(503, REFUSED_CODE, `All ${most} places for calls are taken.`, { 'retry-after': '1' });
    if ((held.get(owner) ?? 0) < mostOfOneOwner) return undefined;
    const reason = `Your calls take ${mostOfOneOwner} of the ${most} places for calls, the most that one owner gets.`;
    return refusalResponse(429, REFUSED_CODE, `${reason} Try again when one of them has ended.`, {
      'retry-after': '1',
    });
  };
  return {
    most,
    reserve(owner) {
      const refused = refuse(owner);
      if (refused) return refused;
      reserved++;
      countFor(owner, 1);
      return () => {
        reserved--;
        countFor(owner, -1);
      };
    },
    async during(request, owner, dispatch) {
      const refused = refuse(owner);
      if (refused) return refused;
      const place = { owner, holders: 0 };
      places.set(request, place);
      const release = hold(place);
      // The exchange aborts this when the response is closed, sent to its end or not.
      if (request.signal.aborted) release();
      else request.signal.addEventListener('abort', release, { once: true });
      return dispatch();
    },
    async working(request, work) {
      const release = hold((request && places.get(request)) ?? { owner: undefined, holders: 0 });
      try {
        return await work();
      } finally {
        release();
      }
    },
    async idle(withinMs) {
      if (underWay === 0) return;
      const timer = Promise.withResolvers<void>();
      whenIdle = timer.resolve;
      const timeout = setTimeout(timer.resolve, withinMs);
      await timer.promise;
      clearTimeout(timeout);
    },
  };
}
