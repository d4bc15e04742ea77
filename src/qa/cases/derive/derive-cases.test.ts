import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { FormField, UseCaseEvidence } from '../../scan/use-case-evidence.ts';
import { deriveCases } from './derive-cases.ts';
import { listOmissions } from './omissions.ts';

const field = (key: string, facts: Partial<FormField> = {}): FormField => ({
  ...{ key, label: key, kind: 'text', role: 'textbox', group: '', placeholder: '', required: false, readOnly: false },
  ...{ value: '', checked: null, options: [], hidden: false, ladder: [{ by: 'name', value: key }] },
  ...facts,
});
const state = { template: '/x', url: 'http://site.test/x', title: 'X', heading: 'Customers', seen: 1 };
const evidence = (facts: Partial<UseCaseEvidence>, fields?: FormField[]): UseCaseEvidence => ({
  ...{ class: 'contact', identity: 'x', confidence: 1, entryUrl: 'http://site.test/x', state, everywhere: false },
  ...{ needsLogin: false, signIn: null, steps: [], controls: [], stages: [], expected: [], signals: [] },
  form: fields ? { method: 'post', action: '/x', fields, submit: null } : null,
  ...facts,
});
const derive = (facts: UseCaseEvidence, others: Parameters<typeof deriveCases>[0]['others'] = []) =>
  deriveCases({ title: 'T', evidence: facts, promised: [], others });
const keys = (facts: UseCaseEvidence) => derive(facts).map(({ key }) => key);

