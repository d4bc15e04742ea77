import type { FormField } from '../../scan/use-case-evidence.ts';
import { type CasePlan, type DerivedCase, preconditionText, type UseCaseInput } from '../case-plan.ts';
import { basicTrialsForField } from '../values/field-trials.ts';
import { isTextField } from '../values/field-values.ts';

const MOST_FIELDS = 2;

/**
 * Values that a page refuses may still reach the server in other ways. These cases turn the checks of the page off and
 * record what the server does by itself: first with values of the wrong type, then without required values.
 */
export function serverCheckCases(facts: UseCaseInput, happy: CasePlan, fields: readonly FormField[]): DerivedCase[] {
  const { title, evidence } = facts;
  if (evidence.form?.method !== 'post') return [];
  const trials = fields
    .filter(isTextField)
    .flatMap((field) => basicTrialsForField(field).map((trial) => ({ field, trial })))
    .filter(({ trial }) => trial.expected === 'rejected');
  const ofKind = (id: string) => trials.filter(({ trial }) => trial.id === id).slice(0, 1);
  return [...ofKind('wrong-type'), ...ofKind('empty')].slice(0, MOST_FIELDS).map(({ field, trial }) => {
    const { [field.key]: _, ...secrets } = happy.secrets;
    return {
      key: `past-the-page:${field.key}:${trial.id}`,
      title: `${title}: ${field.label} ${trial.title}, sent past the page’s own check`,
      goal: `What the server itself does with such a ${field.label} does not change unnoticed`,
      precondition: preconditionText(happy),
      expectedResult: 'As observed when the test was written, whether the server refused it or took it',
      oracle: 'observed',
      priority: 'MEDIUM',
      category: 'Edge Case',
      tags: ['negative', 'server', evidence.class],
      plan: {
        ...happy,
        kind: 'field',
        values: { ...happy.values, [field.key]: trial.value },
        secrets,
        unchecked: true,
        goesOn: false,
        expected: { outcome: 'observed', field: field.key, says: [] },
      },
    };
  });
}
