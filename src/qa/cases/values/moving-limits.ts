import { countOnDay, type DateTimeField, daysToCount, fromCount, toCount } from './date-time-counts.ts';

/** So near that it is of its day, whatever lies between: three working days, for example. */
const NEAR_DAYS = 15;
const MOST_MONTHS = 24;
const MOST_YEARS = 150;

/** The limits of a moment as its page has them now, and which of them are others tomorrow. */
export interface CurrentLimits {
  min?: string | undefined;
  max?: string | undefined;
  minMoves: boolean;
  maxMoves: boolean;
}

/** What is known from an earlier day has moved along since. */
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
 * Whether a limit was most likely counted from the day on which it was seen. A page does not say so: what tells is that it
 * lies near or a round distance away, as 30 days or 18 years, where a limit that somebody wrote down lies anywhere.
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
  // Pages count from midnight in other places, and some count today, too.
  return [-1, 0, 1].some((more) => isMultipleOfThirty(apart + more) || isSameDayOfMonth(day + more, today));
}

const isMultipleOfThirty = (days: number) => days <= 360 && days % 30 === 0;
const isWholeYears = (months: number) => months <= MOST_YEARS * 12 && months % 12 === 0;

/** The same day of another month. */
function isSameDayOfMonth(day: number, today: number): boolean {
  const [one = '', other = ''] = [day, today].map((count) => fromCount('date', count));
  const [month = 0, present = 0] = [one, other].map((text) => toCount('month', text.slice(0, 7)));
  const months = Math.abs(month - present);
  return one.slice(8) === other.slice(8) && (months <= MOST_MONTHS || isWholeYears(months));
}
