import type { FormField } from '../../scan/use-case-evidence.ts';
import { ACCEPTED_RESULT, type CasePlan, type DerivedCase, preconditionText, type UseCaseInput } from '../case-plan.ts';
import { dateTimeKinds } from '../values/date-time-counts.ts';
import { type FieldTrial, trialsForField, valuesToCombine } from '../values/field-trials.ts';
import { isTextField, realOptions } from '../values/field-values.ts';
import { pairwiseRows } from '../values/pairwise.ts';

/** Limit of fields per form. */
export const MOST_FIELDS = 60;
/** Covers three choices of four options; omissions are listed. */
const MOST_ROWS = 24;
export const MOST_CHOICES = 12;

/** One case per field and trial. */
export function fieldCases(
  facts: UseCaseInput,
  happy: CasePlan,
  fields: readonly FormField[],
  wanted: readonly FieldTrial['expected'][],
): DerivedCase[] {
  return fields.slice(0, MOST_FIELDS).flatMap((field) =>
    trialsForField(field, facts.seen)
      .filter(({ expected }) => wanted.includes(expected))
      .filter(({ id }) => id !== 'empty' || canBeEmpty(field))
      .map((trial) => fieldCase(facts, happy, field, trial)),
  );
}

/** Whether a field can be empty. A choice without an empty option and some kinds always have a value. */
function canBeEmpty(field: FormField): boolean {
  if (field.kind === 'select') return field.value === '' && realOptions(field).length < field.options.length;
  if (field.kind === 'range' || field.kind === 'colour') return false;
  return isTextField(field) || clearingValue(field) !== undefined || field.value === '';
}

/** The value that clears a prefilled field; undefined if there is nothing to clear. */
function clearingValue({ kind, value, checked }: FormField): string | undefined {
  if (kind === 'checkbox' || kind === 'switch') return checked ? 'false' : undefined;
  return value !== '' && (kind === 'number' || dateTimeKinds.includes(kind)) ? '' : undefined;
}

function fieldCase(
  { title, evidence }: UseCaseInput,
  happy: CasePlan,
  field: FormField,
  trial: FieldTrial,
): DerivedCase {
  const { [field.key]: _, ...otherSecrets } = happy.secrets;
  const { [field.key]: __, ...otherValues } = happy.values;
  const given = trial.id === 'empty' && !isTextField(field) ? clearingValue(field) : trial.value;
  const values =
    given === undefined ? otherValues : { ...otherValues, ...repeatPassword(happy, field, trial), [field.key]: given };
  const isSent = trial.expected !== 'cut';
  return {
    key: `field:${field.key}:${trial.id}`,
    title: `${title}: ${field.label} ${trial.title}`,
    goal: `${field.label} is checked: ${trial.title}`,
    precondition: preconditionText(happy),
    expectedResult: expectedResultText(field, trial),
    oracle: trial.expected === 'observed' ? 'observed' : 'specified',
    priority: trial.id === 'empty' ? 'MEDIUM' : 'LOW',
    category: 'Edge Case',
    tags: [trial.expected === 'rejected' ? 'negative' : 'boundary', evidence.class],
    plan: {
      ...happy,
      kind: 'field',
      values,
      secrets: otherSecrets,
      typed: trial.typed ? [field.key] : [],
      send: isSent ? 'once' : 'none',
      goesOn: trial.expected === 'accepted' && happy.goesOn,
      expected: {
        outcome: trial.expected,
        field: field.key,
        ...(trial.flag && { flag: trial.flag }),
        ...(trial.acceptedValue !== undefined && { held: trial.acceptedValue }),
        says: [],
      },
    },
  };
}

/** A password confirmation gets the same value. */
function repeatPassword(
  { values }: CasePlan,
  { key, kind }: FormField,
  { expected, value }: FieldTrial,
): Record<string, string> {
  if (kind !== 'password' || expected !== 'accepted') return {};
  const same = Object.entries(values).filter(([other, otherValue]) => other !== key && otherValue === values[key]);
  return Object.fromEntries(same.map(([other]) => [other, value]));
}

function expectedResultText({ label }: FormField, { expected }: FieldTrial): string {
  switch (expected) {
    case 'rejected':
      return `${label} is refused, and nothing is sent`;
    case 'cut':
      return `${label} holds no more than it may`;
    case 'accepted':
      return ACCEPTED_RESULT;
    case 'observed':
      return 'As observed when the test was written';
  }
}

/** Choices to combine; a required checkbox is no choice. */
export function combinableChoices(fields: readonly FormField[]) {
  return fields
    .map((field) => ({ key: field.key, label: field.label, required: field.required, values: valuesToCombine(field) }))
    .filter(({ values, required }) => values.length > 1 && !(required && values.includes('false')));
}

/** Cases that cover every pair of options. */
export function pairCases(
  { title, evidence }: UseCaseInput,
  happy: CasePlan,
  fields: readonly FormField[],
): DerivedCase[] {
  const choices = combinableChoices(fields).slice(0, MOST_CHOICES);
  if (choices.length === 0) return [];
  const labels = new Map(choices.map(({ key, label }) => [key, label]));
  const taken = JSON.stringify(choices.map(({ key }) => happy.values[key]));
  return pairwiseRows(choices, MOST_ROWS)
    .filter((row) => JSON.stringify(choices.map(({ key }) => row[key])) !== taken)
    .map((row) => ({
      key: `pairs:${JSON.stringify(row)}`,
      title: `${title}: ${Object.entries(row)
        .map(([key, value]) => `${labels.get(key)} ${value === 'true' ? 'on' : value === 'false' ? 'off' : value}`)
        .join(', ')}`,
      goal: 'The options work together',
      precondition: preconditionText(happy),
      expectedResult: ACCEPTED_RESULT,
      oracle: 'observed',
      priority: 'LOW',
      category: 'Functional',
      tags: ['options', evidence.class],
      plan: { ...happy, kind: 'pairs', values: { ...happy.values, ...row } },
    }));
}
