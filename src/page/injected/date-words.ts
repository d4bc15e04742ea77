import { attribute, windowOf } from './tree.ts';

export type MomentPart = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'dayPeriod';
const PARTS: readonly MomentPart[] = ['year', 'month', 'day', 'hour', 'minute', 'second', 'dayPeriod'];
const MONTHS_IN_YEAR = 12;

const known = new Map<string, { parts: Map<string, MomentPart>; months: Map<string, number> }>();

/** The names of months and of the parts of a date in the language of the page, of the browser, and in English (CLDR). */
function wordsOf(element: Element) {
  const language = attribute(windowOf(element).document.documentElement, 'lang') || 'en';
  const cached = known.get(language);
  if (cached) return cached;
  const parts = new Map<string, MomentPart>();
  const months = new Map<string, number>();
  for (const locale of [language, navigator.language, 'en']) {
    try {
      const names = new Intl.DisplayNames(locale, { type: 'dateTimeField' });
      for (const part of PARTS) addWord(parts, names.of(part), part);
      for (const month of ['long', 'short'] as const) addMonths(months, locale, month);
    } catch (error) {
      // The language of the page is no language tag.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  const words = { parts, months };
  known.set(language, words);
  return words;
}

function addMonths(months: Map<string, number>, locale: string, month: 'long' | 'short'): void {
  for (const options of [{ month }, { month, day: 'numeric' }] as const) {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    for (let index = 0; index < MONTHS_IN_YEAR; index++) {
      const parts = format.formatToParts(new Date(Date.UTC(2024, index, 15)));
      addWord(months, parts.find(({ type }) => type === 'month')?.value.replace('.', ''), index + 1);
    }
  }
}

function addWord<Value>(words: Map<string, Value>, word: string | undefined, value: Value): void {
  const key = word?.toLowerCase() ?? '';
  if (key && !words.has(key)) words.set(key, value);
}

/** Which part of a date a field holds, by its name, `autocomplete` or range. */
export function datePartOf(element: Element, name: string): MomentPart | undefined {
  const [, purpose] = /\bbday-(day|month|year)\b/.exec(attribute(element, 'autocomplete') ?? '') ?? [];
  if (purpose) return purpose as MomentPart;
  const { parts } = wordsOf(element);
  for (const word of name.toLowerCase().split(/[^\p{L}\p{M}/]+/u)) {
    // A plural is a little longer.
    const part = parts.get(word) ?? parts.get(word.slice(0, -1)) ?? parts.get(word.slice(0, -2));
    if (part) return part;
  }
  return undefined;
}

/** The year and month that a text such as `März 2027` names. */
export function yearAndMonth(element: Element, text: string): [year: number, month: number] | undefined {
  const year = /(?<!\d)(?:19|20|21)\d\d(?!\d)/.exec(text)?.[0];
  if (!year) return undefined;
  const month = monthIn(element, text);
  return month === undefined ? undefined : [Number(year), month];
}

/** The month whose name stands in a text; of several the longest. */
export function monthIn(element: Element, text: string): number | undefined {
  const lower = text.toLowerCase();
  let best: { month: number; length: number } | undefined;
  for (const [word, month] of wordsOf(element).months) {
    const at = lower.indexOf(word);
    if (at < 0 || /\p{L}/u.test(lower[at - 1] ?? '') || /\p{L}/u.test(lower[at + word.length] ?? '')) continue;
    // In some languages the short names are numbers.
    if (!/^\d/.test(word) && word.length > (best?.length ?? 0)) best = { month, length: word.length };
  }
  return best?.month;
}

/** Placeholders such as `DD.MM.YYYY` and `jj/mm/aaaa`: three groups of one letter each, one of them four times. */
export function isDateFormat(text: string): boolean {
  const match = /^(\p{L})\1{0,3}\s?([./-])\s?(\p{L})\3{0,3}\s?\2\s?(\p{L})\4{0,3}\.?$/u.exec(text.trim());
  return match !== null && new Set([match[1], match[3], match[4]]).size === 3 && /(\p{L})\1{3}/u.test(text);
}
