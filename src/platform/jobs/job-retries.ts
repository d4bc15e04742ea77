import { toEnvironmentFailure } from '../environment-failure.ts';

/** A job is started this often, whether its worker died or its environment failed. */
export const MAX_ATTEMPTS = 5;
const FIRST_DELAY_MS = 2000;

/** Whether the cause lies outside of the job: a full disk, a store or network that is away, a browser that ended. */
export function isEnvironmental(error: unknown): boolean {
  return toEnvironmentFailure(error)?.kind === 'unavailable';
}

/** Milliseconds before the next attempt: 2 s after the first, and twice as long after each further one. */
export function retryDelay(attempts: number): number {
  return FIRST_DELAY_MS * 2 ** (attempts - 1);
}
