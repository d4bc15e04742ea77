import { isJsonObject, type Json } from '../../platform/json.ts';
import { phrasesOf } from '../../platform/text/phrase-table.ts';
import { readState } from '../validation/read-values.ts';
import {
  datePartLabel,
  frequencyInFieldId,
  moneyLabel,
  notStateLabel,
  stateLabel,
} from '../vocabulary/field-labels.ts';
import type { FieldFormat, VisibleWhen, Wizard, WizardField, WizardSubField } from './wizard-schema.ts';

/** What follows from the facts of a field, for validation, execution and descriptions. */

type AnyField = WizardField | WizardSubField;
export type DatePart = 'year' | 'month' | 'day';

export function visibilityConditions({ visible_when }: Pick<AnyField, 'visible_when'>): VisibleWhen[] {
  if (visible_when === undefined) return [];
  return Array.isArray(visible_when) ? visible_when : [visible_when];
}

const datePartAtEnd = new RegExp(`[-–:] *(?:${phrasesOf(datePartLabel)})\\W*$`, 'i');
const frequencyId = new RegExp(`(?:^|_)(?:${phrasesOf(frequencyInFieldId)})_[a-z]+$`);
const moneyWords = new RegExp(phrasesOf(moneyLabel), 'i');
const stateWord = new RegExp(phrasesOf(stateLabel), 'i');
const notStateWord = new RegExp(phrasesOf(notStateLabel), 'i');

/** The format in which the value of a field is read: given, or derived from type, label and options. */
export function fieldFormat(field: AnyField): FieldFormat {
  if (field.format) return field.format;
  const called = [field.field_id.replaceAll('_', ' '), field.label ?? ''];
  const { field_type: type, options = [] } = field;
  if (type === 'date') return 'date';
  if (isYesNo(options.map(({ value }) => value)) || isYesNo(options.map(({ label }) => label))) return 'yes_no';
  if (options.length > 0 && type !== 'typeahead') return 'text';
  if (['text', 'typeahead', 'search', 'select'].includes(type) && called.some(isStateLabel) && isOfStates(field))
    return 'state';
  // "Last year with earnings - Year" asks for a year.
  if (type === 'text' && called.some((words) => datePartAtEnd.test(words))) return 'text';
  if (type === 'number') return moneyWords.test(called.join(' ')) ? 'money' : 'number';
  if (type === 'text' && moneyWords.test(called.join(' ')) && isAmount(String(field.example_value))) return 'money';
  return 'text';
}

const isAmount = (text: string) => /^[\s$£€\d,.]+$/.test(text) && /\d/.test(text);

/** Whether a label asks for a state: "State of residence"; not "State your reason". */
export function isStateLabel(label: string): boolean {
  return stateWord.test(label) && !notStateWord.test(label);
}

/** Other countries have states too, so the example or the options must be of the United States. */
function isOfStates({ example_value, options = [] }: AnyField): boolean {
  if (readState(String(example_value))) return true;
  const known = options.filter(({ value, label }) => readState(label) ?? readState(value));
  return known.length > 0 && known.length >= options.length / 2;
}

/** Whether a number is a whole number of steps away from `from`. */
export function isOnStep(amount: number, step: number, from = 0): boolean {
  const steps = (amount - from) / step;
  // Binary fractions are not exact: 0.3 counts as three steps of 0.1.
  return Math.abs(steps - Math.round(steps)) <= 1e-9 * Math.max(1, Math.abs(steps));
}

function isYesNo(texts: readonly string[]): boolean {
  const said = texts.map((text) => text.trim().toLowerCase());
  return said.includes('yes') && said.includes('no');
}

interface Patterned {
  pattern?: string | undefined;
  sub_fields?: readonly Patterned[] | undefined;
}

/** The patterns of a field and of its sub-fields. */
export function fieldPatterns({ pattern, sub_fields = [] }: Patterned): string[] {
  return [...(pattern === undefined ? [] : [pattern]), ...sub_fields.flatMap(fieldPatterns)];
}

