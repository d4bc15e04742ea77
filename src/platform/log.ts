import { AsyncLocalStorage } from 'node:async_hooks';
import { type Logger, pino } from 'pino';
import { redactLine } from './redaction/redactor.ts';
import { escapeText } from './text/untrusted-text.ts';

export type { Logger };

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof logLevels)[number];

const fields = new AsyncLocalStorage<Readonly<Record<string, string>>>();

/** Every line that is logged by this work, however deep, carries these fields. */
export function withLogFields<Result>(more: Readonly<Record<string, string>>, work: () => Result): Result {
  return fields.run({ ...fields.getStore(), ...more }, work);
}

/** The fields that lines logged here would carry, to be handed on with work for later. */
export function currentLogFields(): Readonly<Record<string, string>> {
  return fields.getStore() ?? {};
}

/** The trace that a request belongs to, by the W3C header of whoever sent it. */
export function traceFields(traceparent: unknown): { traceId?: string } {
  const traceId = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(String(traceparent))?.[1];
  return traceId ? { traceId } : {};
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
      hooks: { streamWrite: (line) => escapeText(redactLine(line), { multiline: true }) },
    },
    pino.destination({ fd: 2, sync: true }),
  );
}
