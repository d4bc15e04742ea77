import { AsyncLocalStorage } from 'node:async_hooks';
import { type Logger, pino } from 'pino';

export type { Logger };

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof logLevels)[number];

const fields = new AsyncLocalStorage<Record<string, string>>();

/** Every line that is logged by this work, however deep, carries these fields. */
export function withLogFields<Result>(more: Record<string, string>, work: () => Result): Result {
  return fields.run(more, work);
}

/** JSON lines on stderr: stdout belongs to the protocol or to the result. Written at once, so that nothing is lost on exit. */
export function createLog(level: LogLevel): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: () => fields.getStore() ?? {},
    },
    pino.destination({ fd: 2, sync: true }),
  );
}
