/** Of the caller's time, so much is kept for the picture and for closing the browser's context. */
const CLEANUP_MS = 700;

export interface Deadline {
  /** Aborted when the time for work is over, or the caller gives up. */
  signal: AbortSignal;
  isExpired(): boolean;
  remainingMs(): number;
  /** Until the caller's time is over. */
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

/** The work, or the signal's reason, whichever comes first. What the work does afterwards is nobody's concern. */
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
