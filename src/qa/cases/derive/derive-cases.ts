import type { FormEvidence, FormField } from '../../scan/use-case-evidence.ts';
import { ACCEPTED_RESULT, type CasePlan, type DerivedCase, preconditionText, type UseCaseInput } from '../case-plan.ts';
import {
  ANY_OPTION_TOKEN,
  hasOnlyShortLivedValues,
  isChoiceField,
  isDependentChoice,
  isTextField,
  realOptions,
  validValue,
} from '../values/field-values.ts';
import { actionCases } from './action-cases.ts';
import { basePlan } from './base-plan.ts';
import { deletionCases } from './deletion-cases.ts';
import { fieldCases, pairCases } from './field-cases.ts';
import { avoidLockout, loginCases, passwordChangeCases } from './password-cases.ts';
import { searchCases } from './search-cases.ts';
import { serverCheckCases } from './server-check-cases.ts';
import { sessionCases, stateCases } from './state-cases.ts';

/** Classes without invented data: a guess could lock the account or delete records. */
const restrictedClasses = ['change-password', 'delete'];

/** Derives all test cases of a use case, most important first. */
export function deriveCases(facts: UseCaseInput): DerivedCase[] {
  const { evidence } = facts;
  const cases = evidence.form ? formCases(facts) : actionCases(facts, basePlan(facts));
  const deletion = evidence.class === 'delete' ? deletionCases(facts, basePlan(facts)) : [];
  return [...cases, ...deletion, ...sessionCases(facts)];
}

function formCases(facts: UseCaseInput): DerivedCase[] {
  const { evidence } = facts;
  // A field with a pattern does not search for words.
  const isFree = !evidence.form?.fields.some(({ pattern }) => pattern !== undefined);
  if (evidence.class === 'search' && isFree) return searchCases(facts, basePlan(facts));
  const fields = fillableFields(evidence.form ?? { fields: [] });
  const happy = happyPlan(facts, fields);
  if (restrictedClasses.includes(evidence.class))
    return [
      ...(happy ? fieldCases(facts, happy, fields, ['rejected']) : []),
      ...(evidence.class === 'change-password' ? passwordChangeCases(facts, basePlan(facts)) : []),
    ];
  if (!happy) return [];
  if (hasShortLivedField(facts, fields)) return fieldCases(facts, happy, fields, ['rejected']);
  // A form without a submit button needs a choice to be sent.
  if (evidence.form?.submit === null && Object.keys({ ...happy.values, ...happy.secrets }).length === 0)
    return pairCases(facts, happy, fields);
  return [
    happyCase(facts, happy),
    ...fieldCases(facts, happy, fields, ['accepted', 'rejected', 'cut', 'observed']),
    ...pairCases(facts, happy, fields),
    ...stateCases(facts, happy),
    ...loginCases(facts, happy),
    ...serverCheckCases(facts, happy, fields),
    ...(evidence.laterPages ?? []).flatMap((form, i) => laterPageCases(facts, form, i + 1)),
  ].flatMap((derived) => avoidLockout(facts, derived));
}

/** Cases of a later page: fields and options only. The happy path belongs to the first page. */
function laterPageCases(facts: UseCaseInput, form: FormEvidence, page: number): DerivedCase[] {
  const name = `page ${page + 1}`;
  const there = {
    ...facts,
    title: `${facts.title}, ${name}`,
    evidence: { ...facts.evidence, form },
    promised: [],
    seen: facts.laterSeen,
  };
  const fields = fillableFields(form);
  const happy = happyPlan(there, fields);
  if (!happy) return [];
  const plan = { ...happy, page };
  const cases = hasShortLivedField(there, fields)
    ? fieldCases(there, plan, fields, ['rejected'])
    : [
        ...fieldCases(there, plan, fields, ['accepted', 'rejected', 'cut', 'observed']),
        ...pairCases(there, plan, fields),
      ];
  return cases.map((derived) => ({ ...derived, key: `${name}:${derived.key}` }));
}

/** Whether a required field accepts only values that expire soon, so that only rejections can be tested. */
function hasShortLivedField({ seen }: UseCaseInput, fields: readonly FormField[]): boolean {
  return fields.some((field) => field.required && hasOnlyShortLivedValues(field, seen));
}

function fillableFields({ fields }: Pick<FormEvidence, 'fields'>): FormField[] {
  return fields.filter(({ readOnly, hidden }) => !readOnly && !hidden);
}

/** Fills every field within its constraints; undefined if a required one cannot be filled. */
function happyPlan(facts: UseCaseInput, fields: readonly FormField[]): CasePlan | undefined {
  const { promised } = facts;
  const { values, secrets } = happyValues(facts, fields);
  const isComplete = fields.every(({ key, required }) => !required || key in values || key in secrets);
  if (!isComplete) return undefined;
  return { ...basePlan(facts), values, secrets, expected: { outcome: 'accepted', says: [...promised] } };
}

export function happyValues(
  { evidence, account, seen }: Pick<UseCaseInput, 'evidence' | 'account' | 'seen'>,
  fields: readonly FormField[],
): Pick<CasePlan, 'values' | 'secrets'> {
  const values: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  // A search word without hits would hide the effect of the choices.
  const isNarrowed = evidence.class === 'filter' && fields.some((field) => realOptions(field).length > 1);
  for (const field of fields) {
    if (!field.required && ((isNarrowed && isTextField(field)) || hasOnlyShortLivedValues(field, seen))) continue;
    if (evidence.class === 'login' && account && isTextField(field))
      secrets[field.key] = field.kind === 'password' ? account.password : account.username;
    else if (field.kind === 'checkbox' || field.kind === 'switch') {
      if (field.required) values[field.key] = 'true';
    } else if (field.kind === 'file') {
      if (field.required || evidence.class === 'upload') values[field.key] = 'assay-test.txt';
    } else if (isDependentChoice(field)) values[field.key] = ANY_OPTION_TOKEN;
    else if (!isChoiceField(field) || field.required || isUnset(field)) {
      const value = validValue(field, seen);
      if (value !== undefined && value !== '') values[field.key] = value;
    }
  }
  return { values, secrets };
}

/** Whether nothing is chosen yet. A custom listbox shows a prompt until then. */
function isUnset({ kind, value, options }: FormField): boolean {
  const isOption = options.some((option) => option.value === value || option.label === value);
  return value === '' || (kind === 'listbox' && !isOption);
}

function happyCase({ title, evidence, promised }: UseCaseInput, plan: CasePlan): DerivedCase {
  const isPromised = promised.length > 0 || evidence.expected.some(({ basis }) => basis === 'specified');
  return {
    key: 'happy',
    title: `${title}: everything filled in correctly`,
    goal: `${title} works with valid data`,
    precondition: preconditionText(plan),
    expectedResult:
      promised.length > 0 ? `The site says ${promised.map((text) => `“${text}”`).join(', ')}` : ACCEPTED_RESULT,
    oracle: isPromised ? 'specified' : 'observed',
    priority: 'HIGH',
    category: 'Functional',
    tags: ['happy-path', evidence.class],
    plan,
  };
}
