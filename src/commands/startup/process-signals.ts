import { systemCode } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';

/**
 * Logs uncaught errors, which are bugs (for example in an event handler of a browser), and keeps the server running for other
 * calls. Exits when the log cannot be written any more.
 */
export function logUncaughtErrors(log: Logger): void {
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  process.on('uncaughtException', (error) => {
    if (systemCode(error) === 'EPIPE') process.exit(1);
    log.error({ err: error }, 'uncaught exception');
  });
}

/** Aborted by the first SIGINT, SIGTERM or SIGHUP; a second one ends the process at once. */
export function createStopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => (stop.signal.aborted ? process.exit(130) : stop.abort(new Error(signal))));
  }
  return stop.signal;
}
