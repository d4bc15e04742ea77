import type { FormField, UseCaseEvidence } from '../scan/evidence.ts';
import { actionCases } from './actions.ts';
import { deletionCases } from './deletion.ts';
import { type CasePlan, type DerivedCase, precondition, type UseCaseFacts } from './model.ts';
import { pairwise } from './pairs.ts';
import { pastThePage } from './past-the-page.ts';
import { searchCases } from './search.ts';
import { isChoice, isText, realOptions, validValue } from './values.ts';
import { type Trial, trialsOf, valuesToCombine } from './violations.ts';

const MOST_PAIRS = 8;
/** Not to be filled with anything but what the project knows: a guess would lock the account or change who may enter. */
const careful = ['change-password', 'delete'];
const withStages = ['wizard', 'checkout', 'booking'];
const needsCart = ['cart', 'voucher', 'checkout'];

/** All test cases of a use case, in the order in which somebody would try them. */
export function deriveCases(facts: UseCaseFacts): DerivedCase[] {
  const { evidence } = facts;
  const cases = evidence.form ? formCases(facts) : actionCases(facts, basePlan(facts));
  const deletion = evidence.class === 'delete' ? deletionCases(facts, basePlan(facts)) : [];
  return [...cases, ...deletion, ...sessionCases(facts)];
}

export function basePlan({ evidence, others }: UseCaseFacts): CasePlan {
  const cart = needsCart.includes(evidence.class) ? others.find((other) => other.class === 'add-to-cart') : undefined;
  return {
    kind: 'happy',
    before: cart ? [cart.id] : [],
    signIn: evidence.needsLogin,
    entry: evidence.entryUrl,
    stays: false,
    unchecked: false,
    values: {},
    secrets: {},
    typed: [],
    send: 'once',
    control: null,
    goesOn: withStages.includes(evidence.class) || evidence.stages.length > 1,
    after: [],
    expected: { outcome: 'observed', says: [] },
  };
}

function formCases(facts: UseCaseFacts): DerivedCase[] {
  const { evidence } = facts;
  // A field that takes only certain texts is no search for words.
  const isFree = !evidence.form?.fields.some(({ pattern }) => pattern !== undefined);
  if (evidence.class === 'search' && isFree) return searchCases(facts, basePlan(facts));
  const fields = (evidence.form?.fields ?? []).filter(({ readOnly, hidden }) => !readOnly && !hidden);
  const happy = happyPlan(facts, fields);
  if (careful.includes(evidence.class)) return happy ? fieldCases(facts, happy, fields, ['rejected']) : [];
  if (!happy) return [];
  return [
    happyCase(facts, happy),
    ...fieldCases(facts, happy, fields, ['accepted', 'rejected', 'cut', 'observed']),
    ...pairCases(facts, happy, fields),
    ...stateCases(facts, happy),
    ...loginCases(facts, happy),
    ...pastThePage(facts, happy, fields),
  ];
}

/** Every field filled as its constraints allow; undefined where a required one cannot be. */
function happyPlan(facts: UseCaseFacts, fields: readonly FormField[]): CasePlan | undefined {
  const { evidence, promised } = facts;
  const { values, secrets } = happyValues(evidence, fields);
  const isComplete = fields.every(({ key, required }) => !required || key in values || key in secrets);
  if (!isComplete) return undefined;
  return { ...basePlan(facts), values, secrets, expected: { outcome: 'accepted', says: [...promised] } };
}

export function happyValues(
  evidence: UseCaseEvidence,
  fields: readonly FormField[],
): Pick<CasePlan, 'values' | 'secrets'> {
  const values: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  const { signIn } = evidence;
  for (const field of fields) {
    if (evidence.class === 'login' && signIn && isText(field))
      secrets[field.key] = field.kind === 'password' ? signIn.passwordSecret : signIn.usernameSecret;
    else if (field.kind === 'checkbox' || field.kind === 'switch') {
      if (field.required) values[field.key] = 'true';
    } else if (field.kind === 'file') {
      if (field.required || evidence.class === 'upload') values[field.key] = 'assay-test.txt';
    } else if (!isChoice(field) || field.required || field.value === '') {
      const value = validValue(field);
      if (value !== undefined && value !== '') values[field.key] = value;
    }
  }
  return { values, secrets };
}

function happyCase({ title, evidence, promised }: UseCaseFacts, plan: CasePlan): DerivedCase {
  const isPromised = promised.length > 0 || evidence.expected.some(({ basis }) => basis === 'specified');
  return {
    key: 'happy',
    title: `${title}: everything filled in correctly`,
    goal: `${title} works with valid data`,
    precondition: precondition(plan),
    expectedResult: promised.length > 0 ? `The site says ${promised.map((text) => `“${text}”`).join(', ')}` : accepted,
    oracle: isPromised ? 'specified' : 'observed',
    priority: 'HIGH',
    category: 'Functional',
    tags: ['happy-path', evidence.class],
    plan,
  };
}

const accepted = 'The site accepts what was entered and shows the outcome';

function fieldCases(
  facts: UseCaseFacts,
  happy: CasePlan,
  fields: readonly FormField[],
  wanted: readonly Trial['expected'][],
): DerivedCase[] {
  return fields.flatMap((field) =>
    trialsOf(field)
      .filter(({ expected }) => wanted.includes(expected))
      .filter(({ id }) => id !== 'empty' || canBeEmpty(field))
      .map((trial) => fieldCase(facts, happy, field, trial)),
  );
}

