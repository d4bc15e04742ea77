import type { FormField } from '../scan/evidence.ts';
import { ACCEPTED, type CasePlan, type DerivedCase, precondition, type UseCaseFacts } from './model.ts';
import { pairwise } from './pairs.ts';
import { isText, realOptions } from './values.ts';
import { type Trial, trialsOf, valuesToCombine } from './violations.ts';

const MOST_PAIRS = 8;

/** Each field by itself: what it must refuse, what it must take. */
export function fieldCases(
  facts: UseCaseFacts,
  happy: CasePlan,
  fields: readonly FormField[],
  wanted: readonly Trial['expected'][],
): DerivedCase[] {
  return fields.flatMap((field) =>
    trialsOf(field)
      .filter(({ expected }) => wanted.includes(expected))
      .filter(({ id }) => id !== 'empty' || canBeEmpty(field))
      .map((trial) => fieldCase(facts, happy, field, trial)),
  );
}

/** A choice without an empty option has always been made. */
function canBeEmpty(field: FormField): boolean {
  if (field.kind === 'select') return field.value === '' && realOptions(field).length < field.options.length;
  return field.kind !== 'radio-group' || field.value === '';
}

function fieldCase({ title, evidence }: UseCaseFacts, happy: CasePlan, field: FormField, trial: Trial): DerivedCase {
  const { [field.key]: _, ...otherSecrets } = happy.secrets;
  const { [field.key]: __, ...otherValues } = happy.values;
  const isLeftAlone = trial.id === 'empty' && !isText(field);
  const values = isLeftAlone ? otherValues : { ...otherValues, [field.key]: trial.value };
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

/** Options together, so that each has stood beside each. */
export function pairCases(
  { title, evidence }: UseCaseFacts,
  happy: CasePlan,
  fields: readonly FormField[],
): DerivedCase[] {
  const choices = fields
    .map((field) => ({ key: field.key, label: field.label, required: field.required, values: valuesToCombine(field) }))
    .filter(({ values, required }) => values.length > 1 && !(required && values.includes('false')));
  if (choices.length === 0) return [];
  const labels = new Map(choices.map(({ key, label }) => [key, label]));
  const taken = JSON.stringify(choices.map(({ key }) => happy.values[key]));
  return pairwise(choices)
    .filter((row) => JSON.stringify(choices.map(({ key }) => row[key])) !== taken)
    .slice(0, MOST_PAIRS)
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
