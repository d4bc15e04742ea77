import { describe, expect, test } from 'vitest';
import type { CasePlan } from '../../cases/case-plan.ts';
import { basePlan } from '../../cases/derive/base-plan.ts';
import type { UseCaseEvidence } from '../../scan/use-case-evidence.ts';
import { assertsOutcome } from '../assertion-quality/outcome-assertion.ts';
import type { ElementTarget, ScriptAction } from '../model/script-steps.ts';
import type { PageObservation } from '../record/page-observation.ts';
import { newScriptDraft } from '../record/script-recorder.ts';
import { type CaseRecording, withoutTransientRows } from './case-recording.ts';
import { chooseExpectations } from './choose-expectations.ts';
import { wildcardAssignedIds } from './observed-expectations.ts';

const on: ElementTarget = { name: 'Name', ladder: [{ by: 'name', value: 'name' }] };
const name: ScriptAction = { do: 'fill', on, value: 'Ada' };

test('replaces an assigned id with a wildcard and keeps an id that the script opens', () => {
  expect(wildcardAssignedIds('/customers/38', [{ do: 'goto', url: '/customers/new' }, name])).toBe('/customers/*');
  expect(wildcardAssignedIds('/customers/38?saved=1', [{ do: 'goto', url: '/customers/38/edit' }, name])).toBe(
    '/customers/38?saved=1',
  );
  expect(wildcardAssignedIds('/orders/10021', [{ do: 'goto', url: '/orders' }])).toBe('/orders/10021');
  expect(wildcardAssignedIds('/apply/2', [{ do: 'goto', url: '/apply/1' }, name])).toBe('/apply/2');
});

test('ignores rows that the scan did not see', () => {
  const line = (text: string) => ({ text, live: false, heading: false, main: true, row: /^\d/.test(text) });
  const rows = ['10021 €22.10', '10022 €23.80', '10023 €55.00'];
  const seen = {
    ...{
      url: '',
      title: '',
      names: [],
      invalid: [],
      alerts: [],
      hasPasswordField: false,
      fields: [],
      marked: [],
      fieldValues: {},
    },
    counts: { row: 4, listitem: 0, article: 0 },
    lines: ['Your orders', ...rows].map(line),
    items: rows,
    itemRole: 'row' as const,
  };
  const controls = ['10021', '10022'].map((name) => ({ name, role: 'link', kind: 'link', href: null, ladder: [] }));
  const kept = withoutTransientRows(seen, { class: 'view', controls }, { entered: [], unique: 'aaaa1111' });
  expect(kept.items).toEqual(rows.slice(0, 2));
  expect(kept.lines.map(({ text }) => text)).toEqual(['Your orders', ...rows.slice(0, 2)]);
  expect(withoutTransientRows(seen, { class: 'sort', controls }, { entered: [], unique: 'aaaa1111' })).toBe(seen);
});

test('expects only rows with entered values unless the use case is a list', () => {
  const line = (text: string, row = true) => ({ text, live: false, heading: false, main: true, row });
  const seen = {
    ...{
      url: '',
      title: '',
      names: [],
      invalid: [],
      alerts: [],
      hasPasswordField: false,
      fields: [],
      marked: [],
      fieldValues: {},
      items: [],
      itemRole: null,
    },
    counts: { row: 0, listitem: 0, article: 0 },
    lines: [line('The role was changed.', false), line('Viktor View editor'), line('Rosa Admin admin')],
  };
  const about = { class: 'edit' as const, controls: [] };
  const kept = withoutTransientRows(seen, about, { entered: ['editor'], unique: 'aaaa1111' });
  expect(kept.lines.map(({ text }) => text)).toEqual(['The role was changed.', 'Viktor View editor']);
  const made = { ...seen, lines: [line('Viktor View editor'), line('ada.aaaa1111@example.com editor')] };
  const own = withoutTransientRows(made, about, { entered: ['editor'], unique: 'aaaa1111' });
  expect(own.lines.map(({ text }) => text)).toEqual(['ada.aaaa1111@example.com editor']);
});

