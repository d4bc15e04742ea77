import type { CallTracker } from './mcp-server.ts';
import type { Metrics } from './metrics.ts';
import { REFUSED_CODE, refusalResponse } from './web-exchange.ts';

export interface CallSlots extends CallTracker {
  most: number;
  /** Reserves a slot for a body that is about to be read. Returns the function that releases it, or a refusal. */
  reserve(owner: string): (() => void) | Response;
  /** Runs a call in a slot, or refuses it: 503 when all slots are in use, 429 when the owner has its share. */
  during(request: Request, owner: string, dispatch: () => Promise<Response>): Promise<Response>;
  /** Resolves when no call is running, or at the time limit. */
  idle(withinMs: number): Promise<void>;
}

interface CallSlot {
  owner: string | undefined;
  users: number;
}

interface CallSlotsOptions {
  most: number;
  /** Slots that one owner can use at a time for calls and for bodies that are being read. */
  mostOfOneOwner: number;
  metrics: Metrics;
}

/**
 * Limits concurrent tool calls. A call uses its slot until its response is sent or its caller disconnects, and as long as
 * its tool runs: in the 2025 revisions a disconnect does not cancel the call.
 */
export function createCallSlots({ most, mostOfOneOwner, metrics }: CallSlotsOptions): CallSlots {
  const slots = new WeakMap<Request, CallSlot>();
  /** Slots in use per owner, including reserved ones. */
  const inUse = new Map<string, number>();
  let underWay = 0;
  let reserved = 0;
  let whenIdle: (() => void) | undefined;
  const countFor = (owner: string | undefined, change: 1 | -1) => {
    if (owner === undefined) return;
    const now = (inUse.get(owner) ?? 0) + change;
    if (now === 0) inUse.delete(owner);
    else inUse.set(owner, now);
  };
  const count = (owner: string | undefined, change: 1 | -1) => {
    countFor(owner, change);
    underWay += change;
    metrics.callsInFlight(change);
    if (underWay === 0) whenIdle?.();
  };
  const use = (slot: CallSlot) => {
    if (++slot.users === 1) count(slot.owner, 1);
    return () => void (--slot.users === 0 && count(slot.owner, -1));
  };
  /** Returns a refusal when no slot is free for this owner. */
  const refuse = (owner: string): Response | undefined => {
    if (underWay + reserved >= most)
      return refusalResponse(503, REFUSED_CODE, `All ${most} call slots are in use. Try again.`, {
        'retry-after': '1',
      });
    if ((inUse.get(owner) ?? 0) < mostOfOneOwner) return undefined;
    const reason = `Your calls use ${mostOfOneOwner} of the ${most} call slots, the most for one owner.`;
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
      const slot = { owner, users: 0 };
      slots.set(request, slot);
      const release = use(slot);
      // The exchange aborts this signal when the response is closed, complete or not.
      if (request.signal.aborted) release();
      else request.signal.addEventListener('abort', release, { once: true });
      return dispatch();
    },
    async working(request, work) {
      const release = use((request && slots.get(request)) ?? { owner: undefined, users: 0 });
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
