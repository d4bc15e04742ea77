import { Failure } from '../../platform/errors.ts';

/** The promise's value, or a failure when it takes longer. The work itself goes on; whoever calls must end it. */
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

/** For politeness only: ends early when the signal is raised. */
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
