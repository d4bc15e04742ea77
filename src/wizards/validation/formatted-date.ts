import type { DatePart } from '../files/field-traits.ts';
import type { WizardField, WizardSubField } from '../files/wizard-schema.ts';
import type { AnswerReading } from './read-answer.ts';
import { type CalendarDate, isCalendarDate, readDate } from './read-values.ts';

/** How a text field wants a date to be written: MM/DD/YYYY. */
interface DateFormat {
  parts: readonly DatePart[];
  sign: string;
}

const letters: Record<string, DatePart> = { m: 'month', d: 'day', y: 'year' };

/** What a field says of it, beside it or in it; undefined where it says nothing, or two things. */
function dateFormatOf({
  label = '',
  notes = '',
  surroundings = {},
}: WizardField | WizardSubField): DateFormat | undefined {
  const { placeholder = '', hint = '' } = surroundings;
  const said = [placeholder, hint, label, notes].flatMap((text) => [
    ...text.matchAll(/(?<!\p{L})(mm|dd|yyyy)\s?([/.-]?)\s?(mm|dd)\s?\2\s?(mm|dd|yyyy)(?!\p{L})/giu),
  ]);
  const shapes = said.flatMap(([, first = '', sign = '', second = '', third = '']) => {
    const parts = [first, second, third].flatMap((part) => letters[part.charAt(0).toLowerCase()] ?? []);
    return new Set(parts).size === 3 ? [{ parts, sign }] : [];
  });
  const [shape] = shapes;
  return new Set(shapes.map((one) => JSON.stringify(one))).size === 1 ? shape : undefined;
}

/**
 * A date for a text field that says how it wants it written. What is in that shape already is taken as the field means it.
 * Undefined where the field says nothing of the kind, or what was given is no date, and the site may know what it is.
 */
export function readFormattedDate(field: WizardField | WizardSubField, given: unknown): AnswerReading | undefined {
  const shape = field.field_type === 'text' ? dateFormatOf(field) : undefined;
  if (!shape || (typeof given !== 'string' && (typeof given !== 'object' || given === null))) return undefined;
  const own = typeof given === 'string' ? parseDate(given, shape) : undefined;
  const read = own ? { value: own, problem: undefined, doubtful: isAmbiguous(own, shape) } : readDate(given);
  if (read.problem !== undefined)
    return read.problem.startsWith('is not a date')
      ? undefined
      : { error: read.problem, expected: 'date (YYYY-MM-DD)' };
  const text = formatDate(read.value, shape);
  const order = own ? shape.parts : ['month', 'day', 'year'];
  if (read.doubtful)
    return {
      answer: { kind: 'text', text },
      note: `is taken as ${order.join('/')}; write YYYY-MM-DD to be sure`,
      severity: 'medium',
    };
  return { answer: { kind: 'text', text }, note: text === given ? undefined : `read as ${text}` };
}

/** The date that a text is in this shape, if the calendar has it. */
function parseDate(text: string, { parts, sign }: DateFormat): CalendarDate | undefined {
  if (sign === '') return undefined;
  const numbers = text.split(sign).map((part) => part.trim());
  const isEach = parts.every((part, i) => (part === 'year' ? /^\d{4}$/ : /^\d{1,2}$/).test(numbers[i] ?? ''));
  if (numbers.length !== 3 || !isEach) return undefined;
  const of = (part: DatePart) => Number(numbers[parts.indexOf(part)]);
  const date = { year: of('year'), month: of('month'), day: of('day') };
  return isCalendarDate(date) ? date : undefined;
}

/** Somebody may have written it in the order of another country. */
const isAmbiguous = ({ month, day }: CalendarDate, { parts }: DateFormat) =>
  parts[0] !== 'year' && day <= 12 && day !== month;

function formatDate(date: CalendarDate, { parts, sign }: DateFormat): string {
  return parts.map((part) => String(date[part]).padStart(2, '0')).join(sign);
}
