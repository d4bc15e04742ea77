import type { WizardField, WizardSubField } from '../files/wizard-schema.ts';
import type { AnswerReading } from './answers.ts';
import { describeExpectedType, invalid } from './expected-type.ts';
import { readDate, toIsoDate } from './read-dates.ts';
import { readDateTime, readMonth, readTime, readWeek, toIsoTime } from './read-times.ts';

/** Reads the answers to fields for dates and times, and compares them with the limits of the field. */

type Limits = Pick<WizardField, 'min' | 'max'>;

const order = 'is read as month/day/year; write YYYY-MM-DD to be sure';

export function readDateAnswer(given: unknown, limits: Limits = {}): AnswerReading {
  const read = readDate(given);
  if (read.problem !== undefined) return invalid(read.problem, 'date (YYYY-MM-DD)');
  const iso = toIsoDate(read.value);
  const answer = { kind: 'date', date: read.value } as const;
  return (
    outsideLimits(iso, limits, 'date (YYYY-MM-DD)') ??
    (read.doubtful
      ? { answer, note: order, severity: 'medium' }
      : { answer, note: read.changed ? `read as ${iso}` : undefined })
  );
}

/** Reads a time, a date with a time, a month or a week, in the notation of the fields of HTML. */
export function readClockAnswer(field: WizardField | WizardSubField, given: unknown): AnswerReading {
  const expected = describeExpectedType(field);
  if (field.format === 'datetime') {
    const read = readDateTime(given);
    if (read.problem !== undefined) return invalid(read.problem, expected);
    const late = outsideLimits(read.value, field, expected);
    return late ?? textAnswer(read.value, given, read.doubtful ? order : undefined);
  }
  const time = field.format === 'time' ? readTime(given) : undefined;
  const text = time
    ? toIsoTime(time)
    : field.format === 'month'
      ? readMonth(given)
      : field.format === 'week'
        ? readWeek(given)
        : undefined;
  if (text === undefined) return invalid(`is not a ${field.format}`, expected);
  return outsideLimits(text, field, expected) ?? textAnswer(text, given);
}

function textAnswer(text: string, given: unknown, doubt?: string): AnswerReading {
  const answer = { kind: 'text', text } as const;
  if (doubt) return { answer, note: doubt, severity: 'medium' };
  return { answer, note: text === given ? undefined : `read as ${text}` };
}

/** Values of these notations are in the order of their texts; a limit in another notation does not count. */
function outsideLimits(text: string, { min, max }: Limits, expected: string): AnswerReading | undefined {
  const shape = (one: string) => one.replaceAll(/\d/g, '0');
  const isLimit = (limit: unknown): limit is string => typeof limit === 'string' && shape(limit) === shape(text);
  if (isLimit(min) && text < min) return invalid(`must not be before ${min}`, `${expected}, from ${min}`);
  if (isLimit(max) && text > max) return invalid(`must not be after ${max}`, `${expected}, until ${max}`);
  return undefined;
}
