import { setImmediate } from 'node:timers/promises';

/** Long enough to get on with the work, short enough that nobody notices. */
const longestTurnMs = 15;

/**
 * Lets long work share the process with everything else in it. To be called between steps: undefined to go on, or else what
 * to await first.
 */
export function createPace(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < longestTurnMs) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
    });
  };
}
