import { afterAll, expect, test } from 'vitest';
import { testHome } from '../../../../test/sites/workspace.ts';
import { createBrowserPool } from '../../../platform/browser/browser-pool.ts';
import { testServer } from '../../../platform/page/test-support.ts';
import { newUsageMeter } from '../../runs/usage-meter.ts';
import { projectSecretsFrom } from '../../secrets/project-secrets.ts';
import { type ScriptExpectation, type ScriptStep, scriptSteps as stepsShape } from '../model/script-steps.ts';
import { checkAssertionQuality, trialFromStart, wasAlreadyTrue } from './assertion-quality.ts';
import { mutantsForSteps } from './mutants.ts';

const line = { live: false, heading: false, main: true, row: false };
const pageBefore = {
  seen: {
    ...{
      url: 'http://site.test/contact?from=home',
      title: '',
      names: [],
      invalid: [],
      alerts: [],
      hasPasswordField: false,
    },
    ...{
      fields: ['email'],
      marked: [],
      items: ['Ada open', 'Ben open'],
      itemRole: 'row' as const,
      fieldValues: {},
      counts: { row: 3, listitem: 0, article: 0 },
    },
    lines: [{ ...line, text: 'Write to us.' }],
  },
  sent: [{ method: 'GET', path: '/contact?from=home', status: 200, opensPage: true }],
};
const session = { baseUrl: 'http://site.test', fillIn: (text: string) => text.replaceAll('{{unique}}', 'aaaa1111') };
const oracle = 'observed' as const;
const byName = (value: string) => ({ name: value, ladder: [{ by: 'name' as const, value }] });

test.each<[string, boolean, ScriptExpectation]>([
  ['the address', true, { do: 'expectUrl', path: '/contact', oracle }],
  ['another address', false, { do: 'expectUrl', path: '/contact/sent', oracle }],
  ['what was said', true, { do: 'expectText', text: 'Write to us.', oracle }],
  ['what was not said yet', false, { do: 'expectText', text: 'Thank you, {{unique}}', oracle }],
  ['what is still there', false, { do: 'expectNoText', text: 'Write', oracle }],
  ['how many rows there were', true, { do: 'expectCount', role: 'row', count: 3, oracle }],
  ['another number of rows', false, { do: 'expectCount', role: 'row', count: 2, oracle }],
  ['a field that was there', true, { do: 'expectVisible', on: byName('email'), oracle }],
  ['a field that was not', false, { do: 'expectVisible', on: byName('phone'), oracle }],
  ['a file that was not offered', false, { do: 'expectDownload', file: '*', oracle }],
  ['what stood in each row', true, { do: 'expectEach', role: 'row', text: 'Open', oracle }],
  ['what stood in some', false, { do: 'expectEach', role: 'row', text: 'Ada', oracle }],
  ['what stood in other elements', false, { do: 'expectEach', role: 'listitem', text: 'Open', oracle }],
  ['a request that was not sent', false, { do: 'expectRequest', method: 'POST', path: '/contact', oracle }],
  ['that nothing was sent', true, { do: 'expectNoRequest', method: 'POST', path: '/contact', oracle }],
  ['that nothing failed', true, { do: 'expectNoErrors', oracle }],
])('decides whether an expectation held before the last action: %s', (_, isTrue, expectation) => {
  expect(wasAlreadyTrue(pageBefore, expectation, session)).toBe(isTrue);
});

const browserPool = createBrowserPool({ home: testHome });
afterAll(() => browserPool.close());

async function proven(steps: ScriptStep[]) {
  await using site = await testServer((_, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(
        '<!doctype html><title>T</title><label><input type="checkbox"> Terms</label><button onclick="said.textContent = \'Sent\'">Send</button><p id="said"></p>',
      ),
  );
  const options = { browsers: async () => browserPool, inside: undefined, baseUrl: site.url, meter: newUsageMeter() };
  const trial = trialFromStart(
    { ...options, secrets: projectSecretsFrom([], new Map()), isPrivate: () => false },
    steps,
  );
  return await checkAssertionQuality(steps, mutantsForSteps(steps), trial);
}

const named = (role: string, value: string) => ({ name: value, ladder: [{ by: 'role' as const, role, value }] });
const never: ScriptStep = { do: 'expectNoText', text: 'this text can never be there', oracle };

test('counts failed expectations only, not a failed last action', async () => {
  const terms: ScriptStep = { do: 'check', on: named('checkbox', 'Terms'), checked: true, hidden: false };
  const { failure } = await proven([{ do: 'goto', url: '/' }, terms, never]);
  expect(failure).toMatchObject({ kind: 'too weak' });
});

test.each([
  ['is not there', { by: 'label' as const, value: 'Nowhere' }, /^Step 3, .*Nowhere.*: .*(not found|not on the page)/],
  ['cannot be looked for', { by: 'css' as const, value: '(((' }, /^Step 3, .*Nowhere.*: .*\(\(\(/],
])('reports the step whose element %s, including the last step', async (_, rung, reason) => {
  const terms: ScriptStep = { do: 'check', on: named('checkbox', 'Terms'), checked: true, hidden: false };
  const nowhere: ScriptStep = { do: 'fill', on: { name: 'Nowhere', ladder: [rung] }, value: 'x' };
  const { failure } = await proven([{ do: 'goto', url: '/' }, terms, nowhere, never]);
  expect(failure?.reason).toMatch(reason);
});

test('lists the expectations that did not notice a mutant', async () => {
  const send: ScriptStep = { do: 'click', on: named('button', 'Send'), times: 1 };
  const said: ScriptStep = { do: 'expectText', text: 'Sent', oracle };
  const { failure, mutants } = await proven([{ do: 'goto', url: '/' }, send, said, never]);
  expect(failure).toBeUndefined();
  const unnoticedBy = ['The page does not say “this text can never be there”'];
  expect(mutants).toEqual([{ name: 'the control does nothing', noticed: 1, unnoticedBy }]);
});

test.each(['expectText', 'expectNoText'])('rejects %s with an empty text', (what) => {
  expect(stepsShape.safeParse([{ do: what, text: ' ' }]).success).toBe(false);
});
