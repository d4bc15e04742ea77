import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from './errors.ts';

const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 15_000;
const LIMIT_MS = 150_000;

interface RetryOptions {
  signal: AbortSignal;
  /** Called before each further try. */
  onRetry(failure: Failure): void;
}

/**
 * Does work whose result would be expensive to make again. While something outside of this process is away (a Failure of the kind
 * `unavailable`), the work is tried again after 1, 2, 4, 8 and then every 15 seconds, for two and a half minutes.
 */
export async function retryThroughOutage<Result>(
  work: () => Promise<Result>,
  { signal, onRetry }: RetryOptions,
): Promise<Result> {
  const endsAt = performance.now() + LIMIT_MS;
  for (let delay = FIRST_DELAY_MS; ; delay = Math.min(MAX_DELAY_MS, 2 * delay)) {
    try {
      return await work();
    } catch (error) {
      const isAway = error instanceof Failure && error.kind === 'unavailable';
      if (!isAway || performance.now() + delay > endsAt) throw error;
      onRetry(error);
      await pause(delay, undefined, { signal });
    }
  }
}