describe('deriveCases', () => {
  test('gives each case a unique and stable key', () => {
    const form = evidence({}, [
      field('name', { required: true, minLength: 2, maxLength: 9 }),
      field('age', { kind: 'number', min: '1', max: '9' }),
      field('plan', { kind: 'select', options: ['A', 'B', 'C'].map((label) => ({ label, value: label, ladder: [] })) }),
      field('news', { kind: 'checkbox', checked: false }),
    ]);
    expect(keys(form)).toEqual(keys(form));
    expect(new Set(keys(form)).size).toBe(keys(form).length);
  });

  test('clears a prefilled required field for the empty case', () => {
    const required = { required: true };
    const left = derive(
      evidence({}, [
        field('nights', { ...required, kind: 'number', min: '1', value: '1' }),
        field('day', { ...required, kind: 'date', value: '2027-01-01' }),
        field('terms', { ...required, kind: 'checkbox', value: 'on', checked: true }),
        field('seats', { ...required, kind: 'number' }),
        field('volume', { ...required, kind: 'range', value: '5' }),
      ]),
    ).flatMap(({ key, plan }) => (key.endsWith(':empty') ? [[key, plan.values[key.split(':')[1] ?? '']]] : []));
    expect(left).toEqual([
      ['field:nights:empty', ''],
      ['field:day:empty', ''],
      ['field:terms:empty', 'false'],
      ['field:seats:empty', undefined],
    ]);
  });

  test('adds the cases of later pages after those of the first page', () => {
    const own = [field('name', { required: true, maxLength: 9 })];
    const later = { method: 'post' as const, action: '/y', fields: own, submit: null };
    const cases = derive(evidence({ class: 'wizard', laterPages: [later] }, own));
    const onPage = (page: number) => cases.filter(({ plan }) => plan.page === page).map(({ key }) => key);
    expect(onPage(0)).toContain('field:name:empty');
    expect(onPage(1)).toEqual(onPage(0).flatMap((key) => (key.startsWith('field:') ? [`page 2:${key}`] : [])));
    expect(cases.find(({ key }) => key === 'page 2:field:name:empty')?.title).toBe('T, page 2: name left empty');
  });

  test('derives no cases if a required field cannot be filled', () => {
    expect(keys(evidence({}, [field('code', { required: true, pattern: '[' })]))).toEqual([]);
  });

  test('selects a dependent choice at run time', () => {
    const options = ['', 'France', 'Kenya'].map((label) => ({ label, value: label, ladder: [] }));
    const cases = derive(
      evidence({}, [
        field('country', { kind: 'select', required: true, options }),
        field('region', { kind: 'select', required: true, options: options.slice(0, 1) }),
        field('street', { required: true }),
      ]),
    );
    expect(cases[0]).toMatchObject({ key: 'happy', plan: { values: { country: 'France', region: '{{option}}' } } });
    expect(cases.map(({ key }) => key)).toEqual(expect.arrayContaining(['field:street:empty', 'field:region:empty']));
    expect(cases.find(({ key }) => key === 'field:region:empty')?.plan.values).not.toHaveProperty('region');
  });

  test('derives only rejected cases for a date with a short validity and lists the omission', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 16) });
    onTestFinished(() => void vi.useRealTimers());
    const soon = { kind: 'date', min: '2026-11-17', max: '2026-12-16' };
    const form = (required: boolean) =>
      evidence({}, [field('name', { required: true }), field('day', { ...soon, required })]);
    expect(keys(form(true))).toEqual([
      'field:name:empty',
      'field:day:empty',
      'field:day:below-min',
      'field:day:above-max',
    ]);
    expect(listOmissions({ evidence: form(true) }, derive(form(true)))).toEqual([
      'day: valid values expire soon, so only rejected values are tried.',
    ]);
    expect(derive(form(false))[0]?.plan.values).toEqual({ name: 'Ada Lovelace' });
    const open = evidence({}, [field('day', { kind: 'date', min: '2026-11-17', required: true })]);
    expect(derive(open)[0]).toMatchObject({ key: 'happy', plan: { values: { day: '2030-06-14' } } });
    expect(listOmissions({ evidence: open }, derive(open))).toEqual([
      'day: its limits move with the date, so values at the limits are not tried.',
    ]);
  });

  test('tests a page behind a login without a session', () => {
    const session = derive(evidence({ needsLogin: true })).find(({ key }) => key === 'session:deep-link');
    expect(session).toMatchObject({
      oracle: 'specified',
      plan: { signIn: false, expected: { outcome: 'refused-entry' } },
    });
  });

  test('invents no accepted data for a password change or a deletion', () => {
    const password = field('next', { kind: 'password', required: true });
    for (const name of ['change-password', 'delete'] as const)
      for (const { plan } of derive(evidence({ class: name }, [password])))
        expect(plan.expected.outcome).toBe('rejected');
  });

  test('changes a password only to its current value', () => {
    const [old, next] = ['old', 'next'].map((key) => field(key, { kind: 'password', required: true }));
    if (!old || !next) throw new Error('no fields');
    const submit = null;
    const signIn = {
      ...{ url: 'http://site.test/login', username: field('user'), usernameSecret: 'USER', landedOn: state, submit },
      ...{ password: old, passwordSecret: 'PASSWORD' },
    };
    const cases = derive(evidence({ class: 'change-password', signIn }, [old, next]));
    const sent = cases.filter(({ plan }) => plan.expected.outcome !== 'rejected');
    expect(sent.map(({ key }) => key)).toEqual(['password:same', 'password:wrong-old']);
    for (const { plan } of sent) expect(plan.secrets['next']).toBe('PASSWORD');
  });

  const script = (facts: Partial<UseCaseEvidence>, form: Partial<NonNullable<UseCaseEvidence['form']>>) => {
    const submit = { name: 'Send', role: 'button', kind: 'submit', href: null, ladder: [] };
    const sent = { method: 'get' as const, action: '/x', fields: [field('message', { kind: 'textarea' })], submit };
    return keys(evidence({ ...facts, form: { ...sent, ...form } })).filter((key) => key.startsWith('state:'));
  };

  test('tests a double click on a scripted form, and going back only if it has a result page', () => {
    const without = ['state:reload', 'state:double-submit'];
    expect(script({}, {})).toEqual(without);
    expect(script({}, { method: 'script' })).toEqual(without);
    expect(script({}, { action: '/thanks' })).toEqual(['state:reload', 'state:back', 'state:double-submit']);
    expect(script({}, { method: 'post' })).toEqual(['state:reload', 'state:back', 'state:double-submit']);
    expect(script({ class: 'filter' }, {})).toEqual(['state:reload', 'state:back']);
  });

  test('sends a wrong password for the real account in one case only', () => {
    const fields = [
      field('user', { required: true, maxLength: 40 }),
      field('password', { kind: 'password', required: true, minLength: 8 }),
    ];
    const account = { username: 'USER', password: 'PASSWORD' };
    const plans = deriveCases({
      ...{ title: 'T', evidence: evidence({ class: 'login' }, fields), promised: [], others: [], account },
    });
    const wrong = plans.filter(({ plan }) => !('password' in plan.secrets));
    const named = wrong.filter(({ plan }) => 'user' in plan.secrets);
    expect(named.map(({ key }) => key)).toEqual(['login:wrong-password']);
    const short = wrong.find(({ key }) => key.startsWith('field:password:'));
    expect(short?.plan.values['user']).toBe('ada-{{unique}}');
    expect(plans[0]?.plan.secrets).toEqual({ user: 'USER', password: 'PASSWORD' });
    // No case expects a login with an invented name or password.
    const accepted = plans.filter(({ plan }) => plan.expected.outcome === 'accepted');
    expect(accepted.map(({ key }) => key)).toEqual(['happy']);
  });

  test('deletes only records that the test created', () => {
    const button = { name: 'Delete', role: 'button', kind: 'submit', href: null, ladder: [] };
    const form = { method: 'post' as const, action: '/x/1/delete', fields: [], submit: button };
    const facts = { title: 'Delete a customer', evidence: evidence({ class: 'delete', form }), promised: [] };
    const user = { id: 'uc_1', class: 'create', title: 'Create a user' };
    const customer = { id: 'uc_2', class: 'create', title: 'Create a customer' };
    const deleting = (others: (typeof user)[]) => deriveCases({ ...facts, others }).map(({ plan }) => plan);
    expect(deleting([user])).toEqual([]);
    expect(deleting([user, customer])).toMatchObject([{ before: ['uc_2'], stays: true, after: ['back', 'reload'] }]);
  });

  test('bypasses the page validation to test the server', () => {
    const form = evidence({}, [field('name', { required: true }), field('mail', { kind: 'email', required: true })]);
    const past = derive(form).filter(({ plan }) => plan.unchecked);
    expect(past.map(({ key, oracle }) => [key, oracle])).toEqual([
      ['past-the-page:mail:wrong-type', 'observed'],
      ['past-the-page:name:empty', 'observed'],
    ]);
    // Only the first page is sent without validation: later pages depend on the server.
    const staged = derive({ ...form, class: 'wizard' }).filter(({ plan }) => plan.unchecked);
    expect(staged.map(({ plan }) => plan.goesOn)).toEqual([false, false]);
  });

  test('fills the cart before a checkout', () => {
    const [happy] = derive(evidence({ class: 'checkout' }, [field('street')]), [
      { id: 'uc_1', class: 'add-to-cart', title: 'Put a product into the cart' },
    ]);
    expect(happy?.plan).toMatchObject({ before: ['uc_1'], goesOn: true });
  });

  test('tests a search with hits, without hits, with special characters and empty', () => {
    expect(keys(evidence({ class: 'search' }, [field('q')]))).toEqual([
      'search:hits',
      'search:no-hits',
      'search:special',
      'search:empty',
    ]);
  });

  test('derives no empty case for a choice without an empty option', () => {
    const made = field('size', {
      kind: 'radio-group',
      required: true,
      value: 'S',
      options: ['S', 'M'].map((label) => ({ label, value: label, ladder: [] })),
    });
    expect(keys(evidence({}, [made]))).not.toContain('field:size:empty');
  });

  test('enters the same password in the confirmation field', () => {
    const password = { kind: 'password', required: true };
    const form = evidence({ class: 'sign-up' }, [
      field('first', { ...password, minLength: 8 }),
      field('again', password),
    ]);
    const shortest = derive(form).find(({ key }) => key === 'field:first:min-length');
    expect(shortest?.plan.values['again']).toBe(shortest?.plan.values['first']);
    expect(shortest?.plan.values['first']).toHaveLength(8);
  });

  const choice = (key: string, size: number) =>
    field(key, {
      kind: 'select',
      options: Array.from({ length: size }, (_, i) => ({ label: `${key}${i}`, value: `${i}`, ladder: [] })),
    });

  test('covers every pair of three choices with four options', () => {
    const form = evidence(
      {},
      ['a', 'b', 'c'].map((key) => choice(key, 4)),
    );
    const cases = derive(form);
    const met = cases.flatMap(({ plan: { values } }) => [
      `${values['a']}${values['b']}`,
      `${values['a']}${values['c']}`,
      `${values['b']}${values['c']}`,
    ]);
    expect(new Set(met).size).toBe(48);
    expect(listOmissions({ evidence: form }, cases)).toEqual([]);
  });

  test('leaves the text of a filter empty if it has choices', () => {
    const cases = derive(evidence({ class: 'filter' }, [field('name', { kind: 'search' }), choice('team', 3)]));
    expect(cases.filter(({ plan }) => plan.kind === 'pairs').length).toBeGreaterThan(0);
    for (const { plan } of cases.filter(({ plan }) => plan.kind === 'pairs'))
      expect(plan.values).not.toHaveProperty('name');
  });

  test('limits the number of cases and lists the omissions', () => {
    const form = evidence({}, [...Array.from({ length: 13 }, (_, i) => choice(`c${i}`, 4)), choice('country', 200)]);
    const cases = derive(form);
    expect(cases.filter(({ plan }) => plan.kind === 'pairs').length).toBeLessThanOrEqual(24);
    expect(listOmissions({ evidence: form }, cases)).toEqual([
      '2 of 14 choices are not combined with others.',
      expect.stringMatching(/^\d+ of 1056 pairs of options are not tried\.$/),
      'country: 4 of 200 options are tried.',
    ]);
    const long = evidence(
      {},
      Array.from({ length: 80 }, (_, i) => field(`f${i}`, { maxLength: 9 })),
    );
    expect(listOmissions({ evidence: long }, derive(long))).toEqual(['20 of 80 fields have no cases of their own.']);
    const wizard = evidence({ class: 'wizard' }, [field('name', { required: true })]);
    expect(listOmissions({ evidence: wizard }, derive(wizard))).toEqual([
      expect.stringMatching(/^Pages after the first are not known yet/),
    ]);
    const later = (fields: FormField[]) => ({ method: 'post' as const, action: '/y', fields, submit: null });
    const seen = { ...wizard, laterPages: [later([])] };
    expect(listOmissions({ evidence: seen }, derive(seen))).toEqual([]);
    const crowded = { ...wizard, laterPages: [later(long.form?.fields ?? [])] };
    expect(listOmissions({ evidence: crowded }, derive(crowded))).toEqual([
      'Page 2: 20 of 80 fields have no cases of their own.',
    ]);
    const names = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'];
    const controls = names.map((name) => ({ name, role: 'button', kind: 'button', href: null, ladder: [] }));
    const page = evidence({ controls });
    expect(listOmissions({ evidence: page }, derive(page))).toEqual(['2 of 6 controls are not used.']);
  });
});
