import type { Principal } from '../platform/principal.ts';
import type { CallLog } from '../platform/store/call-log.ts';

const HOUR_MS = 3_600_000;

/** The answer to a call over the limit, in the shape of the specification. */
export interface RateRefusal {
  status: 'error';
  error: 'rate_limit_exceeded';
  message: string;
  retry_after_seconds: number;
  limit: number;
  reset_at: string;
  timestamp: string;
}

/**
 * Milliseconds since 1970 that never go back. A wall clock that is set back would extend the refusal of a caller by the same
 * time.
 */
export const steadyNow = (): number => Math.round(performance.timeOrigin + performance.now());

interface CallLimiterOptions {
  calls: CallLog;
  /** Calls of a tool per client and hour. */
  perHour(tool: string): number;
  now(): number;
}

export interface CallLimiter {
  /** Counts a call, or returns a refusal. */
  admit(principal: Principal, tool: string): Promise<RateRefusal | undefined>;
}

/** Counts calls in a sliding hour per client and tool, so clients do not affect each other. */
export function createCallLimiter({ calls, perHour, now }: CallLimiterOptions): CallLimiter {
  return {
    async admit({ issuer, client }, tool) {
      const limit = perHour(tool);
      const at = now();
      const taken = await calls.take(JSON.stringify([issuer, client, tool]), { limit, windowMs: HOUR_MS, now: at });
      return taken.admitted ? undefined : rateRefusal(tool, limit, at, taken.freeAt);
    },
  };
}

function rateRefusal(what: string, limit: number, at: number, freeAt: number): RateRefusal {
  return {
    status: 'error',
    error: 'rate_limit_exceeded',
    message: `Rate limit exceeded for ${what}`,
    retry_after_seconds: Math.max(1, Math.ceil((freeAt - at) / 1000)),
    limit,
    reset_at: new Date(freeAt).toISOString().replace(/\.\d+Z$/, 'Z'),
    timestamp: new Date(at).toISOString(),
  };
}

/** Name of the limit for requests of any kind in `--rate-limits`. */
export const REQUESTS_LIMIT = 'requests';
const BURST_MS = 60_000;
const SWEEP_ABOVE = 10_000;

export interface RequestLimiter {
  /** Counts a request of a caller, or returns a refusal. */
  admit(caller: string): RateRefusal | undefined;
}

/**
 * Limits requests of any method per caller and hour, evenly spread, with bursts of one minute's share. Counts before a
 * request is read, so only in this process and in constant time (generic cell rate algorithm).
 */
export function createRequestLimiter({ perHour, now }: { perHour: number; now(): number }): RequestLimiter {
  const intervalMs = HOUR_MS / perHour;
  const burstMs = Math.max(BURST_MS, intervalMs);
  /** Per caller, the time at which its requests so far are evenly spread. */
  const spreadUntil = new Map<string, number>();
  return {
    admit(caller) {
      const at = now();
      if (spreadUntil.size > SWEEP_ABOVE)
        for (const [key, until] of spreadUntil) if (until <= at) spreadUntil.delete(key);
      const until = Math.max(spreadUntil.get(caller) ?? at, at) + intervalMs;
      const freeAt = until - burstMs;
      if (freeAt > at) return rateRefusal(REQUESTS_LIMIT, perHour, at, Math.min(freeAt, at + HOUR_MS));
      spreadUntil.set(caller, until);
      return undefined;
    },
  };
}

/** Call log of one process. Removes keys that were not used within their window. */
export function createMemoryCallLog(): CallLog {
  const calls = new Map<string, { times: number[]; until: number }>();
  let nextSweep = 0;
  return {
    async take(key, { limit, windowMs, now }) {
      if (now >= nextSweep) {
        for (const [old, { until }] of calls) if (until <= now) calls.delete(old);
        nextSweep = now + windowMs;
      }
      const times = (calls.get(key)?.times ?? []).filter((time) => time > now - windowMs);
      const [oldest = now] = times;
      const admitted = times.length < limit;
      if (admitted) times.push(now);
      calls.set(key, { times, until: now + windowMs });
      return admitted ? { admitted } : { admitted, freeAt: oldest + windowMs };
    },
  };
}
