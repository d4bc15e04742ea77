import { vi } from 'vitest';
import { pollIntervalMs, waitLimitMs } from './vitest/limits.ts';

/** Repeats a probe until it no longer throws, and returns its value. Without a value to return, `expect.poll` is enough. */
export function eventually<Value>(probe: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(probe, { timeout: waitLimitMs, interval: pollIntervalMs });
}