const line = (text: string) => ({ text, live: false, heading: false, main: true, row: false });
const looked = ({
  lines = [],
  ...facts
}: Partial<Omit<PageObservation, 'lines'>> & { lines?: string[] }): PageObservation => ({
  ...{ url: 'http://site.test/x', title: 'X', names: [], invalid: [], alerts: [], hasPasswordField: false },
  ...{
    fields: [],
    marked: [],
    fieldValues: {},
    items: [],
    itemRole: null,
    counts: { row: 0, listitem: 0, article: 0 },
  },
  lines: lines.map(line),
  ...facts,
});
const evidence: UseCaseEvidence = {
  ...{ class: 'contact', identity: 'x', confidence: 1, entryUrl: 'http://site.test/x', everywhere: false },
  ...{ needsLogin: false, signIn: null, steps: [], controls: [], stages: [], expected: [], signals: [] },
  state: { template: '/x', url: 'http://site.test/x', title: 'X', heading: 'Secret ledger', seen: 1 },
  form: { method: 'post', action: 'http://site.test/x', fields: [], submit: null },
};
const plan = basePlan({ title: 'T', evidence, promised: [], others: [] });

interface Played {
  outcome: CasePlan['expected']['outcome'];
  first: PageObservation;
  second?: PageObservation;
  before?: PageObservation;
  values?: Record<string, string>;
  status?: number;
  facts?: Partial<UseCaseEvidence>;
  isLiving?: boolean;
}

function played({
  outcome,
  first,
  second = first,
  before,
  values = {},
  status = 200,
  facts = {},
  isLiving = false,
}: Played): CaseRecording {
  const method = outcome === 'accepted' ? 'POST' : 'GET';
  return {
    plan: { ...plan, values, expected: { outcome, says: [] } },
    evidence: { ...evidence, ...facts },
    isLiving,
    draft: {
      ...newScriptDraft(),
      points: [{ after: 1, seen: first, files: [], requests: 1 }],
      before,
      fields: new Map(Object.keys(values).map((key) => [key, on])),
    },
    second: { after: 1, seen: second, files: [], requests: 1 },
    uniques: ['aaaaaaa1', 'bbbbbbb2'],
    sent: [{ method, path: '/x', status, opensPage: true }],
    ...{ hadFailures: false, baseUrl: 'http://site.test', isPrivate: () => false },
  };
}

test('expects one request per double click only if one was sent', () => {
  const twice = { ...played({ outcome: 'observed', first: looked({ lines: ['Kept'] }) }), hadFailures: true };
  const expected = (...methods: string[]) =>
    chooseExpectations({
      ...twice,
      plan: { ...twice.plan, send: 'twice' },
      sent: methods.map((method) => ({ method, path: '/x?at=1', status: 200, opensPage: true })),
    }).expectations.filter((one) => one.do === 'expectRequest');
  expect(expected('POST', 'GET')).toEqual([
    { do: 'expectRequest', method: 'POST', path: '/x', times: 1, oracle: 'observed' },
  ]);
  expect(expected('POST', 'POST')).toEqual([]);
  // A page of the form before this one may have gone the same way.
  const sent = ['POST', 'POST'].map((method) => ({ method, path: '/x', status: 200, opensPage: true }));
  const draft = { ...twice.draft, requestsBefore: 1 };
  expect(
    chooseExpectations({ ...twice, draft, sent, plan: { ...twice.plan, send: 'twice' } }).expectations,
  ).toContainEqual(expect.objectContaining({ do: 'expectRequest', times: 2 }));
});

describe('choose expectations without a session', () => {
  const entered = (first: PageObservation, more: Partial<Played> = {}) =>
    chooseExpectations(played({ outcome: 'refused-entry', first, ...more }));
  const ledger = ['Secret ledger', 'Balance 1,000 EUR'];

  test.each<[string, PageObservation]>([
    ['a login in its place', looked({ lines: ['Please log in'], hasPasswordField: true })],
    ['a landing page without a login', looked({ url: 'http://site.test/', lines: ['Welcome to our shop'] })],
    [
      'a login elsewhere with the same heading',
      looked({ url: 'http://site.test/login', lines: ledger.slice(0, 1), hasPasswordField: true }),
    ],
  ])('treats %s as access denied', (_, first) => {
    const { failure, expectations } = entered(first);
    expect(failure).toBeUndefined();
    expect(expectations).not.toContainEqual(expect.objectContaining({ do: 'expectText', text: 'Secret ledger' }));
  });

  test('reports a readable page as a contradiction, even with a login box above it', () => {
    for (const hasPasswordField of [false, true])
      expect(entered(looked({ lines: ledger, hasPasswordField })).failure).toEqual({
        kind: 'site contradicts',
        reason: 'The page is visible without a session.',
      });
    expect(entered(looked({ lines: ledger }), { status: 403 }).failure).toBeUndefined();
  });

  test('reports unknown when neither the page nor a login is shown', () => {
    expect(entered(looked({ lines: ['This is for members.'] })).failure).toMatchObject({ kind: 'too weak' });
    const facts = { state: { ...evidence.state, heading: '' } };
    const unnamed = looked({ lines: ['Balance 1,000 EUR'], hasPasswordField: true });
    expect(entered(unnamed, { facts }).failure).toMatchObject({ kind: 'too weak' });
  });
});

