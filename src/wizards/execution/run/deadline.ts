/** The part of the caller's time limit that is reserved for the screenshot and for closing the browser context. */
const CLEANUP_MS = 700;

export interface Deadline {
  /** Aborts when the time for the work is over, or when the caller cancels. */
  signal: AbortSignal;
  isExpired(): boolean;
  remainingMs(): number;
  /** Milliseconds until the caller's time limit. */
  remainingTotalMs(): number;
}

export function startDeadline(seconds: number, caller: AbortSignal): Deadline & Disposable {
  const begun = performance.now();
  const whole = seconds * 1000;
  const work = Math.max(whole * 0.75, whole - CLEANUP_MS);
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(new DOMException('The time is up.', 'TimeoutError')), work);
  return {
    signal: AbortSignal.any([caller, over.signal]),
    isExpired: () => over.signal.aborted,
    remainingMs: () => Math.max(1, Math.round(begun + work - performance.now())),
    remainingTotalMs: () => Math.max(100, Math.round(begun + whole - performance.now())),
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

/**
 * Resolves with the work or rejects with the reason of the signal, whichever comes first. A later error of the work is
 * ignored.
 */
export async function raceAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  work.catch(() => {});
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
