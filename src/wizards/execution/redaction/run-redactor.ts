import { Failure } from '../../../platform/errors.ts';
import { disguisePatterns } from '../../../platform/redaction/disguised-values.ts';
import { createRedactor, wordPattern } from '../../../platform/redaction/redactor.ts';
import { phrasesOf } from '../../../platform/text/phrase-table.ts';
import { splitDateFields } from '../../files/field-traits.ts';
import { isPrivateField, PRIVATE_VALUE } from '../../files/private-fields.ts';
import type { Wizard, WizardField, WizardSubField } from '../../files/wizard-schema.ts';
import { answerValues, type WizardAnswer, type WizardAnswers } from '../../validation/answers.ts';
import { type CalendarDate, readDate, toIsoDate } from '../../validation/read-dates.ts';
import { readNumber } from '../../validation/read-values.ts';
import { lastDigitsWord, limitWord } from '../../vocabulary/personal-data.ts';

/** Keeps the private values of one run out of results, errors and records. */
export interface RunRedactor {
  /** Redacts a text of the site, including short private words that stand as whole words. */
  pageText(ownText: string): string;
  /** Redacts a text of Assay or an address: every private value that is long enough to reveal something. */
  text(text: string): string;
  /** The source of a pattern for the texts that a screenshot must not show; empty if there are none. */
  pattern: string;
}

interface RunSecrets {
  texts: string[];
  /** The private dates in every notation. */
  dates: string[];
  numbers: string[];
  /**
   * The labels of private choices, redacted only in texts of a site: a page shows all labels, whatever the user chose.
   */
  choices: string[];
}

/**
 * Creates the redactor from the answers of a run and from the raw user data, in the notations in which sites repeat
 * values.
 */
export function createRunRedactor(
  wizard: Wizard,
  answers: WizardAnswers,
  data: Readonly<Record<string, unknown>>,
): RunRedactor {
  const { texts, dates, numbers, choices } = secretsOf(wizard, answers, data);
  const common = commonWords(wizard);
  const parts = texts
    .flatMap(partsOf)
    .filter((word) => word.length >= 3 && /\p{L}/u.test(word) && !common.has(word.toLowerCase()));
  const words = [...new Set(parts.filter((word) => !texts.includes(word)))];
  const redactor = createRedactor([...texts, ...dates], words, PRIVATE_VALUE);
  const within = unionOf([...words, ...texts].filter(({ length }) => length === 3).map(wordPattern), 'giu');
  const known = [...texts, ...numbers];
  const amounts = [...numbers.filter(({ length }) => length >= 3).map(numberPattern), ...known.flatMap(digitsPattern)];
  const endings = known.flatMap(endingPattern);
  const short = [
    ...numbers.filter(({ length }) => length < 3).map((number) => notALimit + numberPattern(number)),
    ...[...texts, ...choices].filter(({ length }) => length > 0).map(wordPattern),
  ];
  const long = unionOf([...amounts, ...endings], 'giu');
  const brief = unionOf(short, 'giu');
  const spelt = [...texts, ...dates, ...words].filter(({ length }) => length > 2);
  // A value as short as Doe is also part of other words.
  const shown = [
    ...spelt.map((word) => (word.length > 3 ? RegExp.escape(word) : wordPattern(word))),
    ...texts.flatMap(disguisePatterns),
    ...amounts,
    ...endings,
  ];
  // Dates come first: a date whose year is redacted is no longer recognized.
  const text = (given: string) => redactor.text(given).replace(long, PRIVATE_VALUE).replace(within, PRIVATE_VALUE);
  return {
    text,
    pageText: (given) =>
      text(given.replace(brief, PRIVATE_VALUE)).replaceAll(`${PRIVATE_VALUE}${PRIVATE_VALUE}`, PRIVATE_VALUE),
    pattern: shown.join('|'),
  };
}

/**
 * The words of a text, the halves of a double name, the local part of an e-mail address, and a whole name as one word.
 */
