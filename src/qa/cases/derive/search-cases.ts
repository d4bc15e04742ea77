import type { FormField } from '../../scan/use-case-evidence.ts';
import { type CasePlan, type DerivedCase, preconditionText, type UseCaseInput } from '../case-plan.ts';
import { isTextField, PAGE_WORD_TOKEN } from '../values/field-values.ts';

/** A search text without hits. */
export const NO_HIT_TEXT = 'zzqxwv';

/** Search cases: with hits, without hits, with special characters, empty. */
export function searchCases({ title, evidence, promised }: UseCaseInput, base: CasePlan): DerivedCase[] {
  const field = evidence.form?.fields.find(isTextField);
  if (!field) return [];
  const searches: [id: string, text: string, goal: string, expected: string, priority: DerivedCase['priority']][] = [
    ['hits', PAGE_WORD_TOKEN, 'A search finds what is there', 'Hits are shown as observed', 'HIGH'],
    ['no-hits', NO_HIT_TEXT, 'A search for what is nowhere says so', 'The site says that there is nothing', 'MEDIUM'],
    ['special', `<b>'"&%${NO_HIT_TEXT}`, 'Special characters do no harm', 'The text is searched for as it is', 'LOW'],
    ['empty', '', 'A search for nothing does no harm', 'The site stays usable', 'LOW'],
  ];
  return searches.map(([id, text, goal, expectedResult, priority]) => ({
    key: `search:${id}`,
    title: `${title}: ${id === 'hits' ? 'with hits' : id === 'no-hits' ? 'without hits' : `${id} text`}`,
    goal,
    precondition: preconditionText(base),
    expectedResult,
    oracle: id === 'empty' && field.required ? 'specified' : 'observed',
    priority,
    category: id === 'hits' || id === 'no-hits' ? 'Functional' : 'Edge Case',
    tags: ['search'],
    plan: {
      ...base,
      kind: 'search',
      values: { [field.key]: text },
      goesOn: false,
      expected: expectedOf(id, field, id === 'hits' ? promised : []),
    },
  }));
}

function expectedOf(id: string, { key, required }: FormField, says: readonly string[]): CasePlan['expected'] {
  if (id === 'empty' && required) return { outcome: 'rejected', field: key, flag: 'valueMissing', says: [] };
  return { outcome: 'observed', field: key, says: [...says] };
}
