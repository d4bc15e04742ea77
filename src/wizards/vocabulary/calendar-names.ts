/** Names of months and weekdays in the languages of the phrase tables, from the locale data of the JavaScript engine (CLDR). */

const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt'] as const;

/** A name for comparison: lower case, no accents, no full stop of an abbreviation. */
export function foldName(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/\p{M}|\./gu, '')
    .toLowerCase();
}

const firstOfMonths = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2023, month, 1)));
const daysOfWeek = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2023, 0, day + 1)));

function namesOf(dates: readonly Date[], part: 'month' | 'weekday', language: string): string[][] {
  const formats = (['long', 'short'] as const).map(
    (style) => new Intl.DateTimeFormat(language, { [part]: style, timeZone: 'UTC' }),
  );
  return dates.map((date) => formats.map((format) => foldName(format.format(date))));
}

/** For each language, the long and the short names of the twelve months. */
export const monthNames: readonly (readonly string[][])[] = languages.map((language) =>
  namesOf(firstOfMonths, 'month', language),
);

export const weekdayNames: ReadonlySet<string> = new Set(
  languages.flatMap((language) => namesOf(daysOfWeek, 'weekday', language).flat()),
);
