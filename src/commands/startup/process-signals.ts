import { systemCode } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';

/**
 * What nobody waited for, and what was thrown where nobody could catch it, as when a browser tells of something, is a defect of
 * ours: it goes to the log, and the server lives on with everybody's work. Without anybody to read the log it ends.
 */
export function logUncaughtErrors(log: Logger): void {
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'something failed that nobody waited for'));
  process.on('uncaughtException', (error) => {
    if (systemCode(error) === 'EPIPE') process.exit(1);
    log.error({ err: error }, 'something failed where nobody could catch it');
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
