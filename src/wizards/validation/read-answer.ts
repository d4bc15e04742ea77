import { findNearestName } from '../../platform/text/nearest-name.ts';
import { phrasesOf } from '../../platform/text/phrase-table.ts';
import { datePartFields, fieldFormat, isOnStep, writtenDatePart } from '../files/field-traits.ts';
import type { WizardField, WizardOption, WizardSubField } from '../files/wizard-schema.ts';
import { noneOption } from '../vocabulary/field-labels.ts';
import type { AnswerReading } from './answers.ts';
import { readFormattedDate } from './formatted-date.ts';
import {
  foldText,
  monthNumber,
  readDate,
  readNumber,
  readState,
  readYesNo,
  stateNames,
  toIsoDate,
} from './read-values.ts';

type AnyField = WizardField | WizardSubField;

const noneName = new RegExp(phrasesOf(noneOption), 'i');

const invalid = (error: string, expected: string): AnswerReading => ({ error, expected });

/** Reads one value as the field needs it: type, format, options and limits. */
export function readAnswer(field: AnyField, given: unknown): AnswerReading {
  const { options = [] } = field;
  if (Number.isInteger(given) && !Number.isSafeInteger(given))
    return invalid(
      'has more digits than a JSON number keeps; pass it as a string',
      `${describeExpectedType(field)}, as text`,
    );
  if (field.field_type === 'checkbox') return options.length > 0 ? choices(field, options, given) : onOff(given);
  if (field.multiple && options.length > 0) return choices(field, options, given);
  if (options.length > 0 && field.field_type !== 'typeahead') return choice(field, options, given);
  const written = options.length > 0 ? undefined : readFormattedDate(field, given);
  if (written) return written;
  if (typeof given === 'object' && given !== null && fieldFormat(field) !== 'date')
    return invalid(
      `takes one value, not ${Array.isArray(given) ? 'a list' : 'an object'}`,
      describeExpectedType(field),
    );
  switch (fieldFormat(field)) {
    case 'date':
      return date(given, field);
    case 'money':
    case 'number':
      return number(field, given);
    case 'state':
      return state(field, given);
    default:
      return options.length > 0 ? choice(field, options, given) : text(field, given);
  }
}

