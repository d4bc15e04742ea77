import type { FormEvidence, FormField } from '../scan/evidence.ts';
import { actionCases } from './actions.ts';
import { basePlan } from './base-plan.ts';
import { deletionCases } from './deletion.ts';
import { fieldCases, pairCases } from './field-cases.ts';
import { ACCEPTED, type CasePlan, type DerivedCase, precondition, type UseCaseFacts } from './model.ts';
import { loginCases, passwordChangeCases, sparingTheAccount } from './password-cases.ts';
import { pastThePage } from './past-the-page.ts';
import { searchCases } from './search.ts';
import { sessionCases, stateCases } from './state-cases.ts';
import { ANY_OPTION, isChoice, isDependent, isText, realOptions, takesNothingLasting, validValue } from './values.ts';

/** Not to be filled with anything but what the project knows: a guess would lock the account or change who may enter. */
const careful = ['change-password', 'delete'];

/** All test cases of a use case, in the order in which somebody would try them. */
export function deriveCases(facts: UseCaseFacts): DerivedCase[] {
  const { evidence } = facts;
  const cases = evidence.form ? formCases(facts) : actionCases(facts, basePlan(facts));
  const deletion = evidence.class === 'delete' ? deletionCases(facts, basePlan(facts)) : [];
  return [...cases, ...deletion, ...sessionCases(facts)];
}

function formCases(facts: UseCaseFacts): DerivedCase[] {
  const { evidence } = facts;
  // A field that takes only certain texts is no search for words.
  const isFree = !evidence.form?.fields.some(({ pattern }) => pattern !== undefined);
  if (evidence.class === 'search' && isFree) return searchCases(facts, basePlan(facts));
  const fields = fillable(evidence.form ?? { fields: [] });
  const happy = happyPlan(facts, fields);
  if (careful.includes(evidence.class))
    return [
      ...(happy ? fieldCases(facts, happy, fields, ['rejected']) : []),
      ...(evidence.class === 'change-password' ? passwordChangeCases(facts, basePlan(facts)) : []),
    ];
  if (!happy) return [];
  if (isFleeting(facts, fields)) return fieldCases(facts, happy, fields, ['rejected']);
  // A form that sends itself when something is chosen does nothing where nothing is.
  if (evidence.form?.submit === null && Object.keys({ ...happy.values, ...happy.secrets }).length === 0)
    return pairCases(facts, happy, fields);
  return [
    happyCase(facts, happy),
    ...fieldCases(facts, happy, fields, ['accepted', 'rejected', 'cut', 'observed']),
    ...pairCases(facts, happy, fields),
    ...stateCases(facts, happy),
    ...loginCases(facts, happy),
    ...pastThePage(facts, happy, fields),
    ...(evidence.laterPages ?? []).flatMap((form, i) => casesOfPage(facts, form, i + 1)),
  ].flatMap((derived) => sparingTheAccount(facts, derived));
}

/** What a page that comes later asks for is tried as what the first one does; the whole way is the first one's. */
function casesOfPage(facts: UseCaseFacts, form: FormEvidence, page: number): DerivedCase[] {
  const name = `page ${page + 1}`;
  const there = {
    ...facts,
    title: `${facts.title}, ${name}`,
    evidence: { ...facts.evidence, form },
    promised: [],
    seen: facts.laterSeen,
  };
  const fields = fillable(form);
  const happy = happyPlan(there, fields);
  if (!happy) return [];
  const plan = { ...happy, page };
  const cases = isFleeting(there, fields)
    ? fieldCases(there, plan, fields, ['rejected'])
    : [
        ...fieldCases(there, plan, fields, ['accepted', 'rejected', 'cut', 'observed']),
        ...pairCases(there, plan, fields),
      ];
  return cases.map((derived) => ({ ...derived, key: `${name}:${derived.key}` }));
}

/** What would be taken today is not by the time a test is run: only what is refused is refused for good. */
function isFleeting({ seen }: UseCaseFacts, fields: readonly FormField[]): boolean {
  return fields.some((field) => field.required && takesNothingLasting(field, seen));
}

function fillable({ fields }: Pick<FormEvidence, 'fields'>): FormField[] {
  return fields.filter(({ readOnly, hidden }) => !readOnly && !hidden);
}

/** Every field filled as its constraints allow; undefined where a required one cannot be. */
function happyPlan(facts: UseCaseFacts, fields: readonly FormField[]): CasePlan | undefined {
  const { promised } = facts;
  const { values, secrets } = happyValues(facts, fields);
  const isComplete = fields.every(({ key, required }) => !required || key in values || key in secrets);
  if (!isComplete) return undefined;
  return { ...basePlan(facts), values, secrets, expected: { outcome: 'accepted', says: [...promised] } };
}

export function happyValues(
  { evidence, account, seen }: Pick<UseCaseFacts, 'evidence' | 'account' | 'seen'>,
  fields: readonly FormField[],
): Pick<CasePlan, 'values' | 'secrets'> {
  const values: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  // A word that nobody has written leaves nothing to be seen of the choices beside it.
  const isNarrowed = evidence.class === 'filter' && fields.some((field) => realOptions(field).length > 1);
  for (const field of fields) {
    if (!field.required && ((isNarrowed && isText(field)) || takesNothingLasting(field, seen))) continue;
    if (evidence.class === 'login' && account && isText(field))
      secrets[field.key] = field.kind === 'password' ? account.password : account.username;
    else if (field.kind === 'checkbox' || field.kind === 'switch') {
      if (field.required) values[field.key] = 'true';
    } else if (field.kind === 'file') {
      if (field.required || evidence.class === 'upload') values[field.key] = 'assay-test.txt';
    } else if (isDependent(field)) values[field.key] = ANY_OPTION;
    else if (!isChoice(field) || field.required || isOpen(field)) {
      const value = validValue(field, seen);
      if (value !== undefined && value !== '') values[field.key] = value;
    }
  }
  return { values, secrets };
}

/** Nothing is chosen yet. A list that the page draws itself shows words of its own until then. */
function isOpen({ kind, value, options }: FormField): boolean {
  const isOption = options.some((option) => option.value === value || option.label === value);
  return value === '' || (kind === 'listbox' && !isOption);
}

function happyCase({ title, evidence, promised }: UseCaseFacts, plan: CasePlan): DerivedCase {
  const isPromised = promised.length > 0 || evidence.expected.some(({ basis }) => basis === 'specified');
  return {
    key: 'happy',
    title: `${title}: everything filled in correctly`,
    goal: `${title} works with valid data`,
    precondition: precondition(plan),
    expectedResult: promised.length > 0 ? `The site says ${promised.map((text) => `“${text}”`).join(', ')}` : ACCEPTED,
    oracle: isPromised ? 'specified' : 'observed',
    priority: 'HIGH',
    category: 'Functional',
    tags: ['happy-path', evidence.class],
    plan,
  };
}
