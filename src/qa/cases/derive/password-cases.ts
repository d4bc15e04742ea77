import type { FormField } from '../../scan/use-case-evidence.ts';
import { siteWords } from '../../scan/words/site-words.ts';
import { type CasePlan, type DerivedCase, preconditionText, type UseCaseInput } from '../case-plan.ts';
import { isTextField, validValue } from '../values/field-values.ts';
import { UNIQUE_TOKEN } from '../values/unique-token.ts';

const WRONG_VALUE = 'not-the-password-1';
const WRONG_PASSWORD = 'login:wrong-password';

/** The only case that sends a wrong password for the real account. */
export function loginCases({ title, evidence }: UseCaseInput, happy: CasePlan): DerivedCase[] {
  const password = evidence.form?.fields.find(({ kind }) => kind === 'password');
  if (evidence.class !== 'login' || !password) return [];
  const { [password.key]: _, ...secrets } = happy.secrets;
  return [
    {
      key: WRONG_PASSWORD,
      title: `${title}: wrong password`,
      goal: 'A wrong password is rejected',
      precondition: null,
      expectedResult: 'The user is not signed in and sees an error message',
      oracle: 'observed',
      priority: 'HIGH',
      category: 'Functional',
      tags: ['negative', 'login'],
      plan: {
        ...happy,
        kind: 'field',
        secrets,
        values: { ...happy.values, [password.key]: WRONG_VALUE },
        expected: { outcome: 'observed', field: password.key, says: [] },
      },
    },
  ];
}

/**
 * Sites lock an account after some wrong passwords, and a suite is run often. So a case that sends a wrong password sends
 * another user name too. A case that expects a login with such values, such as the longest allowed name, sends nothing.
 */
export function avoidLockout({ evidence }: UseCaseInput, derived: DerivedCase): DerivedCase[] {
  const { plan, key } = derived;
  const fields = evidence.form?.fields ?? [];
  const password = fields.find(({ kind }) => kind === 'password');
  const isMeant = key === WRONG_PASSWORD;
  if (evidence.class === 'login' && expectsLogin(derived, fields)) return [];
  if (evidence.class !== 'login' || !password || isMeant || password.key in plan.secrets) return [derived];
  const names = fields.filter((field) => field.key in plan.secrets);
  const invented = names.map((field) => [
    field.key,
    validValue({ ...field, autocomplete: 'username' }) ?? `ada-${UNIQUE_TOKEN}`,
  ]);
  return [{ ...derived, plan: { ...plan, secrets: {}, values: { ...plan.values, ...Object.fromEntries(invented) } } }];
}

function expectsLogin({ plan: { kind, expected } }: DerivedCase, fields: readonly FormField[]): boolean {
  const decisive = fields.find(({ key }) => key === expected.field);
  return kind === 'field' && expected.outcome === 'accepted' && decisive !== undefined && isTextField(decisive);
}

/**
 * A password change to the password that the account has already: whatever the site does, the account stays usable, also
 * for tests that run at the same time. A wrong current password must change nothing.
 */
export function passwordChangeCases(facts: UseCaseInput, base: CasePlan): DerivedCase[] {
  const { evidence, title, promised } = facts;
  const { form, signIn } = evidence;
  const fields = form?.fields.filter(({ hidden, readOnly }) => !hidden && !readOnly) ?? [];
  const passwords = fields.filter(({ kind }) => kind === 'password');
  const old = passwords.find(
    ({ autocomplete = '', label, key }) =>
      autocomplete === 'current-password' || siteWords.current.test(`${label} ${key}`),
  );
  const isKnown = fields.every(({ kind, required }) => kind === 'password' || !required);
  if (!signIn || !old || !isKnown || passwords.length < 2) return [];
  const secrets = Object.fromEntries(passwords.map(({ key }) => [key, signIn.passwordSecret]));
  const { [old.key]: _, ...others } = secrets;
  const common = {
    precondition: preconditionText(base),
    oracle: 'observed' as const,
    priority: 'HIGH' as const,
    category: 'Functional' as const,
  };
  return [
    {
      ...common,
      key: 'password:same',
      title: `${title}: to the one it has already`,
      goal: 'The current password can be set again',
      expectedResult: 'The site answers as observed when the test was written; the password stays what it was',
      tags: ['happy-path', evidence.class],
      plan: { ...base, secrets, expected: { outcome: 'observed', says: [...promised] } },
    },
    {
      ...common,
      key: 'password:wrong-old',
      title: `${title}: wrong old password`,
      goal: 'A wrong current password is rejected',
      expectedResult: 'Nothing changes, and the user sees an error message',
      tags: ['negative', evidence.class],
      plan: {
        ...base,
        kind: 'field',
        secrets: others,
        values: { [old.key]: WRONG_VALUE },
        expected: { outcome: 'observed', field: old.key, says: [] },
      },
    },
  ];
}