describe('choose expectations for valid data', () => {
  const before = looked({ lines: ['Sign up'], fields: ['username'] });
  const made = (unique: string) => looked({ lines: ['Welcome', `Account created for ada-${unique}.`] });
  const judged = (facts: Omit<Played, 'outcome'>) => chooseExpectations(played({ outcome: 'accepted', ...facts }));
  const username = {
    ...{ key: 'username', label: 'User name', kind: 'text', role: 'textbox', group: '', placeholder: '' },
    ...{ required: true, readOnly: false, value: '', checked: null, options: [], hidden: false, ladder: [] },
  };
  const form = { method: 'post' as const, action: 'http://site.test/x', fields: [username], submit: null };

  test('expects acceptance when both runs were accepted', () => {
    const { failure, expectations } = judged({ before, first: made('aaaaaaa1'), second: made('bbbbbbb2') });
    expect(failure).toBeUndefined();
    expect(expectations).toContainEqual({
      do: 'expectText',
      text: 'Account created for ada-{{unique}}.',
      oracle: 'observed',
    });
  });

  test('reports not repeatable when only the second run is rejected', () => {
    const alerts = ['This user name is taken already.'];
    const taken = looked({ lines: ['Sign up', ...alerts], fields: ['username'] });
    for (const second of [
      { ...taken, marked: ['username'] },
      { ...taken, alerts },
    ])
      expect(judged({ before, first: made('aaaaaaa1'), second }).failure).toMatchObject({ kind: 'not repeatable' });
  });

  test('blames the site, or an authored case, when the browser rejects the data', () => {
    const first = { ...before, invalid: [{ key: 'username', flags: ['tooShort' as const] }] };
    const recording = { ...played({ outcome: 'accepted', before, first, facts: { form } }), sent: [] };
    const authored = { ...recording, plan: { ...recording.plan, kind: 'authored' as const } };
    const failures = [recording, authored].map((one) => chooseExpectations(one).failure);
    expect(failures).toEqual([
      { kind: 'site contradicts', reason: 'The page rejects data that its constraints allow: username (tooShort).' },
      { kind: 'not carried out', reason: expect.stringMatching(/the data of this case: username \(tooShort\)/) },
    ]);
  });

  test('reports not repeatable for a rejected value that is too short to be unique', () => {
    const taken = looked({ lines: ['Sign up'], fields: ['username'], marked: ['username'] });
    const judgedWith = (value: string) => {
      const recording = played({
        outcome: 'accepted',
        before,
        first: taken,
        values: { username: value },
        facts: { form },
      });
      const expected = { ...recording.plan.expected, field: 'username' };
      return chooseExpectations({ ...recording, plan: { ...recording.plan, expected } }).failure?.kind;
    };
    expect(judgedWith('ada')).toBe('not repeatable');
    expect(judgedWith('ada-{{unique}}')).toBe('site contradicts');
  });

  test('accepts an alert whose number differs between the runs', () => {
    const placed = (number: string) =>
      looked({ lines: [`Order ${number} was placed.`, 'Thank you.'], alerts: [`Order ${number} was placed.`] });
    expect(judged({ before, first: placed('10021'), second: placed('10022') }).failure).toBeUndefined();
  });

  test('reports rejection when the form returns with the data and an alert', () => {
    const alerts = ['Choose a stronger password.'];
    const again = looked({
      lines: ['Sign up', ...alerts],
      alerts,
      fields: ['username'],
      fieldValues: { username: 'ada' },
    });
    expect(judged({ before, first: again, values: { username: 'ada' } }).failure).toMatchObject({
      kind: 'site contradicts',
      reason: expect.stringContaining('Choose a stronger password.'),
    });
    const empty = { ...again, fieldValues: { username: '' } };
    expect(judged({ before, first: empty, values: { username: 'ada' } }).failure).toBeUndefined();
  });

  test('rejects a script whose only outcome assertion is its own request', () => {
    expect(judged({ before, first: before }).failure).toMatchObject({ kind: 'too weak' });
    const elsewhere = looked({ url: 'http://site.test/thanks', lines: ['Sign up'] });
    expect(judged({ before, first: elsewhere }).failure).toBeUndefined();
  });
});

