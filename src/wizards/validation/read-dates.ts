import { phrasesOf } from '../../platform/text/phrase-table.ts';
import type { DatePart } from '../files/field-traits.ts';
import { foldName, monthNames, weekdayNames } from '../vocabulary/calendar-names.ts';
import { dateConnector, ordinalSuffix } from '../vocabulary/value-words.ts';
import { foldText, type ParsedValue } from './read-values.ts';

/** Reads dates as people write them. */

export interface CalendarDate {
  year: number;
  month: number;
  day: number;
}

type DateReading = (ParsedValue<CalendarDate> & { problem?: undefined }) | { problem: string };

/**
 * A date that exists in the calendar, or why the value is none: `2000-02-29`, `2/29/2000`, `29.02.2000`, `29 February 2000`,
 * `Tuesday, Feb 29th, 2000`, or an object with its parts.
 */
export function readDate(given: unknown): DateReading {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return fromParts(given);
  const text = foldText(String(given));
  const iso = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:t[\d:.]+z?)?$/.exec(text);
  if (iso) return checked(iso[1], iso[3], iso[4], text !== given || text.length !== 10 || iso[2] !== '-');
  const numbers = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/.exec(text);
  if (numbers) return fromNumbers(Number(numbers[1]), Number(numbers[3]), numbers[4], numbers[2] === '/');
  return fromWords(text) ?? { problem: 'is not a date; write it as YYYY-MM-DD' };
}

/**
 * 4/5/2007 is read as April 5, as in the United States, and reported as doubtful. With another separator an ambiguous date is
 * rejected. A number above 12 can only be the day.
 */
function fromNumbers(first: number, second: number, year: string | undefined, isSlashed: boolean): DateReading {
  const isOpen = first <= 12 && second <= 12 && first !== second;
  if (isOpen && !isSlashed) return { problem: 'could be two dates; write it as YYYY-MM-DD' };
  const [month, day] = first > 12 ? [second, first] : [first, second];
  const date = checked(year, String(month), String(day), true);
  return date.problem === undefined && isOpen ? { ...date, doubtful: true } : date;
}

const ordinalDay = new RegExp(`^(\\d{1,2})(?:${phrasesOf(ordinalSuffix)})?$`);
const connector = new RegExp(`^(?:${phrasesOf(dateConnector)})$`);

/** One month by its name, one day and one year of four digits, in any order; a weekday and connectors may stand between them. */
function fromWords(text: string): DateReading | undefined {
  const found: Partial<Record<DatePart, string>> = {};
  const take = (part: DatePart, value: string) => {
    if (found[part] !== undefined) return false;
    found[part] = value;
    return true;
  };
  for (const word of text.split(/[\s,./-]+/).filter(Boolean)) {
    const day = ordinalDay.exec(word)?.[1];
    const month = day === undefined ? monthNumber(word) : undefined;
    const isUsed = /^\d{4}$/.test(word)
      ? take('year', word)
      : day !== undefined
        ? take('day', day)
        : month !== undefined
          ? take('month', String(month))
          : connector.test(word) || weekdayNames.has(foldName(word));
    if (!isUsed) return undefined;
  }
  return found.month === undefined ? undefined : checked(found.year, found.month, found.day, true);
}

function fromParts(given: object): DateReading {
  const part = (name: string) => {
    const entry = Object.entries(given).find(([key]) => new RegExp(`(^|_)${name}$`, 'i').test(key));
    return entry === undefined ? undefined : String(entry[1]);
  };
  const month = part('month');
  return checked(part('year'), month && String(monthNumber(month) ?? month), part('day'), true);
}

/** The number of a month from 5, 05, May, Mai or févr.; undefined if the name means different months in two languages. */
export function monthNumber(text: string): number | undefined {
  const word = foldText(text);
  if (/^\d{1,2}$/.test(word)) return Number(word);
  const name = foldName(word);
  if (name.length < 3) return undefined;
  const meant = new Set<number>();
  for (const months of monthNames) {
    const exact = months.findIndex((names) => names.includes(name));
    const started = months.flatMap(([long = ''], index) => (long.startsWith(name) ? [index + 1] : []));
    for (const month of exact >= 0 ? [exact + 1] : started) meant.add(month);
  }
  return meant.size === 1 ? [...meant][0] : undefined;
}

function checked(year = '', month = '', day = '', changed = false): DateReading {
  if (![year, month, day].every((part) => /^\d{1,4}$/.test(part.trim())))
    return { problem: 'is not a complete date; year, month and day are needed' };
  const date = { year: Number(year), month: Number(month), day: Number(day) };
  return isCalendarDate(date) ? { value: date, changed } : { problem: 'is a date that does not exist in the calendar' };
}

export function isCalendarDate({ year, month, day }: CalendarDate): boolean {
  if (year < 1000 || year > 9999) return false;
  const made = new Date(Date.UTC(year, month - 1, day));
  return made.getUTCMonth() === month - 1 && made.getUTCDate() === day;
}

export function toIsoDate({ year, month, day }: CalendarDate): string {
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
