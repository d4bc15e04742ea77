import type { DatePart } from '../files/field-traits.ts';
import type { WizardField, WizardSubField } from '../files/wizard-schema.ts';
import type { AnswerReading } from './answers.ts';
import { type CalendarDate, isCalendarDate, readDate } from './read-dates.ts';

/** The format in which a text field takes a date: MM/DD/YYYY. */
interface DateFormat {
  parts: readonly DatePart[];
  separator: string;
}

const letters: Record<string, DatePart> = { m: 'month', d: 'day', y: 'year' };

/** The date format that the texts of a field name; undefined if they name none or several. */
function dateFormatOf({
  label = '',
  notes = '',
  surroundings = {},
}: WizardField | WizardSubField): DateFormat | undefined {
  const { placeholder = '', hint = '' } = surroundings;
  const said = [placeholder, hint, label, notes].flatMap((text) => [
    ...text.matchAll(/(?<!\p{L})(mm|dd|yyyy)\s?([/.-]?)\s?(mm|dd)\s?\2\s?(mm|dd|yyyy)(?!\p{L})/giu),
  ]);
  const formats = said.flatMap(([, first = '', separator = '', second = '', third = '']) => {
    const parts = [first, second, third].flatMap((part) => letters[part.charAt(0).toLowerCase()] ?? []);
    return new Set(parts).size === 3 ? [{ parts, separator }] : [];
  });
  const [format] = formats;
  return new Set(formats.map((one) => JSON.stringify(one))).size === 1 ? format : undefined;
}

/**
 * Reads a date for a text field that names its format. A text in that format is read in its order. Undefined if the field names
 * no format, or the value is no date: the site may accept it.
 */
export function readFormattedDate(field: WizardField | WizardSubField, given: unknown): AnswerReading | undefined {
  const format = field.field_type === 'text' ? dateFormatOf(field) : undefined;
  if (!format || (typeof given !== 'string' && (typeof given !== 'object' || given === null))) return undefined;
  const own = typeof given === 'string' ? parseDate(given, format) : undefined;
  const read = own ? { value: own, problem: undefined, doubtful: isAmbiguous(own, format) } : readDate(given);
  if (read.problem !== undefined)
    return read.problem.startsWith('is not a date')
      ? undefined
      : { error: read.problem, expected: 'date (YYYY-MM-DD)' };
  const text = formatDate(read.value, format);
  const order = own ? format.parts : ['month', 'day', 'year'];
  if (read.doubtful)
    return {
      answer: { kind: 'text', text },
      note: `is read as ${order.join('/')}; write YYYY-MM-DD to be sure`,
      severity: 'medium',
    };
  return { answer: { kind: 'text', text }, note: text === given ? undefined : `read as ${text}` };
}

/** The date that a text means in the order that a date field names; undefined if the field names none, or the text is another. */
export function readDateInFieldOrder(field: WizardField | WizardSubField, given: unknown): CalendarDate | undefined {
  const format = dateFormatOf(field);
  return format && typeof given === 'string' ? parseDate(given.trim(), format) : undefined;
}

/** The date that a text in this format means, if it exists. */
function parseDate(text: string, { parts, separator }: DateFormat): CalendarDate | undefined {
  if (separator === '') return undefined;
  const numbers = text.split(separator).map((part) => part.trim());
  const isEach = parts.every((part, i) => (part === 'year' ? /^\d{4}$/ : /^\d{1,2}$/).test(numbers[i] ?? ''));
  if (numbers.length !== 3 || !isEach) return undefined;
  const of = (part: DatePart) => Number(numbers[parts.indexOf(part)]);
  const date = { year: of('year'), month: of('month'), day: of('day') };
  return isCalendarDate(date) ? date : undefined;
}

/** Whether the text may be in the order of another country. */
const isAmbiguous = ({ month, day }: CalendarDate, { parts }: DateFormat) =>
  parts[0] !== 'year' && day <= 12 && day !== month;

function formatDate(date: CalendarDate, { parts, separator }: DateFormat): string {
  return parts.map((part) => String(date[part]).padStart(2, '0')).join(separator);
}
