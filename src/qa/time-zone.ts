import { quote } from '../platform/errors.ts';
import { invalidArgument } from './owned-rows.ts';

/** Throws if the name is not a time zone. */
export function checkTimeZone(timezone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
  } catch {
    throw invalidArgument('timezone', `timezone must be a name such as Europe/Berlin or UTC, got ${quote(timezone)}.`);
  }
}

/** Creates a function that returns the day of a timestamp in the time zone, as YYYYMMDD. */
export function dayIn(timezone: string): (at: number) => string {
  const days = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (at) => days.format(at).replaceAll('-', '');
}
