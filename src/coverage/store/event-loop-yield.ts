import { setImmediate } from 'node:timers/promises';

/** Long enough to get on with the work, short enough that nobody notices. */
const maxSliceMs = 15;

/**
 * Lets long work share the process with everything else in it. To be called between steps: undefined to go on, or else what
 * to await first.
 */
export function createEventLoopYield(): () => Promise<void> | undefined {
  let sliceStart = performance.now();
  return () => {
    if (performance.now() - sliceStart < maxSliceMs) return undefined;
    return setImmediate().then(() => {
      sliceStart = performance.now();
    });
  };
}
