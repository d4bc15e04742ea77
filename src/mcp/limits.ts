import type { Principal } from '../platform/principal.ts';
import type { CallLog } from '../platform/store/calls.ts';

const HOUR_MS = 3_600_000;

/** What a caller gets instead of an answer; the shape is the specification's. */
interface RateRefusal {
  status: 'error';
  error: 'rate_limit_exceeded';
  message: string;
  retry_after_seconds: number;
  limit: number;
  reset_at: string;
  timestamp: string;
}

interface LimiterOptions {
  calls: CallLog;
  /** Calls an hour that one client may make of a tool. */
  perHour(tool: string): number;
  now(): number;
}

export interface Limiter {
  /** Counts a call, or says why it may not be made. */
  admit(principal: Principal, tool: string): Promise<RateRefusal | undefined>;
}

/** A sliding hour for each client and tool: what one client does never touches another. */
export function createLimiter({ calls, perHour, now }: LimiterOptions): Limiter {
  return {
    async admit({ issuer, client }, tool) {
      const limit = perHour(tool);
      const at = now();
      const taken = await calls.take(JSON.stringify([issuer, client, tool]), { limit, windowMs: HOUR_MS, now: at });
      if (taken.admitted) return undefined;
      return {
        status: 'error',
        error: 'rate_limit_exceeded',
        message: `Rate limit exceeded for ${tool}`,
        retry_after_seconds: Math.max(1, Math.ceil((taken.freeAt - at) / 1000)),
        limit,
        reset_at: new Date(taken.freeAt).toISOString().replace(/\.\d+Z$/, 'Z'),
        timestamp: new Date(at).toISOString(),
      };
    },
  };
}

/** For one process. Keys that were not used within their window are forgotten. */
export function callsInMemory(): CallLog {
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