/** What a field accepts, in words for the caller who has to correct it. */
export function describeExpectedType(field: AnyField): string {
  const { options = [] } = field;
  if (field.field_type === 'checkbox' && options.length === 0) return 'boolean';
  if (options.length > 0) {
    const shown = options.slice(0, 12).map(({ value }) => value);
    const all = `${shown.join(', ')}${options.length > shown.length ? ` … (${options.length})` : ''}`;
    return field.field_type === 'checkbox' || field.multiple ? `array of: ${all}` : `one of: ${all}`;
  }
  const format = fieldFormat(field);
  if (format === 'date') return 'date (YYYY-MM-DD)';
  if (format === 'money' || format === 'number') return 'number';
  return format === 'state' ? 'string (name of a state)' : 'string';
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
  const read = readNumber(given);
  if (!read) return invalid('is not a number', 'number');
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

function outside({ min, max }: AnyField, amount: number): AnswerReading | undefined {
  if (typeof min === 'number' && amount < min) return invalid(`must be at least ${min}`, `number, at least ${min}`);
  if (typeof max === 'number' && amount > max) return invalid(`must be at most ${max}`, `number, at most ${max}`);
  return undefined;
}

function date(given: unknown, { min, max }: Pick<AnyField, 'min' | 'max'> = {}): AnswerReading {
  const read = readDate(given);
  if (read.problem !== undefined) return invalid(read.problem, 'date (YYYY-MM-DD)');
  const iso = toIsoDate(read.value);
  const isDay = (limit: unknown): limit is string => typeof limit === 'string' && /^\d{4}-\d\d-\d\d$/.test(limit);
  if (isDay(min) && iso < min) return invalid(`must not be before ${min}`, `date (YYYY-MM-DD), from ${min}`);
  if (isDay(max) && iso > max) return invalid(`must not be after ${max}`, `date (YYYY-MM-DD), until ${max}`);
  if (read.doubtful)
    return {
      answer: { kind: 'date', date: read.value },
      note: 'is read as month/day/year; write YYYY-MM-DD to be sure',
      severity: 'medium',
    };
  return {
    answer: { kind: 'date', date: read.value },
    note: read.changed ? `read as ${toIsoDate(read.value)}` : undefined,
  };
}

/** Uses the name or the code of the state, as the example or the options do. */
function state(field: AnyField, given: unknown): AnswerReading {
  if (typeof given !== 'string' || given.trim() === '') return invalid('is not text', describeExpectedType(field));
  const meant = readState(given);
  if (field.options?.length)
    return choice(field, field.options, meant && !hasOption(field.options, given) ? meant.name : given, given);
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

const hasOption = (options: readonly WizardOption[], given: string) => optionFor(options, given) !== undefined;

/** The option with this value or label. */
function optionFor(options: readonly WizardOption[], given: string): WizardOption | undefined {
  const exact = options.find(({ value }) => value === given) ?? options.find(({ label }) => label === given);
  if (exact) return exact;
  const same = options.filter(({ value, label }) =>
    [value, label].some((text) => text && foldText(text) === foldText(given)),
  );
  return same.length === 1 ? same[0] : undefined;
}

function choice(field: AnyField, options: readonly WizardOption[], given: unknown, original = given): AnswerReading {
  if (typeof given === 'object' && given !== null) return invalid('takes one choice', describeExpectedType(field));
  const text = String(given);
  const found =
    optionFor(options, text) ?? byYesNo(options, given) ?? byNumber(options, given) ?? byState(options, text);
  if (!found) {
    const names = options.flatMap(({ value, label }) => (label ? [value, label] : [value]));
    const near = findNearestName(text, names);
    return invalid(`is not one of the choices${near ? `; did you mean "${near}"?` : ''}`, describeExpectedType(field));
  }
  const exact = found.value === original || found.label === original;
  return { answer: { kind: 'choice', value: found.value }, note: exact ? undefined : `read as ${found.value}` };
}

function byYesNo(options: readonly WizardOption[], given: unknown): WizardOption | undefined {
  const said = readYesNo(given)?.value;
  return said === undefined ? undefined : optionFor(options, said ? 'yes' : 'no');
}

function byNumber(options: readonly WizardOption[], given: unknown): WizardOption | undefined {
  const number = readNumber(given)?.value;
  return number === undefined ? undefined : optionFor(options, number);
}

function byState(options: readonly WizardOption[], given: string): WizardOption | undefined {
  const meant = readState(given);
  return meant && (optionFor(options, meant.name) ?? optionFor(options, meant.code));
}

function choices(field: AnyField, options: readonly WizardOption[], given: unknown): AnswerReading {
  const list = Array.isArray(given) ? given : typeof given === 'string' ? [given] : undefined;
  if (!list) return invalid('takes a list of choices', describeExpectedType(field));
  const chosen: WizardOption[] = [];
  const notes: string[] = [];
  for (const one of list) {
    const read = choice(field, options, one);
    if (!read.answer) return read;
    if (read.answer.kind !== 'choice') continue;
    const { value } = read.answer;
    const option = options.find((known) => known.value === value);
    if (option && !chosen.includes(option)) chosen.push(option);
    if (read.note) notes.push(read.note);
  }
  const alone = chosen.find(({ exclusive, label, value }) => exclusive ?? isNoneOption(label || value));
  if (alone && chosen.length > 1)
    return invalid(
      `"${alone.label || alone.value}" excludes every other choice`,
      `${describeExpectedType(field)}; ${alone.value} alone`,
    );
  return { answer: { kind: 'choices', values: chosen.map(({ value }) => value) }, note: notes.join(', ') || undefined };
}

/** Whether an option excludes the others: "None of these apply". */
export function isNoneOption(label: string): boolean {
  return noneName.test(label.replaceAll('_', ' '));
}

function onOff(given: unknown): AnswerReading {
  const read = readYesNo(given);
  if (!read) return invalid('is neither true nor false', 'boolean');
  return { answer: { kind: 'switch', on: read.value }, note: read.changed ? `read as ${read.value}` : undefined };
}

/** Reads a date for a group of date parts; undefined for other groups. */
export function readDateGroup(field: WizardField, given: unknown): AnswerReading | undefined {
  return datePartFields(field) ? date(given) : undefined;
}
