import { afterAll, expect, test } from 'vitest';
import { testHome } from '../../../../test/sites/workspace.ts';
import { createBrowserPool } from '../../../platform/browser/browser-pool.ts';
import { testServer } from '../../../platform/page/test-support.ts';
import { deriveCases } from '../../cases/derive/derive-cases.ts';
import { newUsageMeter } from '../../runs/usage-meter.ts';
import type { FormField, UseCaseEvidence } from '../../scan/use-case-evidence.ts';
import { projectSecretsFrom } from '../../secrets/project-secrets.ts';
import { writeScript } from './write-script.ts';

const browserPool = createBrowserPool({ home: testHome });
afterAll(() => browserPool.close());

const page = (title: string, rest: string) =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1>${rest}</main>`;
const form = (label: string, button: string) =>
  `<form method="post"><label>${label} <input name="${label.toLowerCase()}" required></label>
  <button>${button}</button></form>`;

const name: FormField = {
  ...{ key: 'name', label: 'Name', kind: 'text', role: 'textbox', group: '', placeholder: '' },
  ...{ required: true, readOnly: false, value: '', checked: null, options: [], hidden: false },
  ladder: [{ by: 'label', value: 'Name' }],
};

function application(url: string): UseCaseEvidence {
  return {
    ...{ class: 'wizard', identity: 'x', confidence: 1, entryUrl: `${url}/one`, everywhere: false },
    ...{ needsLogin: false, signIn: null, steps: [], controls: [], stages: [], expected: [], signals: [] },
    state: { template: '/one', url: `${url}/one`, title: 'One', heading: 'One', seen: 1 },
    form: {
      ...{ method: 'post', action: `${url}/one`, fields: [name] },
      submit: {
        name: 'Continue',
        kind: 'submit',
        role: 'button',
        href: null,
        ladder: [{ by: 'role', role: 'button', value: 'Continue' }],
      },
    },
  };
}

test('double-clicks the last page of a form and expects one request', async () => {
  await using server = await testServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    const next = { '/one': '/two', '/two': '/done' }[request.url ?? ''];
    if (request.method === 'POST') return response.writeHead(303, { location: next }).end();
    const guarded = `<script>document.forms[0].onsubmit = (event) => {
      if (window.gone) event.preventDefault();
      window.gone = true;
    }</script>`;
    if (request.url === '/one') return response.end(page('One', form('Name', 'Continue')));
    if (request.url === '/two') return response.end(page('Two', form('Town', 'Submit') + guarded));
    return response.end(page('Done', '<p>Your application was received.</p>'));
  });
  const evidence = application(server.url);
  const derived = deriveCases({ title: 'Apply', evidence, promised: [], others: [] });
  const doubled = derived.find(({ key }) => key === 'state:double-submit');
  if (!doubled) throw new Error('no case sends it twice');
  const written = await writeScript(
    {
      ...{ browsers: async () => browserPool, inside: undefined, baseUrl: server.url, meter: newUsageMeter() },
      ...{ secrets: projectSecretsFrom([], new Map()), isPrivate: () => false },
    },
    { plan: doubled.plan, evidence, before: [], isLiving: false },
  );
  expect(written.failure).toBeUndefined();
  expect(written.steps.flatMap((step) => (step.do === 'click' ? [[step.on.name, step.times]] : []))).toEqual([
    ['Continue', 1],
    ['Submit', 2],
  ]);
  expect(written.steps).toContainEqual({
    ...{ do: 'expectRequest', method: 'POST', path: '/two', times: 1, oracle: 'observed' },
  });
});

test('reports not carried out when a login with project secrets asks again', async () => {
  const fields: FormField[] = [
    { ...name, key: 'user', label: 'User', ladder: [{ by: 'label', value: 'User' }] },
    { ...name, key: 'word', label: 'Word', kind: 'password', ladder: [{ by: 'label', value: 'Word' }] },
  ];
  const asks = (said: string) =>
    page(
      'Log in',
      `<p>${said}</p><form method="post"><label>User <input name="user"></label>
      <label>Word <input name="word" type="password"></label><button>Continue</button></form>`,
    );
  await using server = await testServer(async (request, response) => {
    response.setHeader('content-type', 'text/html');
    let body = '';
    for await (const piece of request) body += piece;
    if (request.method === 'GET' && request.url === '/one') return response.end(asks('Welcome.'));
    if (request.url === '/in') return response.end(page('Your pages', '<p>You are signed in.</p>'));
    if (new URLSearchParams(body).get('word') === 'open-sesame-1')
      return response.writeHead(303, { location: '/in' }).end();
    return response.end(asks('The name or the word is incorrect.'));
  });
  const seen = application(server.url);
  const evidence: UseCaseEvidence = { ...seen, class: 'login', form: seen.form && { ...seen.form, fields } };
  const account = { username: 'TEST_USER', password: 'TEST_PASSWORD' };
  const [happy] = deriveCases({ title: 'Log in', evidence, promised: [], others: [], account });
  if (!happy) throw new Error('no happy path');
  const rows = Object.values(account).map((secret) => ({ id: secret, name: secret, description: null }));
  const writtenWith = (password: string) =>
    writeScript(
      {
        ...{
          browsers: async () => browserPool,
          inside: undefined,
          baseUrl: server.url,
          meter: newUsageMeter(),
          isPrivate: () => false,
        },
        secrets: projectSecretsFrom(
          rows,
          new Map([
            ['TEST_USER', 'kim'],
            ['TEST_PASSWORD', password],
          ]),
        ),
      },
      { plan: happy.plan, evidence, before: [], isLiving: false },
    );
  expect((await writtenWith('open-sesame-2')).failure).toEqual({
    kind: 'not carried out',
    reason: expect.stringMatching(
      /TEST_USER and TEST_PASSWORD.*"The name or the word is incorrect\.".*qa_secret_update/,
    ),
  });
  expect((await writtenWith('open-sesame-1')).failure).toBeUndefined();
});
