import { cartPath } from '../../scan/words/url-words.ts';
import { type CasePlan, type DerivedCase, preconditionText, type UseCaseInput } from '../case-plan.ts';

/** Deletes only what the test created itself. Without a way to create something there is no case. */
export function deletionCases(facts: UseCaseInput, base: CasePlan): DerivedCase[] {
  const plan = cartItemPlan(facts, base) ?? ownRecordPlan(facts, base);
  if (!plan) return [];
  const { title, promised } = facts;
  return [
    {
      key: 'delete:own',
      title: `${title}: one that was just made`,
      goal: 'A deleted record no longer exists',
      precondition: preconditionText(plan),
      expectedResult: 'What the test had made before can no longer be found',
      oracle: promised.length > 0 ? 'specified' : 'observed',
      priority: 'HIGH',
      category: 'Functional',
      tags: ['delete'],
      plan,
    },
  ];
}

/** A cart belongs to the session of the test. */
function cartItemPlan({ evidence, others }: UseCaseInput, base: CasePlan): CasePlan | undefined {
  const fills = others.find((other) => other.class === 'add-to-cart');
  if (!fills || !cartPath.test(evidence.state.template)) return undefined;
  return { ...base, before: [fills.id], control: evidence.form ? null : 0, send: evidence.form ? 'once' : 'none' };
}

/** Creates a record, deletes it, and opens its URL again by going back. */
function ownRecordPlan({ title, evidence, others }: UseCaseInput, base: CasePlan): CasePlan | undefined {
  const thing = (text: string) => text.split(' ').slice(1).join(' ');
  const makes = others.find((other) => other.class === 'create' && thing(other.title) === thing(title));
  if (!makes || !evidence.form?.submit || evidence.form.fields.some(({ hidden }) => !hidden)) return undefined;
  return { ...base, before: [makes.id], stays: true, send: 'once', after: ['back', 'reload'] };
}
