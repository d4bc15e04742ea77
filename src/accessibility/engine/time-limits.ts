import { Failure } from '../../platform/errors.ts';

/** Resolves with the work's value, or rejects with PAGE_TIMEOUT after the limit. The work is not stopped: the caller has to end it. */
export async function withTimeLimit<Value>(limitMs: number, what: string, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    const message = `${what} took longer than ${Math.round(limitMs / 100) / 10} s`;
    timer = setTimeout(() => reject(new Failure('site_failed', 'PAGE_TIMEOUT', message)), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits to limit the load on a server; resolves early when the signal is aborted. */
export async function pauseUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}
