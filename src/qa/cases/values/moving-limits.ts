import { countOnDay, type DateTimeField, daysToCount, fromCount, toCount } from './date-time-counts.ts';

/** Days within which a limit counts as relative, such as three working days. */
const NEAR_DAYS = 15;
const MOST_MONTHS = 24;
const MOST_YEARS = 150;

/** Limits of a date field as they are today, and whether they move with the date. */
export interface CurrentLimits {
  min?: string | undefined;
  max?: string | undefined;
  minMoves: boolean;
  maxMoves: boolean;
}

/** Moves relative limits from the day on which they were seen to today. */
export function currentLimits({ kind, min, max }: DateTimeField, seen: Date = new Date()): CurrentLimits {
  const [minMoves, maxMoves] = [isRelativeLimit(kind, min, seen), isRelativeLimit(kind, max, seen)];
  const later = (limit = '') => {
    const count = toCount(kind, limit);
    const since = (countOnDay(kind, new Date()) ?? 0) - (countOnDay(kind, seen) ?? 0);
    return count === undefined ? undefined : fromCount(kind, count + since);
  };
  return { min: minMoves ? later(min) : min, max: maxMoves ? later(max) : max, minMoves, maxMoves };
}

/**
 * Whether a limit was most likely counted from the day on which it was seen. A page does not say so, but a counted limit
 * is near or a round distance away, such as 30 days or 18 years. A limit that an author wrote down may be any day.
 */
function isRelativeLimit(kind: string, limit: string | undefined, seen: Date): boolean {
  const count = limit ? toCount(kind, limit) : undefined;
  const from = countOnDay(kind, seen);
  if (count === undefined || from === undefined) return false;
  const apart = Math.abs(count - from);
  if (kind === 'month') return apart <= 1 || isWholeYears(apart);
  if (kind === 'week') return apart <= 2 || apart === 52 || apart === 53;
  const aDay = daysToCount(kind, 1);
  return isRoundDistance(Math.floor(count / aDay), from / aDay);
}

function isRoundDistance(day: number, today: number): boolean {
  const apart = Math.abs(day - today);
  if (apart <= NEAR_DAYS || apart === 21 || apart === 28) return true;
  // One day more or less: pages use other time zones, and some include today.
  return [-1, 0, 1].some((more) => isMultipleOfThirty(apart + more) || isSameDayOfMonth(day + more, today));
}

const isMultipleOfThirty = (days: number) => days <= 360 && days % 30 === 0;
const isWholeYears = (months: number) => months <= MOST_YEARS * 12 && months % 12 === 0;

/** Whether two days have the same day of the month, a usual number of months apart. */
function isSameDayOfMonth(day: number, today: number): boolean {
  const [one = '', other = ''] = [day, today].map((count) => fromCount('date', count));
  const [month = 0, present = 0] = [one, other].map((text) => toCount('month', text.slice(0, 7)));
  const months = Math.abs(month - present);
  return one.slice(8) === other.slice(8) && (months <= MOST_MONTHS || isWholeYears(months));
}
