import type { UseCaseEvidence } from '../../scan/use-case-evidence.ts';
import { type CasePlan, type DerivedCase, preconditionText, type UseCaseInput } from '../case-plan.ts';
import { basePlan } from './base-plan.ts';

/** What may come after the form was sent, or be done twice. */
export function stateCases({ title, evidence }: UseCaseInput, happy: CasePlan): DerivedCase[] {
  const common = {
    precondition: preconditionText(happy),
    oracle: 'observed' as const,
    priority: 'LOW' as const,
    category: 'Regression' as const,
    tags: ['state', evidence.class],
  };
  const state = (change: Partial<CasePlan>): CasePlan => ({
    ...happy,
    kind: 'state',
    ...change,
    expected: { outcome: 'observed', says: [] },
  });
  const cases: DerivedCase[] = [
    {
      ...common,
      key: 'state:reload',
      title: `${title}: reload afterwards`,
      goal: 'A reload does not undo or break the outcome',
      expectedResult: 'The page stands as observed when the test was written',
      plan: state({ after: ['reload'] }),
    },
  ];
  if (hasResultPage(evidence))
    cases.push({
      ...common,
      key: 'state:back',
      title: `${title}: back afterwards`,
      goal: 'Going back leads to a page that works',
      expectedResult: 'The earlier page is shown as observed when the test was written',
      plan: state({ after: ['back'] }),
    });
  if (!isReadOnly(evidence))
    cases.push({
      ...common,
      key: 'state:double-submit',
      title: `${title}: sent with a double click`,
      goal: 'A double click sends it no more often than when the test was written',
      // A site may take it twice and keep it once: what it is sent is judged, where it is sent once.
      expectedResult: 'The page stands as observed when the test was written; what was sent once is not sent twice',
      plan: state({ send: 'twice' }),
    });
  return cases;
}

/** Classes of forms that ask for something to be shown, and leave the site as it is. */
const readOnlyClasses = ['search', 'filter', 'sort', 'pagination', 'view', 'dashboard', 'language'];

/** A form without a method counts as GET, though a script may send it; then what it is for tells more. */
function isReadOnly({ form, class: of }: UseCaseEvidence): boolean {
  return form?.method === 'get' && (readOnlyClasses.includes(of) || form.submit === null);
}

/** Without one, the outcome leaves nothing to go back from. What a script sends has none, unless the form names an address. */
function hasResultPage(evidence: UseCaseEvidence): boolean {
  const { form, state } = evidence;
  if (form?.method !== 'get' || isReadOnly(evidence)) return form?.method !== 'script';
  const [action = '', own = ''] = [form.action, state.template].map((path) => path.split(/[?#]/)[0]);
  return action !== '' && action !== own;
}

/** Shown only to somebody who is signed in, on pages that anybody may see. */
const publicPageClasses = ['logout', 'cart', 'voucher', 'newsletter', 'language', 'consent'];
const cart = /\b(cart|basket|bag)\b/i;

/** Who knows the address but has no session stays outside. */
export function sessionCases(facts: UseCaseInput): DerivedCase[] {
  const { evidence, title } = facts;
  const isOpen =
    publicPageClasses.includes(evidence.class) || cart.test(evidence.state.template) || evidence.everywhere;
  if (!evidence.needsLogin || isOpen) return [];
  return [
    {
      key: 'session:deep-link',
      title: `${title}: address opened without a session`,
      goal: 'The page cannot be seen without signing in',
      precondition: 'Nobody is signed in',
      expectedResult: 'The page is not shown: the login or another page is, or access is denied',
      oracle: 'specified',
      priority: 'HIGH',
      category: 'Functional',
      tags: ['session', evidence.class],
      plan: {
        ...basePlan(facts),
        kind: 'session',
        before: [],
        signIn: false,
        send: 'none',
        goesOn: false,
        expected: { outcome: 'refused-entry', says: [] },
      },
    },
  ];
}