/** A choice without an empty option has always been made. */
function canBeEmpty(field: FormField): boolean {
  if (field.kind === 'select') return field.value === '' && realOptions(field).length < field.options.length;
  return field.kind !== 'radio-group' || field.value === '';
}

function fieldCase({ title, evidence }: UseCaseFacts, happy: CasePlan, field: FormField, trial: Trial): DerivedCase {
  const { [field.key]: _, ...otherSecrets } = happy.secrets;
  const { [field.key]: __, ...otherValues } = happy.values;
  const isLeftAlone = trial.id === 'empty' && !isText(field);
  const values = isLeftAlone ? otherValues : { ...otherValues, [field.key]: trial.value };
  const isSent = trial.expected !== 'cut';
  return {
    key: `field:${field.key}:${trial.id}`,
    title: `${title}: ${field.label} ${trial.title}`,
    goal: `${field.label} is checked: ${trial.title}`,
    precondition: precondition(happy),
    expectedResult: outcomeInWords(field, trial),
    oracle: trial.expected === 'observed' ? 'observed' : 'specified',
    priority: trial.id === 'empty' ? 'MEDIUM' : 'LOW',
    category: 'Edge Case',
    tags: [trial.expected === 'rejected' ? 'negative' : 'boundary', evidence.class],
    plan: {
      ...happy,
      kind: 'field',
      values,
      secrets: otherSecrets,
      typed: trial.typed ? [field.key] : [],
      send: isSent ? 'once' : 'none',
      goesOn: trial.expected === 'accepted' && happy.goesOn,
      expected: {
        outcome: trial.expected,
        field: field.key,
        ...(trial.flag && { flag: trial.flag }),
        ...(trial.held !== undefined && { held: trial.held }),
        says: [],
      },
    },
  };
}

function outcomeInWords({ label }: FormField, { expected }: Trial): string {
  switch (expected) {
    case 'rejected':
      return `${label} is refused, and nothing is sent`;
    case 'cut':
      return `${label} holds no more than it may`;
    case 'accepted':
      return accepted;
    case 'observed':
      return 'As observed when the test was written';
  }
}

function pairCases({ title, evidence }: UseCaseFacts, happy: CasePlan, fields: readonly FormField[]): DerivedCase[] {
  const choices = fields
    .map((field) => ({ key: field.key, label: field.label, required: field.required, values: valuesToCombine(field) }))
    .filter(({ values, required }) => values.length > 1 && !(required && values.includes('false')));
  if (choices.length === 0) return [];
  const labels = new Map(choices.map(({ key, label }) => [key, label]));
  const taken = JSON.stringify(choices.map(({ key }) => happy.values[key]));
  return pairwise(choices)
    .filter((row) => JSON.stringify(choices.map(({ key }) => row[key])) !== taken)
    .slice(0, MOST_PAIRS)
    .map((row) => ({
      key: `pairs:${JSON.stringify(row)}`,
      title: `${title}: ${Object.entries(row)
        .map(([key, value]) => `${labels.get(key)} ${value === 'true' ? 'on' : value === 'false' ? 'off' : value}`)
        .join(', ')}`,
      goal: 'The options work together',
      precondition: precondition(happy),
      expectedResult: accepted,
      oracle: 'observed',
      priority: 'LOW',
      category: 'Functional',
      tags: ['options', evidence.class],
      plan: { ...happy, kind: 'pairs', values: { ...happy.values, ...row } },
    }));
}

function stateCases({ title, evidence }: UseCaseFacts, happy: CasePlan): DerivedCase[] {
  const common = {
    precondition: precondition(happy),
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
  // Without a page of its own, the outcome leaves nothing to go back from.
  if (evidence.form?.method !== 'script')
    cases.push({
      ...common,
      key: 'state:back',
      title: `${title}: back afterwards`,
      goal: 'Going back leads to a page that works',
      expectedResult: 'The earlier page is shown as observed when the test was written',
      plan: state({ after: ['back'] }),
    });
  if (evidence.form?.method !== 'get' && !happy.goesOn)
    cases.push({
      ...common,
      key: 'state:double-submit',
      title: `${title}: sent twice in a row`,
      goal: 'A double click does no more than a single one',
      expectedResult: 'The outcome is that of sending once',
      plan: state({ send: 'twice' }),
    });
  return cases;
}

function loginCases({ title, evidence }: UseCaseFacts, happy: CasePlan): DerivedCase[] {
  const password = evidence.form?.fields.find(({ kind }) => kind === 'password');
  if (evidence.class !== 'login' || !password) return [];
  const { [password.key]: _, ...secrets } = happy.secrets;
  return [
    {
      key: 'login:wrong-password',
      title: `${title}: wrong password`,
      goal: 'Nobody enters with a wrong password',
      precondition: null,
      expectedResult: 'The user stays outside and is told so',
      oracle: 'observed',
      priority: 'HIGH',
      category: 'Functional',
      tags: ['negative', 'login'],
      plan: {
        ...happy,
        kind: 'field',
        secrets,
        values: { ...happy.values, [password.key]: 'not-the-password-1' },
        expected: { outcome: 'observed', field: password.key, says: [] },
      },
    },
  ];
}

/** Who knows the address but has no session stays outside. */
function sessionCases(facts: UseCaseFacts): DerivedCase[] {
  const { evidence, title } = facts;
  if (!evidence.needsLogin) return [];
  return [
    {
      key: 'session:deep-link',
      title: `${title}: address opened without a session`,
      goal: 'The page cannot be seen without signing in',
      precondition: 'Nobody is signed in',
      expectedResult: 'The login is shown instead of the page',
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
