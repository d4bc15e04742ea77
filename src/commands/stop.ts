import type { Logger } from '../platform/log.ts';

/** A promise that nobody waited for is a defect of ours: it goes to the log, and the server lives on. */
export function outliveRejections(log: Logger): void {
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'something failed that nobody waited for'));
}

/** Aborted by the first SIGINT, SIGTERM or SIGHUP; a second one ends the process at once. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => (stop.signal.aborted ? process.exit(130) : stop.abort(new Error(signal))));
  }
  return stop.signal;
}
