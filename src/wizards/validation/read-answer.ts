import { findNearestName } from '../../platform/text/nearest-name.ts';
import { datePartFields, fieldFormat, isOnStep, writtenDatePart } from '../files/field-traits.ts';
import type { WizardField, WizardSubField } from '../files/wizard-schema.ts';
import { measureWords } from '../vocabulary/amount-units.ts';
import type { AnswerReading } from './answers.ts';
import { describeExpectedType, invalid } from './expected-type.ts';
import { readDateInFieldOrder, readFormattedDate } from './formatted-date.ts';
import { hasOption, readChoice, readChoices } from './read-choice.ts';
import { monthNumber } from './read-dates.ts';
import { readClockAnswer, readDateAnswer } from './read-moments.ts';
import { readNumber, readState, readYesNo, stateNames } from './read-values.ts';
import { findUnits, unitPatterns } from './unit-patterns.ts';

type AnyField = WizardField | WizardSubField;

/** Reads one value as the field needs it: type, format, options and limits. */
export function readAnswer(field: AnyField, given: unknown): AnswerReading {
  const { options = [] } = field;
  if (Number.isInteger(given) && !Number.isSafeInteger(given))
    return invalid(
      'has more digits than a JSON number keeps; pass it as a string',
      `${describeExpectedType(field)}, as text`,
    );
  if (field.field_type === 'checkbox') return options.length > 0 ? readChoices(field, options, given) : onOff(given);
  if (field.multiple && options.length > 0) return readChoices(field, options, given);
  if (options.length > 0 && field.field_type !== 'typeahead') return readChoice(field, options, given);
  const written = options.length > 0 ? undefined : readFormattedDate(field, given);
  if (written) return written;
  if (typeof given === 'object' && given !== null && fieldFormat(field) !== 'date')
    return invalid(
      `takes one value, not ${Array.isArray(given) ? 'a list' : 'an object'}`,
      describeExpectedType(field),
    );
  switch (fieldFormat(field)) {
    case 'date':
      return readDateAnswer(readDateInFieldOrder(field, given) ?? given, field);
    case 'time':
    case 'datetime':
    case 'month':
    case 'week':
      return readClockAnswer(field, given);
    case 'money':
    case 'number':
      return number(field, given);
    case 'state':
      return state(field, given);
    default:
      return options.length > 0 ? readChoice(field, options, given) : text(field, given);
  }
}

function text(field: AnyField, given: unknown): AnswerReading {
  if (typeof given === 'number' || typeof given === 'boolean') return text(field, String(given));
  if (typeof given !== 'string') return invalid('is not text', describeExpectedType(field));
  if (given.trim() === '') return invalid('is empty', describeExpectedType(field));
  if (given.includes('\n') && field.field_type !== 'textarea')
    return invalid('has more than one line, but the field takes one', 'string (one line)');
  return datePart(field, given) ?? { answer: { kind: 'text', text: given } };
}

/** A month, day or year in a separate field: two digits, four for a year. */
function datePart(field: AnyField, given: string): AnswerReading | undefined {
  const part = writtenDatePart(field);
  if (!part) return undefined;
  const number = part === 'month' ? monthNumber(given) : /^\d{1,4}$/.test(given.trim()) ? Number(given) : undefined;
  const most = { month: 12, day: 31, year: 9999 }[part];
  const least = part === 'year' ? 1000 : 1;
  if (number === undefined || number < least || number > most)
    return invalid(`is not a ${part}`, `${part} (${part === 'year' ? 'YYYY' : `01-${most}`})`);
  const limits = outside(field, number);
  if (limits) return limits;
  const padded = String(number).padStart(String(field.example_value).length, '0');
  const note = padded === given ? undefined : `read as ${padded}`;
  return { answer: { kind: 'text', text: padded }, note };
}

function number(field: AnyField, given: unknown): AnswerReading {
  const part = typeof given === 'string' || typeof given === 'number' ? datePart(field, String(given)) : undefined;
  if (part) return part;
  const units = askedUnits(field);
  const read = readNumber(given, fieldFormat(field) === 'money');
  if (!read) return invalid('is not a number', 'number');
  if (read.unit && units.length > 0 && !units.includes(read.unit))
    return invalid(
      `is in ${read.unit}, but the field asks for ${units.join(' or ')}`,
      `number of ${units.join(' or ')}`,
    );
  // In other countries a dot separates thousands, and no amount has thousandths.
  if (typeof given === 'string' && fieldFormat(field) === 'money' && /^-?\d{1,3}\.\d{3}$/.test(read.value))
    return invalid('could be two amounts; write it without the dot, or with two digits after it', 'number');
  const amount = Number(read.value);
  const limits = outside(field, amount);
  if (limits) return limits;
  const from = typeof field.min === 'number' ? field.min : 0;
  if (field.step !== undefined && !isOnStep(amount, field.step, from))
    return invalid(`must be ${from} plus a multiple of ${field.step}`, `number, in steps of ${field.step}`);
  return { answer: { kind: 'text', text: read.value }, note: read.changed ? `read as ${read.value}` : undefined };
}

const measures = unitPatterns(measureWords);

/** The units that the texts of a field name. */
function askedUnits({
  label = '',
  notes = '',
  surroundings: { placeholder = '', hint = '' } = {},
}: AnyField): string[] {
  return findUnits([label, notes, placeholder, hint].join(' '), measures);
}

function outside({ min, max }: AnyField, amount: number): AnswerReading | undefined {
  if (typeof min === 'number' && amount < min) return invalid(`must be at least ${min}`, `number, at least ${min}`);
  if (typeof max === 'number' && amount > max) return invalid(`must be at most ${max}`, `number, at most ${max}`);
  return undefined;
}

/** Uses the name or the code of the state, as the example or the options do. */
function state(field: AnyField, given: unknown): AnswerReading {
  if (typeof given !== 'string' || given.trim() === '') return invalid('is not text', describeExpectedType(field));
  const meant = readState(given);
  if (field.options?.length)
    return readChoice(field, field.options, meant && !hasOption(field.options, given) ? meant.name : given, given);
  if (!meant) return unknownState(field, given);
  const name = /^[A-Z]{2}$/.test(String(field.example_value)) ? meant.code : meant.name;
  return { answer: { kind: 'text', text: name }, note: name === given ? undefined : `read as ${name}` };
}

/** A field that only sounds like a state field may take a province; a text close to a state is a typo. */
function unknownState(field: AnyField, given: string): AnswerReading {
  const near = findNearestName(given, stateNames);
  if (near || field.format === 'state')
    return invalid(`is not the name of a state${near ? `; did you mean "${near}"?` : ''}`, describeExpectedType(field));
  const note = 'is not a known state; it is passed to the form unchanged';
  return { answer: { kind: 'text', text: given.trim() }, note, severity: 'high' };
}

function onOff(given: unknown): AnswerReading {
  const read = readYesNo(given);
  if (!read) return invalid('is neither true nor false', 'boolean');
  return { answer: { kind: 'switch', on: read.value }, note: read.changed ? `read as ${read.value}` : undefined };
}

/** Reads a date for a group of date parts; undefined for other groups. */
export function readDateGroup(field: WizardField, given: unknown): AnswerReading | undefined {
  return datePartFields(field) ? readDateAnswer(given) : undefined;
}