function partsOf(text: string): string[] {
  const words = text.split(/[\s,;]+/);
  const halves = words.filter((word) => !word.includes('@')).flatMap((word) => word.split(/[-\u2010-\u2015'’]+/));
  const [, mailbox = ''] = /^([^@\s]+)@[^@\s]+$/.exec(text) ?? [];
  const joined = words.length < 5 ? [words.join(''), halves.join('')] : [];
  return [...words, ...halves, mailbox, ...mailbox.split(/[-._+]+/), ...joined];
}

/** "Between 3 and 20" is a rule of the site, even if 3 is a private value. */
const notALimit = `(?<!\\b(?:${phrasesOf(limitWord)})\\s)`;

const unionOf = (sources: readonly string[], flags: string) => new RegExp(sources.join('|') || '(?!)', flags);

function secretsOf(wizard: Wizard, answers: WizardAnswers, data: Readonly<Record<string, unknown>>): RunSecrets {
  const found: RunSecrets = { texts: [], dates: [], numbers: [], choices: [] };
  const fields = wizard.pages.flatMap(({ fields }) => fields);
  for (const field of fields) {
    const given = [field.field_id, ...(field.aliases ?? [])].map((key) => data[key]);
    addSecrets(found, field, answers.get(field.field_id), given);
  }
  for (const [stem, parts] of splitDateFields(wizard)) {
    if (![...parts.values()].every(isPrivateField)) continue;
    const number = (part: 'year' | 'month' | 'day') => {
      const answer = answers.get(parts.get(part)?.field_id ?? '');
      return Number(answer ? answerValues(answer)[0] : Number.NaN);
    };
    const date = { year: number('year'), month: number('month'), day: number('day') };
    if (Object.values(date).every(Number.isFinite)) found.dates.push(...dateForms(date));
    const keys = Object.keys(data).filter((key) => key.includes(stem) || key === 'dob');
    for (const key of keys) addRaw(found, data[key]);
  }
  found.texts = [...new Set(found.texts.map((text) => text.trim()))].filter(Boolean);
  return found;
}

function addSecrets(
  found: RunSecrets,
  field: WizardField | WizardSubField,
  answer: WizardAnswer | undefined,
  given: readonly unknown[],
): void {
  const subs: readonly WizardSubField[] =
    'sub_fields' in field && Array.isArray(field.sub_fields) ? field.sub_fields : [];
  if (isPrivateField(field)) {
    for (const value of given) addRaw(found, value);
    if (answer) addAnswer(found, field, answer);
    return;
  }
  const rows = answer?.kind === 'rows' ? answer.rows : answer?.kind === 'group' ? [answer.parts] : [];
  const raw = given.flat();
  for (const sub of subs) {
    const own = raw.map((row) =>
      typeof row === 'object' && row !== null ? Reflect.get(row, sub.field_id) : undefined,
    );
    for (const row of rows.length > 0 ? rows : [undefined]) addSecrets(found, sub, row?.get(sub.field_id), own);
  }
}

function addAnswer(found: RunSecrets, { options = [] }: WizardField | WizardSubField, answer: WizardAnswer): void {
  switch (answer.kind) {
    case 'choice':
    case 'choices': {
      const values = answer.kind === 'choice' ? [answer.value] : answer.values;
      const labels = options.filter(({ value }) => values.includes(value)).map(({ label }) => label);
      found.choices.push(...values, ...labels);
      return;
    }
    case 'date':
      found.dates.push(...dateForms(answer.date));
      found.numbers.push(String(answer.date.year));
      return;
    default:
      for (const value of answerValues(answer)) addRaw(found, value);
  }
}

/** Adds every text and number of the raw data. */
function addRaw(found: RunSecrets, value: unknown): void {
  if (typeof value === 'number') return void found.numbers.push(String(value));
  if (typeof value === 'object' && value !== null) {
    for (const inside of Object.values(value)) addRaw(found, inside);
    return;
  }
  if (typeof value !== 'string') return;
  const read = readDate(value);
  // A date with dots may be read in two ways; the notations of both are the same.
  const date = read.problem === undefined ? read : readDate(value.replaceAll('.', '/'));
  if (date.problem === undefined) {
    found.dates.push(...dateForms(date.value));
    found.numbers.push(String(date.value.year));
  }
  if (/\d/.test(value) && /^-?[\d,. ]+$/.test(value.trim()))
    return void found.numbers.push(value.replaceAll(/[^\d.]/g, '').replace(/\.$/, ''));
  found.texts.push(value);
  // A site repeats "$85k" as 85,000.
  const amount = readNumber(value)?.value;
  if (amount) found.numbers.push(amount.replace('-', ''));
}

/** A site repeats an amount with thousands separators and with cents. */
function numberPattern(value: string): string {
  const [whole = '', cents] = value.split('.');
  const digits = [...whole.replace(/^0+(?=\d)/, '')].join("[,.'\\u2019\\u00a0\\u202f ]?");
  return `(?<![\\d])0*${digits}${cents ? `[.,]${cents}0*` : '(?:[.,]0+)?'}(?!\\d|[.,]\\d{3})`;
}

/** A phone, account or identity number may be grouped in several ways. */
function digitsPattern(text: string): string[] {
  const digits = text.replaceAll(/\D/g, '');
  return digits.length >= 7 && !/\p{L}/u.test(text)
    ? [`(?<!\\d)${[...digits].join('[^\\p{L}\\p{N}]{0,3}')}(?!\\d)`]
    : [];
}

/**
 * Matches the last four digits of such a number behind a mask or a label, since alone they may be anything. The pattern
 * has no nested groups, so that it cannot backtrack exponentially.
 */
function endingPattern(text: string): string[] {
  const digits = text.replaceAll(/\D/g, '');
  if (digits.length < 7 || /\p{L}/u.test(text) || readDate(text).problem === undefined) return [];
  const last = digits.slice(-4);
  const words = phrasesOf(lastDigitsWord).split('|');
  const covered = '[x*#\u2022\u25cf\u2217]';
  const before = [...words.map((word) => `${word}\\P{N}{0,20}`), `${covered}[-\\s]?${covered}[-\\s]?`];
  // The digits come first and the text before them second, because a page may be long.
  return [`${last}(?!\\d)(?<=${before.map((one) => one + last).join('|')})`];
}

function dateForms(date: CalendarDate): string[] {
  const { year, month, day } = date;
  const two = (number: number) => String(number).padStart(2, '0');
  const at = new Date(Date.UTC(2000, month - 1, 1));
  const names = (['long', 'short'] as const).map((style) => at.toLocaleString('en', { month: style, timeZone: 'UTC' }));
  const plain = [two, String].flatMap((as) =>
    ['/', '.', '-', ' '].flatMap((sign) => [
      [as(month), as(day), year].join(sign),
      [as(day), as(month), year].join(sign),
      [year, as(month), as(day)].join(sign),
      [as(month), as(day), two(year % 100)].join(sign),
    ]),
  );
  const worded = names.flatMap((name) => [
    `${name} ${day}, ${year}`,
    `${name} ${day} ${year}`,
    `${day} ${name} ${year}`,
    ...[String(day), two(day)].flatMap((of) =>
      ['-', ' ', '/'].flatMap((sign) => [year, two(year % 100)].map((year) => [of, name, year].join(sign))),
    ),
    `${name} ${day}`,
    `${day} ${name}`,
  ]);
  return [toIsoDate(date), `${year}${two(month)}${two(day)}`, `${two(month)}${two(day)}${year}`, ...plain, ...worded];
}

/** Words of the form itself reveal nothing, and redacted labels would make errors unreadable. */
function commonWords({ pages, name }: Wizard): Set<string> {
  const said = pages.flatMap(({ page_title, fields, continue_button }) => [
    page_title,
    continue_button.text,
    ...fields.flatMap(({ label, sub_fields = [], options = [] }) => [
      label,
      ...sub_fields.map((sub) => sub.label ?? ''),
      ...options.map((option) => option.label),
    ]),
  ]);
  return new Set([name, ...said].flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u)));
}

/** Keys that may hold a text of the site or an address with answers. All other keys hold fixed texts of Assay. */
const redactedKeys = ['error', 'message', 'technical_details', 'corrective_action', 'current_url', 'validation_errors'];

/** Returns the failure with every private value redacted. */
export function redactFailure(failure: Failure, { text }: RunRedactor): Failure {
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== 'object' || value === null) return value;
    // The provided values were redacted when they were reported.
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, key === 'provided_value' ? one : clean(one)]),
    );
  };
  const details = Object.fromEntries(
    Object.entries(failure.details).map(([key, value]) => [key, redactedKeys.includes(key) ? clean(value) : value]),
  );
  return new Failure(failure.kind, failure.code, text(failure.message), details, { cause: failure.cause });
}
