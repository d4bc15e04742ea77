import { type CasePlan, type DerivedCase, preconditionText, type UseCaseInput } from '../case-plan.ts';

/** Deletion, of nothing but what the test has made itself. Without a way to make something, it is not carried out. */
export function deletionCases(facts: UseCaseInput, base: CasePlan): DerivedCase[] {
  const plan = cartItemPlan(facts, base) ?? ownRecordPlan(facts, base);
  if (!plan) return [];
  const { title, promised } = facts;
  return [
    {
      key: 'delete:own',
      title: `${title}: one that was just made`,
      goal: 'What is deleted is gone',
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

/** The cart belongs to the session of the test. */
function cartItemPlan({ evidence, others }: UseCaseInput, base: CasePlan): CasePlan | undefined {
  const fills = others.find((other) => other.class === 'add-to-cart');
  if (!fills || !/\b(cart|basket|bag)\b/i.test(evidence.state.template)) return undefined;
  return { ...base, before: [fills.id], control: evidence.form ? null : 0, send: evidence.form ? 'once' : 'none' };
}

/** A record is made, deleted where its making has led to, and asked for once more: going back leads to its address. */
function ownRecordPlan({ title, evidence, others }: UseCaseInput, base: CasePlan): CasePlan | undefined {
  const thing = (text: string) => text.split(' ').slice(1).join(' ');
  const makes = others.find((other) => other.class === 'create' && thing(other.title) === thing(title));
  if (!makes || !evidence.form?.submit || evidence.form.fields.some(({ hidden }) => !hidden)) return undefined;
  return { ...base, before: [makes.id], stays: true, send: 'once', after: ['back', 'reload'] };
}
