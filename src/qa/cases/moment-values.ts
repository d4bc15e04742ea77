import { countOf, inDays, type MomentField, textOf, unitOf } from './moments.ts';
import { type LimitsNow, limitsNow } from './moving-limits.ts';
import { finite } from './numbers.ts';

interface Scale {
  base: number;
  size: number;
}

/** Where the steps of a field begin, and how far apart they are. */
function scaleOf({ kind, value, step }: MomentField, { min }: Pick<LimitsNow, 'min'>): Scale {
  const size = finite(step) ?? unitOf(kind);
  const start = [min, value].find((text) => text !== undefined && text !== '');
  return { base: (start && countOf(kind, start)) || 0, size: size >= 1 ? Math.round(size) : unitOf(kind) };
}

const snapped = (count: number, { base, size }: Scale) => base + Math.floor((count - base) / size) * size;

/** A value that is taken for as long is worth a test: whoever detects its cases again gets one that is taken longer. */
const LASTING_DAYS = 180;
/** Beyond a limit by so much, a moment stays there while the limit moves. */
const FAR_DAYS = 3_650;

/** A moment near the given one that the field's limits and steps allow, and go on to allow for as long as they can. */
export function momentNear(control: MomentField, usual: string, seen: Date = new Date()): string {
  const { kind } = control;
  const limits = limitsNow(control, seen);
  const { min, max, minMoves } = limits;
  const least = minMoves ? (away(kind, min, 4 * LASTING_DAYS) ?? min) : min;
  const wish = least && usual < least ? least : usual;
  // Whether a limit moves is a guess: the latest as it was seen is taken in either case, as long as it has not passed.
  const latest = [control.max, max].find((limit) => limit && (!least || limit >= least)) ?? max;
  const within = latest && wish > latest ? latest : wish;
  const count = countOf(kind, within);
  return (count !== undefined && textOf(kind, snapped(count, scaleOf(control, limits)))) || within;
}

function away(kind: string, limit: string | undefined, days: number): string | undefined {
  const count = limit ? countOf(kind, limit) : undefined;
  return count === undefined ? undefined : textOf(kind, count + inDays(kind, days));
}

/** Whether what a field takes today it refuses before long, whatever it is: its limits move on from it, or its steps do. */
export function isFleeting(control: MomentField, usual: string, seen: Date = new Date()): boolean {
  const { kind } = control;
  const limits = limitsNow(control, seen);
  const { min, minMoves, maxMoves } = limits;
  if (!minMoves) return false;
  if (!isSteady(control, limits)) return true;
  const lasting = away(kind, min, LASTING_DAYS);
  return maxMoves && lasting !== undefined && momentNear(control, usual, seen) < lasting;
}

/** Whether the same moments stand on a step tomorrow: steps are counted from the least. */
function isSteady(control: MomentField, limits: LimitsNow): boolean {
  const { base, size } = scaleOf(control, limits);
  const unit = unitOf(control.kind);
  return !limits.minMoves || control.step === 'any' || (size === unit && base % unit === 0);
}

/** The moments at the limits of a field, the nearest beyond them, and one between two steps. */
interface MomentLimits {
  min?: string | undefined;
  belowMin?: Beyond | undefined;
  max?: string | undefined;
  aboveMax?: Beyond | undefined;
  offStep?: string | undefined;
}

/** A moment that a field refuses, and the limit that it is beyond; that of a limit that moves is not said. */
interface Beyond {
  value: string;
  limit?: string | undefined;
}

/** A limit that moves is another when a test is run: there is nothing at it, and only what lies far beyond. */
export function momentLimits(control: MomentField, seen: Date = new Date()): MomentLimits {
  const limits = limitsNow(control, seen);
  const [low, high] = [limits.min, limits.max].map((text) => (text ? countOf(control.kind, text) : undefined));
  // A time of day may reach over midnight: then what lies beyond is another question.
  if (low !== undefined && high !== undefined && low > high) return {};
  return {
    ...(low !== undefined && atLeast(control, limits, low)),
    ...(high !== undefined && isSteady(control, limits) && atMost(control, limits, high)),
    offStep: limits.minMoves ? undefined : offStep(control, limits, high),
  };
}

function atLeast(control: MomentField, limits: LimitsNow, low: number): MomentLimits {
  const { kind } = control;
  const { min, minMoves } = limits;
  const far = isSteady(control, limits) ? away(kind, min, -FAR_DAYS) : undefined;
  if (minMoves) return { belowMin: beyond(far) };
  return { min, belowMin: beyond(textOf(kind, low - scaleOf(control, limits).size), min) };
}

function atMost(control: MomentField, limits: LimitsNow, high: number): MomentLimits {
  const { kind } = control;
  const scale = scaleOf(control, limits);
  if (limits.maxMoves) return { aboveMax: beyond(textOf(kind, snapped(high + inDays(kind, FAR_DAYS), scale))) };
  const last = snapped(high, scale);
  return { max: textOf(kind, last), aboveMax: beyond(textOf(kind, last + scale.size), limits.max) };
}

function beyond(value: string | undefined, limit?: string): Beyond | undefined {
  return value === undefined ? undefined : { value, limit };
}

function offStep(control: MomentField, limits: LimitsNow, high: number | undefined): string | undefined {
  const { kind, step } = control;
  const { base, size } = scaleOf(control, limits);
  const between = base + unitOf(kind);
  const isBetween = step !== undefined && size > unitOf(kind) && (high === undefined || between <= high);
  return isBetween ? textOf(kind, between) : undefined;
}