/** Which part of a date a field is, by its name: `birth_month`, `Date of birth - Month`; not `spent_per_month`. */
function datePartOf({ field_id, label = '' }: Pick<AnyField, 'field_id' | 'label'>): DatePart | undefined {
  if (frequencyId.test(field_id)) return undefined;
  const parts: DatePart[] = ['year', 'month', 'day'];
  return (
    parts.find((part) => new RegExp(`(^|_)${part}$`).test(field_id)) ??
    parts.find((part) => label.trim().toLowerCase() === part)
  );
}

/** The parts of a group that is a date: month, day and year. */
export function datePartFields(field: WizardField): Map<DatePart, WizardSubField> | undefined {
  if (field.repeatable || field.sub_fields?.length !== 3) return undefined;
  const parts = new Map<DatePart, WizardSubField>();
  for (const sub of field.sub_fields) {
    const part = datePartOf(sub);
    if (part) parts.set(part, sub);
  }
  return parts.size === 3 ? parts : undefined;
}

/** Dates that are split into three fields, by their stem: `birth_month`, `birth_day` and `birth_year` under `birth`. */
export function splitDateFields(wizard: Wizard): Map<string, Map<DatePart, WizardField>> {
  const found = new Map<string, Map<DatePart, WizardField>>();
  for (const field of wizard.pages.flatMap(({ fields }) => fields)) {
    const [, stem, part] = /^(.+)_(year|month|day)$/.exec(field.field_id) ?? [];
    if (stem === undefined || !(part === 'year' || part === 'month' || part === 'day')) continue;
    found.set(stem, (found.get(stem) ?? new Map<DatePart, WizardField>()).set(part, field));
  }
  return new Map([...found].filter(([, parts]) => parts.size === 3));
}

const partExamples = {
  year: /^[12]\d{3}$/,
  month: /^(?:0?[1-9]|1[0-2])$/,
  day: /^(?:0?[1-9]|[12]\d|3[01])$/,
};

/** The date part that a separate field takes as written text: "05", "2007". */
export function writtenDatePart(field: AnyField): DatePart | undefined {
  const part = datePartOf(field);
  const { example_value: example } = field;
  // An example that is no date part shows that only the name sounds like one: `earnings_last_year`, 45000.
  return part && typeof example === 'string' && partExamples[part].test(example) ? part : undefined;
}

/** The type name of the specification: `date`, `number`, `string` … */
export function fieldTypeName(field: WizardField): string {
  if (field.repeatable) return 'array';
  if (datePartFields(field)) return 'date';
  return field.field_type === 'group' ? 'object' : valueType(field);
}

function valueType(field: AnyField): string {
  if (field.field_type === 'checkbox') return field.options?.length ? 'array' : 'boolean';
  if (field.multiple && field.options?.length) return 'array';
  const format = fieldFormat(field);
  if (format === 'date') return 'date';
  return (format === 'money' || format === 'number') && !writtenDatePart(field) ? 'number' : 'string';
}

/** The example of a field converted to its type: discovery and old files store the typed text. */
export function typedExample(field: WizardField): Json {
  const { example_value: example, sub_fields: subs = [] } = field;
  const typedRow = (row: Json): Json =>
    isJsonObject(row) ? Object.fromEntries(Object.entries(row).map(([id, part]) => [id, typedPart(id, part)])) : row;
  const typedPart = (id: string, part: Json): Json => {
    const sub = subs.find(({ field_id }) => field_id === id);
    return sub ? typedAs(valueType(sub), part) : part;
  };
  if (field.repeatable) return Array.isArray(example) ? example.map(typedRow) : example;
  const type = fieldTypeName(field);
  return type === 'object' ? typedRow(example) : typedAs(type, example);
}

function typedAs(type: string, example: Json): Json {
  if (typeof example === 'number') return type === 'string' ? String(example) : example;
  if (typeof example !== 'string') return example;
  if (type === 'boolean') return /^(?:true|false)$/.test(example) ? example === 'true' : example;
  if (type === 'array') return example === '' ? [] : [example];
  const amount = Number(example.replaceAll(/[\s$,]/g, '') || Number.NaN);
  return type === 'number' && Number.isFinite(amount) ? amount : example;
}
