import { type CalendarDate, readDate, toIsoDate } from './read-dates.ts';
import { foldText, type ParsedValue } from './read-values.ts';

/** Reads times of day, and values of the date and time fields of HTML, as people write them. */

export interface TimeOfDay {
  hour: number;
  minute: number;
  second: number;
}

/** `22:15`, `10:15 PM`, `10pm`, `22.15`, `22h15`, `22:15:30`. Undefined: not recognized. */
export function readTime(given: unknown): TimeOfDay | undefined {
  if (typeof given !== 'string') return undefined;
  const text = foldText(given).replace(/^t(?=\d)/, '');
  const parts = /^(\d{1,2})(?:[:.h](\d{2})(?:[:.](\d{2}))?)?\s*h?\s*(?:([ap])\.?\s?m\.?)?$/.exec(text);
  if (!parts) return undefined;
  const [, hours = '', minutes, seconds = '0', half] = parts;
  // A bare number may be anything else.
  if (minutes === undefined && half === undefined) return undefined;
  const hour = Number(hours);
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined;
  const time = {
    hour: half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0),
    minute: Number(minutes ?? 0),
    second: Number(seconds),
  };
  return time.hour < 24 && time.minute < 60 && time.second < 60 ? time : undefined;
}

/** `22:15`, with seconds if there are any. */
export function toIsoTime({ hour, minute, second }: TimeOfDay): string {
  const parts = second > 0 ? [hour, minute, second] : [hour, minute];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** A date and a time, separated by a `T`, a space or a comma. */
export function readDateTime(given: unknown): (ParsedValue<string> & { problem?: undefined }) | { problem: string } {
  const text = foldText(String(given)).replace(/^(\d{4}-\d\d-\d\d)t/, '$1 ');
  const missing = { problem: 'is not a date with a time; write it as YYYY-MM-DDTHH:MM' };
  // The time is the shortest end that can be one: "29 february 2000 10:15 pm".
  const starts = [...text.matchAll(/[\s,]+(?=\d)/g)].toReversed();
  for (const { index, 0: gap } of starts) {
    const time = readTime(text.slice(index + gap.length));
    const date = time && readDate(text.slice(0, index).replace(/,$/, ''));
    if (!time || !date) continue;
    if (date.problem !== undefined) return date;
    const value = `${toIsoDate(date.value)}T${toIsoTime(time)}`;
    return { value, changed: value !== given, ...(date.doubtful && { doubtful: true }) };
  }
  return missing;
}

/** `2026-05`, or any date of which the day does not count. */
export function readMonth(given: unknown): string | undefined {
  const text = foldText(String(given));
  const [, year = '', month = ''] = /^(\d{4})[-/](\d{1,2})$/.exec(text) ?? [];
  const [, otherMonth = month, otherYear = year] = /^(\d{1,2})[-/.](\d{4})$/.exec(text) ?? [];
  const date = otherYear ? readDate({ year: otherYear, month: otherMonth, day: 1 }) : readDate(`1 ${text}`);
  return date.problem === undefined ? isoMonth(date.value) : undefined;
}

const isoMonth = (date: CalendarDate) => toIsoDate(date).slice(0, 7);

/** A week of the year as in ISO 8601: `2026-W20`. */
export function readWeek(given: unknown): string | undefined {
  const [, year = '', week = ''] = /^(\d{4})-?\s?w(\d{1,2})$/.exec(foldText(String(given))) ?? [];
  const number = Number(week);
  return number >= 1 && number <= weeksIn(Number(year)) ? `${year}-W${week.padStart(2, '0')}` : undefined;
}

/** 28 December is always in the last week of its year. */
function weeksIn(year: number): number {
  const last = new Date(Date.UTC(year, 11, 28));
  const thursday = new Date(last.getTime() + (4 - (last.getUTCDay() || 7)) * 86_400_000);
  return Math.ceil(((thursday.getTime() - Date.UTC(year, 0, 1)) / 86_400_000 + 1) / 7);
}
