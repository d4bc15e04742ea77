import { quote } from '../platform/errors.ts';
import { invalidArgument } from './owned-rows.ts';

/** Refuses what is not the name of a time zone. */
export function checkTimeZone(timezone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
  } catch {
    throw invalidArgument('timezone', `timezone must be a name such as Europe/Berlin or UTC, got ${quote(timezone)}.`);
  }
}

/** Says which day a moment belongs to there, as YYYYMMDD. */
export function dayIn(timezone: string): (at: number) => string {
  const days = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (at) => days.format(at).replaceAll('-', '');
}
