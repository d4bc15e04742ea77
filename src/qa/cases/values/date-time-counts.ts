/** Kinds of date and time fields. Values are counted in days, months, weeks or seconds since an epoch. */
export const dateTimeKinds = ['date', 'datetime', 'month', 'week', 'time'];

/** Constraints of a date or time field. */
export interface DateTimeField {
  kind: string;
  min?: string;
  max?: string;
  step?: string;
  value?: string;
}

const DAY_MS = 86_400_000;
const DAY_S = 86_400;
/** The Monday from which browsers count weeks. */
const FIRST_WEEK = Date.UTC(1969, 11, 29);

export function toCount(kind: string, text: string): number | undefined {
  const [year = 0, second = 0] = text.split(/-W?/).map(Number);
  switch (kind) {
    case 'date':
      return integerOrUndefined(Date.parse(`${text}T00:00:00Z`) / DAY_MS);
    case 'datetime':
      return integerOrUndefined(Date.parse(`${text}Z`) / 1000);
    case 'time':
      return integerOrUndefined(Date.parse(`1970-01-01T${text}Z`) / 1000);
    case 'month':
      return integerOrUndefined((year - 1970) * 12 + second - 1);
    case 'week':
      return integerOrUndefined((mondayOfFirst(year) - FIRST_WEEK) / (7 * DAY_MS) + second - 1);
    default:
      return undefined;
  }
}

/** Undefined if there is no such value: a day has no 25th hour. */
export function fromCount(kind: string, count: number): string | undefined {
  if (kind === 'time') return count < 0 || count >= DAY_S ? undefined : clockText(new Date(count * 1000));
  if (kind === 'month') return isoText(Date.UTC(1970, count))?.slice(0, 7);
  if (kind === 'week') return weekOf(FIRST_WEEK + count * 7 * DAY_MS);
  if (kind === 'date') return isoText(count * DAY_MS)?.slice(0, 10);
  const day = isoText(count * 1000)?.slice(0, 10);
  return day && `${day}T${clockText(new Date(count * 1000))}`;
}

function clockText(at: Date): string {
  const text = at.toISOString().slice(11, 19);
  return text.endsWith(':00') ? text.slice(0, 5) : text;
}

function isoText(ms: number): string | undefined {
  const at = new Date(ms);
  const year = at.getUTCFullYear();
  return year >= 1 && year <= 9999 ? at.toISOString() : undefined;
}

/** Week 1 of a year contains 4 January. */
function mondayOfFirst(year: number): number {
  const fourth = Date.UTC(year, 0, 4);
  return fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS;
}

function weekOf(monday: number): string {
  const year = new Date(monday + 3 * DAY_MS).getUTCFullYear();
  const week = Math.round((monday - mondayOfFirst(year)) / (7 * DAY_MS)) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

function integerOrUndefined(number: number): number | undefined {
  return Number.isInteger(number) ? number : undefined;
}

/** Default step of a kind. */
export const smallestStep = (kind: string) => (kind === 'time' || kind === 'datetime' ? 60 : 1);

/** Converts days to the count of a kind; 0 for a time of day. */
export function daysToCount(kind: string, days: number): number {
  const each: Record<string, number> = { date: 1, datetime: DAY_S, month: 12 / 365, week: 1 / 7 };
  return Math.round(days * (each[kind] ?? 0));
}

/** Count of a day in the local time zone; undefined for a time of day. */
export function countOnDay(kind: string, at: Date): number | undefined {
  const day = Date.UTC(at.getFullYear(), at.getMonth(), at.getDate());
  if (kind === 'month') return (at.getFullYear() - 1970) * 12 + at.getMonth();
  if (kind === 'week') return Math.floor((day - FIRST_WEEK) / (7 * DAY_MS));
  return kind === 'time' ? undefined : daysToCount(kind, day / DAY_MS);
}
