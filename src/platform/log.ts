import { AsyncLocalStorage } from 'node:async_hooks';
import { type Logger, pino } from 'pino';
import { redactLine } from './redaction/redactor.ts';
import { escapeText } from './text/untrusted-text.ts';

export type { Logger };

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof logLevels)[number];

const fields = new AsyncLocalStorage<Readonly<Record<string, string>>>();

/** Runs `work` so that every log line in it, in nested calls too, has these fields. */
export function withLogFields<Result>(more: Readonly<Record<string, string>>, work: () => Result): Result {
  return fields.run({ ...fields.getStore(), ...more }, work);
}

/** Returns the fields of log lines in the current call, to store them with a job. */
export function currentLogFields(): Readonly<Record<string, string>> {
  return fields.getStore() ?? {};
}

/** Reads the trace id of a W3C `traceparent` header. */
export function traceFields(traceparent: unknown): { traceId?: string } {
  const traceId = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(String(traceparent))?.[1];
  return traceId ? { traceId } : {};
}

/** Logs JSON lines to stderr, because stdout is for the protocol or the result. Writes synchronously, so exits lose no line. */
export function createLog(level: LogLevel): Logger {
  return createOnUse(() =>
    pino(
      {
        level,
        base: { pid: process.pid },
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
        mixin: () => fields.getStore() ?? {},
        hooks: { streamWrite: (line) => escapeText(redactLine(line), { multiline: true }) },
      },
      pino.destination({ fd: 2, sync: true }),
    ),
  );
}

/** In the release build, the logging library is loaded with the first use. */
function createOnUse(create: () => Logger): Logger {
  let log: Logger | undefined;
  const get = (_target: Logger, name: string | symbol) => {
    log ??= create();
    const value = Reflect.get(log, name);
    return typeof value === 'function' ? value.bind(log) : value;
  };
  return new Proxy({} as Logger, { get });
}
