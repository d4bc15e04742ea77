import type { UseCaseEvidence } from '../../scan/use-case-evidence.ts';
import { cartPath } from '../../scan/words/url-words.ts';
import { type CasePlan, type DerivedCase, preconditionText, type UseCaseInput } from '../case-plan.ts';
import { basePlan } from './base-plan.ts';

/** Cases for reload, back and double submit. */
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
      // The number of requests is compared: a site may accept a duplicate and store it once.
      expectedResult: 'The page stands as observed when the test was written; what was sent once is not sent twice',
      plan: state({ send: 'twice' }),
    });
  return cases;
}

/** Classes of forms that only read. */
const readOnlyClasses = ['search', 'filter', 'sort', 'pagination', 'view', 'dashboard', 'language'];

/** A form without a method counts as GET even if a script sends it, so the class decides too. */
function isReadOnly({ form, class: of }: UseCaseEvidence): boolean {
  return form?.method === 'get' && (readOnlyClasses.includes(of) || form.submit === null);
}

/** Whether the result has its own page to go back from. A scripted form has none unless it names another action. */
function hasResultPage(evidence: UseCaseEvidence): boolean {
  const { form, state } = evidence;
  if (form?.method !== 'get' || isReadOnly(evidence)) return form?.method !== 'script';
  const [action = '', own = ''] = [form.action, state.template].map((path) => path.split(/[?#]/)[0]);
  return action !== '' && action !== own;
}

/** Classes that need a login on pages that everyone may see. */
const publicPageClasses = ['logout', 'cart', 'voucher', 'newsletter', 'language', 'consent'];

/** The URL of a protected page must not open without a session. */
export function sessionCases(facts: UseCaseInput): DerivedCase[] {
  const { evidence, title } = facts;
  const isOpen =
    publicPageClasses.includes(evidence.class) || cartPath.test(evidence.state.template) || evidence.everywhere;
  if (!evidence.needsLogin || isOpen) return [];
  return [
    {
      key: 'session:deep-link',
      title: `${title}: address opened without a session`,
      goal: 'The page cannot be seen without signing in',
      precondition: 'No user is signed in',
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
