import { quote } from '../../platform/errors.ts';
import { findNearestName } from '../../platform/text/nearest-name.ts';
import { phrasesOf } from '../../platform/text/phrase-table.ts';
import type { WizardField, WizardOption, WizardSubField } from '../files/wizard-schema.ts';
import { noneOption } from '../vocabulary/field-labels.ts';
import type { AnswerReading } from './answers.ts';
import { describeExpectedType, invalid } from './expected-type.ts';
import { foldText, readNumber, readState, readYesNo } from './read-values.ts';

/** Reads choices: by value, by label, by the value of the site, or by an unambiguous part of a label. */

type AnyField = WizardField | WizardSubField;

const noneName = new RegExp(phrasesOf(noneOption), 'i');

export const hasOption = (options: readonly WizardOption[], given: string) => optionFor(options, given) !== undefined;

/** The option with this value or label. */
function optionFor(options: readonly WizardOption[], given: string): WizardOption | undefined {
  const exact = options.find(({ value }) => value === given) ?? options.find(({ label }) => label === given);
  if (exact) return exact;
  const same = options.filter(({ value, label }) =>
    [value, label].some((text) => text && foldText(text) === foldText(given)),
  );
  return same.length === 1 ? same[0] : undefined;
}

/** The option that the site calls so, unless numbers are labels too: then 0 may be meant as a label. */
function bySiteValue(options: readonly WizardOption[], given: string): WizardOption | undefined {
  const isNumber = (text: string) => /^-?\d+$/.test(text);
  if (isNumber(given) && options.some(({ value, label }) => isNumber(value) || isNumber(label))) return undefined;
  const same = options.filter(({ site_value }) => site_value === given);
  return same.length === 1 ? same[0] : undefined;
}

/**
 * The options of which a text is a part: whole words at the start, or all between separators: "Bachelor" in "Bachelor's degree",
 * "IL" in "Illinois (IL)". Words in the middle do not count, because of "not married"; a number is no part of a range or amount.
 */
function optionsWithPart(options: readonly WizardOption[], given: string): WizardOption[] {
  const part = foldText(given);
  if (!/[\p{L}\p{N}]/u.test(part)) return [];
  const isPart = (label: string) => {
    const text = foldText(label);
    const segments = text.split(/[()/;|]|[,:]\s|\s-\s/).map((segment) => segment.trim());
    if (segments.includes(part)) return true;
    const next = text.startsWith(part) ? text.slice(part.length) : 'x';
    return /\d$/.test(part) ? /^\s+(?!to\b)\p{L}/u.test(next) : /^[^\p{L}\p{N}]/u.test(next);
  };
  return options.filter(({ value, label }) => isPart(label || value));
}

export function readChoice(
  field: AnyField,
  options: readonly WizardOption[],
  given: unknown,
  original = given,
): AnswerReading {
  if (typeof given === 'object' && given !== null) return invalid('takes one choice', describeExpectedType(field));
  const text = String(given);
  const found =
    optionFor(options, text) ??
    bySiteValue(options, text) ??
    byYesNo(options, given) ??
    byNumber(options, given) ??
    byState(options, text);
  const parts = found ? [] : optionsWithPart(options, text);
  const [part] = parts;
  if (part && parts.length === 1)
    return { answer: { kind: 'choice', value: part.value }, note: `read as ${part.value}`, severity: 'medium' };
  if (!found) {
    if (parts.length > 1)
      return invalid(
        `could be ${parts
          .slice(0, 4)
          .map(({ value }) => quote(value))
          .join(' or ')}; give the whole choice`,
        describeExpectedType(field),
      );
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

export function readChoices(field: AnyField, options: readonly WizardOption[], given: unknown): AnswerReading {
  const list = Array.isArray(given) ? given : typeof given === 'string' ? [given] : undefined;
  if (!list) return invalid('takes a list of choices', describeExpectedType(field));
  const chosen: WizardOption[] = [];
  const notes: string[] = [];
  const errors: string[] = [];
  for (const [i, one] of list.entries()) {
    const read = readChoice(field, options, one);
    if (!read.answer) {
      errors.push(list.length > 1 ? `[${i}] ${read.error}` : read.error);
      continue;
    }
    if (read.answer.kind !== 'choice') continue;
    const { value } = read.answer;
    const option = options.find((known) => known.value === value);
    if (option && !chosen.includes(option)) chosen.push(option);
    if (read.note) notes.push(read.note);
  }
  if (errors.length > 0) return invalid(errors.join('; '), describeExpectedType(field));
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