test('requires an outcome assertion after weakening', () => {
  const page = (path: string) => ({ do: 'expectUrl' as const, path, oracle: 'observed' as const });
  const post = { do: 'expectRequest' as const, method: 'POST' as const, path: '/x', oracle: 'specified' as const };
  const send: ScriptAction = { do: 'click', on, times: 1 };
  const begin: ScriptAction = { do: 'goto', url: '/x' };
  expect(
    assertsOutcome([begin, page('/x'), name, send, post, page('/x'), { do: 'expectNoErrors', oracle: 'observed' }]),
  ).toBe(false);
  expect(assertsOutcome([begin, page('/x'), name, send, post, page('/thanks')])).toBe(true);
  expect(assertsOutcome([begin, page('/x'), send, page('/x'), { ...post, method: 'GET' }])).toBe(true);
});

describe('choose expectations for a list that other tests change', () => {
  const row = (text: string) => ({ text, live: false, heading: false, main: true, row: true });
  const listing = (search: string, rows: string[], lines: string[]): PageObservation => {
    const seen = looked({ url: `http://site.test/x${search}`, lines });
    const counts = { row: rows.length, listitem: 0, article: 0 };
    return { ...seen, lines: [...seen.lines, ...rows.map(row)], items: rows, itemRole: 'row', counts };
  };
  const before = listing('', ['Ada active', 'Ben resting'], ['Founded 1950', '6 members']);
  const facts = { class: 'search' as const };
  const judged = (first: PageObservation, isLiving: boolean) =>
    chooseExpectations(played({ outcome: 'observed', before, first, facts, isLiving })).expectations;

  test('expects rows and their count only if no other test changes the list', () => {
    const found = listing('?q=ada', ['Ada active', 'Adam resting'], ['Founded 1950', '2 members']);
    const inRows = /Adam|2 members|6 members/;
    expect(JSON.stringify(judged(found, true))).not.toMatch(inRows);
    expect(JSON.stringify(judged(found, false))).toMatch(inRows);
  });

  test('expects the empty message and no rows', () => {
    const empty = listing('?q=zz', [], ['Founded 1950', 'Nobody was found']);
    for (const isLiving of [true, false]) {
      const expected = judged(empty, isLiving);
      expect(expected).toContainEqual({ do: 'expectText', text: 'Nobody was found', oracle: 'observed' });
      expect(expected).toContainEqual({ do: 'expectCount', role: 'row', count: 0, oracle: 'observed' });
      expect(JSON.stringify(expected)).not.toContain('Founded');
    }
  });
});

test('expects no query only if the page lost one in both runs', () => {
  const urlOf = (left: string, one: string, other: string) => {
    const [before, first, second] = [left, one, other].map((path) => looked({ url: `http://site.test${path}` }));
    if (!before || !first || !second) throw new Error('no looks');
    const recording = played({ outcome: 'observed', first, second });
    const points = [before, first].map((seen, i) => ({ after: i + 1, seen, files: [], requests: 1 }));
    const { expectations } = chooseExpectations({ ...recording, draft: { ...recording.draft, points } });
    return expectations.find((one) => one.do === 'expectUrl')?.path;
  };
  expect(urlOf('/items?status=open', '/items', '/items')).toBe('/items?');
  expect(urlOf('/items?saved=1', '/items?saved=1', '/items?saved=2')).toBe('/items');
  expect(urlOf('/items', '/items', '/items')).toBe('/items');
  expect(urlOf('/other?a=1', '/items', '/items')).toBe('/items');
});
