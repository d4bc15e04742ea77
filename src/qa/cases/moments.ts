import { finite } from './numbers.ts';

/** Kinds of fields whose value is a moment; it is counted in days, months, weeks or seconds since a beginning. */
export const momentKinds = ['date', 'datetime', 'month', 'week', 'time'];

/** What its page says about such a field. */
interface MomentField {
  kind: string;
  min?: string;
  max?: string;
  step?: string;
  value?: string;
}

const DAY_MS = 86_400_000;
/** The Monday from which the browser counts weeks. */
const FIRST_WEEK = Date.UTC(1969, 11, 29);

function countOf(kind: string, text: string): number | undefined {
  const [year = 0, second = 0] = text.split(/-W?/).map(Number);
  switch (kind) {
    case 'date':
      return whole(Date.parse(`${text}T00:00:00Z`) / DAY_MS);
    case 'datetime':
      return whole(Date.parse(`${text}Z`) / 1000);
    case 'time':
      return whole(Date.parse(`1970-01-01T${text}Z`) / 1000);
    case 'month':
      return whole((year - 1970) * 12 + second - 1);
    case 'week':
      return whole((mondayOfFirst(year) - FIRST_WEEK) / (7 * DAY_MS) + second - 1);
    default:
      return undefined;
  }
}

/** Undefined where there is no such moment: a day has no 25th hour. */
function textOf(kind: string, count: number): string | undefined {
  if (kind === 'time') return count < 0 || count >= 86_400 ? undefined : clock(new Date(count * 1000));
  if (kind === 'month') return iso(Date.UTC(1970, count))?.slice(0, 7);
  if (kind === 'week') return weekOf(FIRST_WEEK + count * 7 * DAY_MS);
  if (kind === 'date') return iso(count * DAY_MS)?.slice(0, 10);
  const day = iso(count * 1000)?.slice(0, 10);
  return day && `${day}T${clock(new Date(count * 1000))}`;
}

function clock(at: Date): string {
  const text = at.toISOString().slice(11, 19);
  return text.endsWith(':00') ? text.slice(0, 5) : text;
}

function iso(ms: number): string | undefined {
  const at = new Date(ms);
  const year = at.getUTCFullYear();
  return year >= 1 && year <= 9999 ? at.toISOString() : undefined;
}

/** The first week of a year is the one with the 4th of January. */
function mondayOfFirst(year: number): number {
  const fourth = Date.UTC(year, 0, 4);
  return fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS;
}

function weekOf(monday: number): string {
  const year = new Date(monday + 3 * DAY_MS).getUTCFullYear();
  const week = Math.round((monday - mondayOfFirst(year)) / (7 * DAY_MS)) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

function whole(number: number): number | undefined {
  return Number.isInteger(number) ? number : undefined;
}

/** The least by which a field of the kind usually differs. */
const unitOf = (kind: string) => (kind === 'time' || kind === 'datetime' ? 60 : 1);

interface Scale {
  base: number;
  size: number;
}

/** Where the steps of a field begin, and how far apart they are. */
function scaleOf({ kind, min, value, step }: MomentField): Scale {
  const size = finite(step) ?? unitOf(kind);
  const start = [min, value].find((text) => text !== undefined && text !== '');
  return { base: (start && countOf(kind, start)) || 0, size: size >= 1 ? Math.round(size) : unitOf(kind) };
}

const snapped = (count: number, { base, size }: Scale) => base + Math.floor((count - base) / size) * size;

/** A moment near the given one that the field's limits and steps allow. */
export function momentNear(control: MomentField, usual: string): string {
  const { kind, min, max } = control;
  const within = min && usual < min ? min : max && usual > max ? max : usual;
  const count = countOf(kind, within);
  return (count !== undefined && textOf(kind, snapped(count, scaleOf(control)))) || within;
}

/** The moments at the limits of a field, the nearest beyond them, and one between two steps. */
interface MomentLimits {
  min?: string;
  belowMin?: string | undefined;
  max?: string | undefined;
  aboveMax?: string | undefined;
  offStep?: string | undefined;
}

export function momentLimits(control: MomentField): MomentLimits {
  const { kind, min, max, step } = control;
  const [low, high] = [min, max].map((text) => (text ? countOf(kind, text) : undefined));
  // A time of day may reach over midnight: then what lies beyond is another question.
  if (low !== undefined && high !== undefined && low > high) return {};
  const scale = scaleOf(control);
  const last = high === undefined ? undefined : snapped(high, scale);
  const between = scale.base + unitOf(kind);
  const isBetween = step !== undefined && scale.size > unitOf(kind) && (high === undefined || between <= high);
  return {
    ...(min && low !== undefined && { min, belowMin: textOf(kind, low - scale.size) }),
    ...(last !== undefined && { max: textOf(kind, last), aboveMax: textOf(kind, last + scale.size) }),
    ...(isBetween && { offStep: textOf(kind, between) }),
  };
}
