import { setImmediate } from 'node:timers/promises';

/** Longest time that work may block the event loop. */
const maxSliceMs = 15;

/**
 * Creates a function that long work calls between steps. It returns undefined to continue, or a promise to await first, so
 * that other work in the process gets its turn.
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
