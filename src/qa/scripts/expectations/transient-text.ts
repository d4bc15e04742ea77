/** Whether a text contains the time, or a value computed from it, and so differs on another day. */
export function dependsOnCurrentDate(text: string, entered: readonly string[] = [], now: Date = new Date()): boolean {
  if (/\b\d{1,2}:\d{2}(:\d{2})?\b/.test(text) || relativeTimePatterns.some((pattern) => pattern.test(text)))
    return true;
  if (weekdayPattern.test(text) && !everyWeekPattern.test(text)) return true;
  return findDays(text).some((day) => isNearNow(day, now) && (isToday(day, now) || !isEnteredDay(day, entered)));
}

interface CalendarDay {
  day: number;
  month: number;
  /** Undefined if the text names no year: then the nearest one is meant. */
  year?: number | undefined;
}

const DAY_MS = 86_400_000;
const languages = ['en', 'de', 'fr', 'es'];

/** Names of months, full and short, in lower case. */
const months = new Map(
  languages.flatMap((language) =>
    (['long', 'short'] as const).flatMap((month) =>
      Array.from({ length: 12 }, (_, i): [string, number] => {
        const name = new Date(2026, i, 15).toLocaleString(language, { month }).toLowerCase().replace(/\.$/, '');
        return [name, i + 1];
      }),
    ),
  ),
);
const monthName = `(?<name>${[...months.keys()]
  .toSorted((a, b) => b.length - a.length)
  .map((name) => RegExp.escape(name))
  .join('|')})\\.?`;
const dayNumber = '(?<day>\\d{1,2})(?:st|nd|rd|th|er|º|\\.)?';
const yearNumber = '(?:,?\\s+(?:de\\s+)?(?<year>\\d{4})(?!\\d))?';

/** A day with its month, as a word or a number. */
const dates = [
  `(?<!\\d)(?<year>\\d{4})[-/.](?<one>\\d{1,2})[-/.](?<two>\\d{1,2})(?!\\d)`,
  `(?<![\\d.])(?<one>\\d{1,2})(?<mark>[-/.])(?<two>\\d{1,2})\\k<mark>(?<year>\\d{4}|\\d{2})(?![\\d.]\\d|\\d)`,
  `(?<![\\d.])(?<one>\\d{1,2})\\. ?(?<two>\\d{1,2})\\.(?![\\d.])`,
  `(?<!\\d)${dayNumber}\\s+(?:of\\s+|de\\s+)?${monthName}(?!\\p{L})${yearNumber}`,
  `(?<!\\p{L})${monthName}\\s+${dayNumber}(?![\\d:%])${yearNumber}`,
].map((source) => new RegExp(source, 'giu'));

/** Both readings, if two numbers may be day and month or month and day. */
function findDays(text: string): CalendarDay[] {
  return dates.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(({ groups = {} }): CalendarDay[] => {
      const { name, day, one, two, year: said } = groups;
      const year = said === undefined ? undefined : Number(said) + (said.length === 2 ? 2000 : 0);
      const month = months.get(name?.toLowerCase() ?? '');
      if (month !== undefined) return [{ day: Number(day), month, year }];
      const [first, second] = [Number(one), Number(two)];
      return [
        { day: first, month: second, year },
        { day: second, month: first, year },
      ];
    }),
  );
}

/** A date within a year of now is usually computed from the current date. */
function isNearNow({ day, month, year }: CalendarDay, now: Date): boolean {
  if (day < 1 || day > 31 || month < 1 || month > 12) return false;
  if (year === undefined) return true;
  return Math.abs(Date.UTC(year, month - 1, day) - now.getTime()) <= 366 * DAY_MS;
}

function isToday({ day, month }: CalendarDay, now: Date): boolean {
  return day === now.getDate() && month === now.getMonth() + 1;
}

/** An entered value is the same on every day. */
function isEnteredDay({ day, month, year }: CalendarDay, entered: readonly string[]): boolean {
  const pad = (number: number) => String(number).padStart(2, '0');
  return entered.some((value) => value.includes(`${year ?? ''}-${pad(month)}-${pad(day)}`));
}

const weekdays = languages.flatMap((language) =>
  Array.from({ length: 7 }, (_, i) => new Date(2026, 0, 4 + i).toLocaleString(language, { weekday: 'long' })),
);
const weekdayName = `(?<!\\p{L})(?:${weekdays.map((name) => RegExp.escape(name)).join('|')})(?!\\p{L})`;
const beforeIt =
  'by|on|until|till|before|after|since|next|this|last|due|from|arriv\\p{L}*|deliver\\p{L}*|ship\\p{L}*|dispatch\\p{L}*|updated|posted|bis|am|seit|ab|nächste\\p{L}*|letzte\\p{L}*|Lieferung|avant|depuis|livr\\p{L}*|antes|desde|entrega\\p{L}*';
const weekdayPattern = new RegExp(`(?<!\\p{L})(?:${beforeIt})(?!\\p{L})[^.!?]{0,20}?${weekdayName}`, 'iu');
/** A range of opening hours. */
const everyWeekPattern = new RegExp(
  `${weekdayName}\\s*(?:to|through|and|bis|und|à|au|et|a|y|[-–—,/&])\\s*${weekdayName}|every|jeden|chaque|cada`,
  'iu',
);

const unit =
  '(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|Sekunden?|Minuten?|Stunden?|Tag(?:en?)?|Wochen?|Monat(?:en?)?|Jahr(?:en?)?|secondes?|heures?|jours?|semaines?|mois|ans?|segundos?|minutos?|horas?|d[ií]as?|semanas?|mes(?:es)?|años?)';
const amount = '(?:\\d+|an?|one|two|three|a few|few|several|eine[mnr]?|une?|una?)';
const relativeTimePatterns = [
  `(?<!\\p{L})${amount}\\s*(?:${unit}|[smhdwy])\\s+ago(?!\\p{L})`,
  `(?<!\\p{L})(?:in|vor|il y a|hace|dans|within the last)\\s+${amount}\\s+${unit}(?!\\p{L})`,
  '(?<!\\p{L})(?:just now|yesterday|tomorrow|gestern|hier soir|demain|ayer|mañana)(?!\\p{L})',
  '(?<!\\p{L})(?:last|next|this) (?:week|month|year)(?!\\p{L})',
].map((source) => new RegExp(source, 'iu'));
