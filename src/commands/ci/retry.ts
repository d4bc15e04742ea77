import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../platform/errors.ts';

const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 5000;
const MOST_ATTEMPTS = 7;

/** Retries a request for about fifteen seconds while the server is unavailable. A refusal is not retried. */
export async function retryWhileUnavailable<Answer>(ask: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  let wait = FIRST_PAUSE_MS;
  for (let silences = 1; ; silences++) {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      if ((error instanceof Failure && error.kind === 'configuration') || silences >= MOST_ATTEMPTS) throw error;
    }
    await pause(wait, undefined, { signal });
    wait = Math.min(LONGEST_PAUSE_MS, wait * 2);
  }
}
