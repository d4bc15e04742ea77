import type { FormField } from '../scan/evidence.ts';
import { type CasePlan, type DerivedCase, precondition, type UseCaseFacts } from './model.ts';
import { isText, WORD_OF_THE_PAGE } from './values.ts';

/** What nobody sells. */
export const NOWHERE = 'zzqxwv';

/** A search: with hits, without, with characters that code might trip over, with nothing. */
export function searchCases({ title, evidence, promised }: UseCaseFacts, base: CasePlan): DerivedCase[] {
  const field = evidence.form?.fields.find(isText);
  if (!field) return [];
  const searches: [id: string, text: string, goal: string, expected: string, priority: DerivedCase['priority']][] = [
    ['hits', WORD_OF_THE_PAGE, 'A search finds what is there', 'Hits are shown as observed', 'HIGH'],
    ['no-hits', NOWHERE, 'A search for what is nowhere says so', 'The site says that there is nothing', 'MEDIUM'],
    ['special', `<b>'"&%${NOWHERE}`, 'Special characters do no harm', 'The text is searched for as it is', 'LOW'],
    ['empty', '', 'A search for nothing does no harm', 'The site stays usable', 'LOW'],
  ];
  return searches.map(([id, text, goal, expectedResult, priority]) => ({
    key: `search:${id}`,
    title: `${title}: ${id === 'hits' ? 'with hits' : id === 'no-hits' ? 'without hits' : `${id} text`}`,
    goal,
    precondition: precondition(base),
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
