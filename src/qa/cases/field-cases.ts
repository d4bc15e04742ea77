import type { FormField } from '../scan/evidence.ts';
import { ACCEPTED, type CasePlan, type DerivedCase, precondition, type UseCaseFacts } from './model.ts';
import { momentKinds } from './moments.ts';
import { pairwise } from './pairs.ts';
import { isText, realOptions } from './values.ts';
import { type Trial, trialsOf, valuesToCombine } from './violations.ts';

/** A form with more is a page that was made to be endless. */
export const MOST_FIELDS = 60;
/** Enough for three choices of four options each; what is left out is told. */
const MOST_ROWS = 24;
export const MOST_CHOICES = 12;

/** Each field by itself: what it must refuse, what it must take. */
export function fieldCases(
  facts: UseCaseFacts,
  happy: CasePlan,
  fields: readonly FormField[],
  wanted: readonly Trial['expected'][],
): DerivedCase[] {
  return fields.slice(0, MOST_FIELDS).flatMap((field) =>
    trialsOf(field, facts.seen)
      .filter(({ expected }) => wanted.includes(expected))
      .filter(({ id }) => id !== 'empty' || canBeEmpty(field))
      .map((trial) => fieldCase(facts, happy, field, trial)),
  );
}

/** A choice without an empty option has always been made, and some fields hold something whatever is done to them. */
function canBeEmpty(field: FormField): boolean {
  if (field.kind === 'select') return field.value === '' && realOptions(field).length < field.options.length;
  if (field.kind === 'range' || field.kind === 'colour') return false;
  return isText(field) || emptied(field) !== undefined || field.value === '';
}

/** What takes away what a page has filled in already; undefined where there is nothing, or no way to. */
function emptied({ kind, value, checked }: FormField): string | undefined {
  if (kind === 'checkbox' || kind === 'switch') return checked ? 'false' : undefined;
  return value !== '' && (kind === 'number' || momentKinds.includes(kind)) ? '' : undefined;
}

function fieldCase({ title, evidence }: UseCaseFacts, happy: CasePlan, field: FormField, trial: Trial): DerivedCase {
  const { [field.key]: _, ...otherSecrets } = happy.secrets;
  const { [field.key]: __, ...otherValues } = happy.values;
  const given = trial.id === 'empty' && !isText(field) ? emptied(field) : trial.value;
  const values =
    given === undefined ? otherValues : { ...otherValues, ...repeated(happy, field, trial), [field.key]: given };
  const isSent = trial.expected !== 'cut';
  return {
    key: `field:${field.key}:${trial.id}`,
    title: `${title}: ${field.label} ${trial.title}`,
    goal: `${field.label} is checked: ${trial.title}`,
    precondition: precondition(happy),
    expectedResult: outcomeInWords(field, trial),
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
        ...(trial.held !== undefined && { held: trial.held }),
        says: [],
      },
    },
  };
}

/** A password that has to be entered twice is the same in both fields. */
function repeated({ values }: CasePlan, { key, kind }: FormField, { expected, value }: Trial): Record<string, string> {
  if (kind !== 'password' || expected !== 'accepted') return {};
  const same = Object.entries(values).filter(([other, held]) => other !== key && held === values[key]);
  return Object.fromEntries(same.map(([other]) => [other, value]));
}

function outcomeInWords({ label }: FormField, { expected }: Trial): string {
  switch (expected) {
    case 'rejected':
      return `${label} is refused, and nothing is sent`;
    case 'cut':
      return `${label} holds no more than it may`;
    case 'accepted':
      return ACCEPTED;
    case 'observed':
      return 'As observed when the test was written';
  }
}

/** What can be chosen, and is worth being combined; what must be ticked leaves no choice. */
export function choicesOf(fields: readonly FormField[]) {
  return fields
    .map((field) => ({ key: field.key, label: field.label, required: field.required, values: valuesToCombine(field) }))
    .filter(({ values, required }) => values.length > 1 && !(required && values.includes('false')));
}

/** Options together, so that each has stood beside each. */
export function pairCases(
  { title, evidence }: UseCaseFacts,
  happy: CasePlan,
  fields: readonly FormField[],
): DerivedCase[] {
  const choices = choicesOf(fields).slice(0, MOST_CHOICES);
  if (choices.length === 0) return [];
  const labels = new Map(choices.map(({ key, label }) => [key, label]));
  const taken = JSON.stringify(choices.map(({ key }) => happy.values[key]));
  return pairwise(choices, MOST_ROWS)
    .filter((row) => JSON.stringify(choices.map(({ key }) => row[key])) !== taken)
    .map((row) => ({
      key: `pairs:${JSON.stringify(row)}`,
      title: `${title}: ${Object.entries(row)
        .map(([key, value]) => `${labels.get(key)} ${value === 'true' ? 'on' : value === 'false' ? 'off' : value}`)
        .join(', ')}`,
      goal: 'The options work together',
      precondition: precondition(happy),
      expectedResult: ACCEPTED,
      oracle: 'observed',
      priority: 'LOW',
      category: 'Functional',
      tags: ['options', evidence.class],
      plan: { ...happy, kind: 'pairs', values: { ...happy.values, ...row } },
    }));
}
