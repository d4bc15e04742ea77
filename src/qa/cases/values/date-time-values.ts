import { type DateTimeField, daysToCount, fromCount, smallestStep, toCount } from './date-time-counts.ts';
import { type CurrentLimits, currentLimits } from './moving-limits.ts';
import { parseFinite } from './number-scale.ts';

interface StepScale {
  base: number;
  size: number;
}

/** Base and size of the steps of a field. */
function stepScale({ kind, value, step }: DateTimeField, { min }: Pick<CurrentLimits, 'min'>): StepScale {
  const size = parseFinite(step) ?? smallestStep(kind);
  const start = [min, value].find((text) => text !== undefined && text !== '');
  return { base: (start && toCount(kind, start)) || 0, size: size >= 1 ? Math.round(size) : smallestStep(kind) };
}

const snapToStep = (count: number, { base, size }: StepScale) => base + Math.floor((count - base) / size) * size;

/** A value must stay valid for this long to be worth a test; the next detection renews it. */
const USEFUL_DAYS = 180;
/** Distance beyond a moving limit at which a value stays beyond it. */
const FAR_DAYS = 3_650;

/** The value nearest to `usual` within limits and steps that stays valid longest. */
export function nearestDateTime(control: DateTimeField, usual: string, seen: Date = new Date()): string {
  const { kind } = control;
  const limits = currentLimits(control, seen);
  const { min, max, minMoves } = limits;
  const least = minMoves ? (shiftDays(kind, min, 4 * USEFUL_DAYS) ?? min) : min;
  const preferred = least && usual < least ? least : usual;
  // Whether a limit moves is a guess, so the seen maximum is used unless it has passed.
  const latest = [control.max, max].find((limit) => limit && (!least || limit >= least)) ?? max;
  const within = latest && preferred > latest ? latest : preferred;
  const count = toCount(kind, within);
  return (count !== undefined && fromCount(kind, snapToStep(count, stepScale(control, limits)))) || within;
}

function shiftDays(kind: string, limit: string | undefined, days: number): string | undefined {
  const count = limit ? toCount(kind, limit) : undefined;
  return count === undefined ? undefined : fromCount(kind, count + daysToCount(kind, days));
}

/** Whether every valid value expires soon, because limits or steps move with the date. */
export function isShortLived(control: DateTimeField, usual: string, seen: Date = new Date()): boolean {
  const { kind } = control;
  const limits = currentLimits(control, seen);
  const { min, minMoves, maxMoves } = limits;
  if (!minMoves) return false;
  if (!hasFixedSteps(control, limits)) return true;
  const latestStable = shiftDays(kind, min, USEFUL_DAYS);
  return maxMoves && latestStable !== undefined && nearestDateTime(control, usual, seen) < latestStable;
}

/** Whether steps stay the same tomorrow: they are counted from the minimum. */
function hasFixedSteps(control: DateTimeField, limits: CurrentLimits): boolean {
  const { base, size } = stepScale(control, limits);
  const unit = smallestStep(control.kind);
  return !limits.minMoves || control.step === 'any' || (size === unit && base % unit === 0);
}

/** Values at the limits of a field, beyond them, and between two steps. */
interface DateTimeLimits {
  min?: string | undefined;
  belowMin?: BeyondLimit | undefined;
  max?: string | undefined;
  aboveMax?: BeyondLimit | undefined;
  offStep?: string | undefined;
}

/** A rejected value and the limit that it exceeds; without the limit if it moves. */
interface BeyondLimit {
  value: string;
  limit?: string | undefined;
}

/** Trials of a field. A moving limit differs when the test runs, so only values far beyond it are tried. */
export function dateTimeLimits(control: DateTimeField, seen: Date = new Date()): DateTimeLimits {
  const limits = currentLimits(control, seen);
  const [low, high] = [limits.min, limits.max].map((text) => (text ? toCount(control.kind, text) : undefined));
  // A time range may span midnight; then no value is beyond it.
  if (low !== undefined && high !== undefined && low > high) return {};
  return {
    ...(low !== undefined && atLeast(control, limits, low)),
    ...(high !== undefined && hasFixedSteps(control, limits) && atMost(control, limits, high)),
    offStep: limits.minMoves ? undefined : offStep(control, limits, high),
  };
}

function atLeast(control: DateTimeField, limits: CurrentLimits, low: number): DateTimeLimits {
  const { kind } = control;
  const { min, minMoves } = limits;
  const far = hasFixedSteps(control, limits) ? shiftDays(kind, min, -FAR_DAYS) : undefined;
  if (minMoves) return { belowMin: beyondLimit(far) };
  return { min, belowMin: beyondLimit(fromCount(kind, low - stepScale(control, limits).size), min) };
}

function atMost(control: DateTimeField, limits: CurrentLimits, high: number): DateTimeLimits {
  const { kind } = control;
  const scale = stepScale(control, limits);
  if (limits.maxMoves)
    return { aboveMax: beyondLimit(fromCount(kind, snapToStep(high + daysToCount(kind, FAR_DAYS), scale))) };
  const last = snapToStep(high, scale);
  return { max: fromCount(kind, last), aboveMax: beyondLimit(fromCount(kind, last + scale.size), limits.max) };
}

function beyondLimit(value: string | undefined, limit?: string): BeyondLimit | undefined {
  return value === undefined ? undefined : { value, limit };
}

function offStep(control: DateTimeField, limits: CurrentLimits, high: number | undefined): string | undefined {
  const { kind, step } = control;
  const { base, size } = stepScale(control, limits);
  const between = base + smallestStep(kind);
  const isBetween = step !== undefined && size > smallestStep(kind) && (high === undefined || between <= high);
  return isBetween ? fromCount(kind, between) : undefined;
}
