import { normalizeWords } from '../../platform/page/act/value-comparison.ts';
import { phrasesOf } from '../../platform/text/phrase-table.ts';
import {
  monthNames,
  noWords,
  numberScales,
  numberUnit,
  smallNumberWords,
  statePrefix,
  states,
  tensWords,
  yesWords,
} from '../vocabulary/value-words.ts';

/** Reads numbers, money, dates, states, yes and no as people write them. Undefined: not recognized. */

export interface ParsedValue<Value> {
  value: Value;
  /** The text was converted, so the caller is told how it was read. */
  changed: boolean;
  /** The text has a second possible meaning. */
  doubtful?: boolean;
}

/** A text for comparison: apostrophes, dashes, spaces, width and case do not matter. */
export function foldText(text: string): string {
  return normalizeWords(text.replaceAll('_', ' '));
}

const units = new RegExp(`^[$£€]\\s*|\\s*(?:${phrasesOf(numberUnit)})$|\\s*[$£€]$`, 'g');
const scaledNumber = new RegExp(
  `^(-?\\d{1,3}(?:[, ]\\d{3})+(?:\\.\\d+)?|-?\\d+(?:\\.\\d+)?)\\s*(${Object.keys(numberScales).join('|')})?$`,
);

/** `4`, `1,200.50`, `$85k`, `5.5%`, `four`, `twenty-one`. The value is the plain digits that a form takes. */
export function readNumber(given: unknown): ParsedValue<string> | undefined {
  if (typeof given === 'number')
    return Number.isFinite(given) ? { value: formatPlain(given), changed: false } : undefined;
  if (typeof given !== 'string') return undefined;
  const text = foldText(given);
  if (/^-?\d+(\.\d+)?$/.test(text)) return { value: text, changed: text !== given };
  const word = numberWord(text);
  if (word !== undefined) return { value: String(word), changed: true };
  const bare = text.replaceAll(units, '');
  const [, digits, scale] = scaledNumber.exec(bare) ?? [];
  if (digits === undefined) return undefined;
  const bareDigits = digits.replaceAll(/[, ]/g, '');
  // As text, because a number keeps only fifteen digits.
  if (!scale) return { value: bareDigits.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, ''), changed: true };
  const amount = Number(bareDigits) * (numberScales[scale] ?? 1);
  return amount <= Number.MAX_SAFE_INTEGER ? { value: formatPlain(amount), changed: true } : undefined;
}

/** Without the rounding errors of binary fractions, and never as 1e21. */
function formatPlain(amount: number): string {
  return amount.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 10 }).replace(/^-0$/, '0');
}

function numberWord(text: string): number | undefined {
  const unit = smallNumberWords.en.indexOf(text);
  if (unit >= 0) return unit;
  const [ten = '', one] = text.split(/[- ]/);
  const tenth = tensWords.en.indexOf(ten);
  if (tenth < 0) return undefined;
  if (one === undefined) return (tenth + 2) * 10;
  const digit = smallNumberWords.en.indexOf(one);
  return digit > 0 && digit < 10 ? (tenth + 2) * 10 + digit : undefined;
}

export function readYesNo(given: unknown): ParsedValue<boolean> | undefined {
  if (typeof given === 'boolean') return { value: given, changed: false };
  const text = foldText(String(given));
  if (['true', 'false'].includes(text)) return { value: text === 'true', changed: given !== text };
  if (yesWords.en.includes(text)) return { value: true, changed: true };
  if (noWords.en.includes(text)) return { value: false, changed: true };
  return undefined;
}

const stateStart = new RegExp(`^${phrasesOf(statePrefix)}`);
export const stateNames = states.map(({ name }) => name);

/** Code and name of a state of the United States. */
export function readState(given: string): { code: string; name: string } | undefined {
  const text = foldText(given).replaceAll('.', '').replace(stateStart, '');
  return states.find(
    ({ code, name }) => text === code.toLowerCase() || text === name.toLowerCase().replaceAll('.', ''),
  );
}

export interface CalendarDate {
  year: number;
  month: number;
  day: number;
}

/** A date that exists in the calendar, or why the value is none. */
export function readDate(given: unknown): (ParsedValue<CalendarDate> & { problem?: undefined }) | { problem: string } {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return fromParts(given);
  const text = foldText(String(given));
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:t[\d:.]+z?)?$/.exec(text);
  if (iso) return checked(iso[1], iso[2], iso[3], text !== given || text.length !== 10);
  const numbers = /^(\d{1,2})([/.])(\d{1,2})\2(\d{4})$/.exec(text);
  if (numbers) return fromNumbers(Number(numbers[1]), Number(numbers[3]), numbers[4], numbers[2] === '/');
  const worded = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/.exec(text);
  const month = worded?.[1] === undefined ? undefined : monthNumber(worded[1]);
  if (worded && month) return checked(worded[3], String(month), worded[2], true);
  return { problem: 'is not a date; write it as YYYY-MM-DD' };
}

/**
 * 4/5/2007 is read as April 5, as in the United States, and reported as doubtful. With dots the order is day first, and an
 * ambiguous date is rejected.
 */
function fromNumbers(first: number, second: number, year: string | undefined, slashed: boolean) {
  const isOpen = first <= 12 && second <= 12 && first !== second;
  if (isOpen && !slashed) return { problem: 'could be two dates; write it as YYYY-MM-DD' };
  const [month, day] = first > 12 && !slashed ? [second, first] : [first, second];
  const date = checked(year, String(month), String(day), true);
  return date.problem === undefined && isOpen ? { ...date, doubtful: true } : date;
}

function fromParts(given: object): ReturnType<typeof readDate> {
  const part = (name: string) => {
    const entry = Object.entries(given).find(([key]) => new RegExp(`(^|_)${name}$`, 'i').test(key));
    return entry === undefined ? undefined : String(entry[1]);
  };
  const month = part('month');
  return checked(part('year'), month && String(monthNumber(month) ?? month), part('day'), true);
}

/** The number of a month from 5, 05, May or may. */
export function monthNumber(text: string): number | undefined {
  const word = foldText(text);
  if (/^\d{1,2}$/.test(word)) return Number(word);
  const index = word.length < 3 ? -1 : monthNames.en.findIndex((name) => name.startsWith(word));
  return index < 0 ? undefined : index + 1;
}

function checked(year = '', month = '', day = '', changed = false): ReturnType<typeof readDate> {
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
