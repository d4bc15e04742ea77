import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ScriptStep } from '../../src/qa/scripts/model/script-steps.ts';
import { cleanPage, type ServedSite, serveSite } from '../sites/serve.ts';
import { scanEnvironment } from '../support/accessibility/accessibility.ts';
import { type Connection, connectStdio, type Result } from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';
import { ranAlone } from '../support/qa/plain-playwright.ts';
import { addScripts, type Qa, qaOn } from '../support/qa/qa.ts';

/** Longer than the texts in step descriptions, so that it would be cut. */
const token = `tok-${'4711'.repeat(20)}-end`;
const is = { price: 10, loginElsewhere: false };

let folder: Folder;
let env: Record<string, string>;
let client: Connection;
let qa: Qa;
let site: ServedSite;
/** Another site, which the first one has to do with. */
let partner: ServedSite;
let projectId: string;
let ids: Record<string, string> = {};
const toPartner: string[] = [];

const field = (value: string) => ({ name: value, ladder: [{ by: 'label' as const, value }] });
const press = (role: 'button' | 'link', value: string): ScriptStep => ({
  do: 'click',
  on: { name: value, ladder: [{ by: 'role', role, value }] },
  times: 1,
});
const login = '<form action="/in"><label>Password <input name="pass"></label><button>Log in</button></form>';

const pages: Record<string, () => string | { status: number; headers: Record<string, string> }> = {
  '/price': () =>
    cleanPage('Price', `<p>It costs ${is.price}</p><iframe src="http://127.0.0.1:9/" title="Ad"></iframe>`),
  '/counted': () => cleanPage('Counted', `<script>fetch('${partner.url}/count', { mode: 'no-cors' })</script>`),
  '/login': () =>
    is.loginElsewhere
      ? { status: 302, headers: { location: `${partner.url}/login` } }
      : cleanPage('Log in', `${login}<p>Nobody yet</p>`),
  '/in': () => cleanPage('Welcome'),
  '/echo': () =>
    cleanPage(
      'Echo',
      '<label>Token <input oninput="said.textContent = this.value"></label><button onclick="done.textContent = \'Kept\'">Keep</button><p id="said"></p><p id="done"></p>',
    ),
  '/help': () => cleanPage('Help', '<p>How it works</p><button onclick="window.close()">Close</button>'),
  '/spoken': () =>
    cleanPage(
      'Spoken',
      `<button onclick="confirm('Really?') && alert('It is gone')">Take away</button><button onclick="alert('Forgotten')">Forget</button>`,
    ),
  '/tab': () =>
    cleanPage(
      'Tab',
      `<a href="/help" target="_blank">Help</a><button onclick="done.textContent = 'Thanks'">Understood</button><p id="done"></p><form method="post" action="${partner.url}/subscribe"><button>Subscribe</button></form>`,
    ),
};

const scripts: Record<string, { steps: ScriptStep[]; secrets?: string[] }> = {
  price: {
    steps: [
      { do: 'goto', url: '/price' },
      { do: 'expectText', text: 'It costs 10', oracle: 'observed' },
    ],
  },
  counted: {
    steps: [
      { do: 'goto', url: '/counted' },
      { do: 'expectText', text: 'Counted', oracle: 'observed' },
      { do: 'expectNoErrors', oracle: 'observed' },
    ],
  },
  login: {
    steps: [
      { do: 'goto', url: '/login' },
      { do: 'fillSecret', on: field('Password'), secret: 'API_TOKEN' },
      press('button', 'Log in'),
      { do: 'expectText', text: 'Welcome', oracle: 'observed' },
    ],
    secrets: ['API_TOKEN'],
  },
  echo: {
    steps: [
      { do: 'goto', url: '/echo' },
      { do: 'fill', on: field('Token'), value: '[secret:API_TOKEN]' },
      { do: 'expectText', text: 'It is [secret:API_TOKEN]', oracle: 'observed' },
    ],
    secrets: ['API_TOKEN'],
  },
  tab: { steps: [{ do: 'goto', url: '/tab' }] },
  spoken: { steps: [{ do: 'goto', url: '/spoken' }] },
  elsewhere: { steps: [{ do: 'goto', url: '/tab' }] },
};

beforeAll(async () => {
  folder = await newFolder();
  env = await scanEnvironment(folder);
  partner = await serveSite(async (path, request) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    toPartner.push(`${path} ${Buffer.concat(chunks)}`);
    if (path === '/count') return { status: 500 };
    return path === '/subscribe' ? cleanPage('Subscribed') : cleanPage('Log in', login);
  });
  site = await serveSite((path) => pages[path.split('?')[0] ?? '']?.());
  client = await connectStdio('modern', { args: ['--toolsets', 'qa'], env });
  qa = qaOn(client);
  ({ projectId } = await qa.call('qa_project_create', { projectName: 'Verdicts', url: site.url }));
  await qa.call('qa_secret_create', { projectId, name: 'API_TOKEN', value: token });
  const known = Object.entries(scripts).map(([name, script]) => ({ name, ...script }));
  const added = await addScripts(env['ASSAY_HOME'] ?? '', projectId, site.url, known);
  ids = Object.fromEntries(known.map(({ name }, i) => [name, added[i] ?? '']));
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await partner[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const replay = async (name: string): Promise<Result> =>
  qa.ended(
    'replay',
    await qa.call('qa_workflow_start_test_script_replay', { projectId, testScriptId: ids[name] ?? '' }),
  );

test('reports a product defect despite an unreachable frame', async () => {
  expect(await replay('price')).toMatchObject({ verdict: 'passed' });
  is.price = 12;
  expect(await replay('price')).toMatchObject({ verdict: 'failed', result: { failureClass: 'product defect' } });
});

test('ignores server errors of other sites', async () => {
  expect(await replay('counted')).toMatchObject({ verdict: 'passed' });
  expect(toPartner).toContain('/count ');
});

test('enters no secret on another site and names that site', async () => {
  expect(await replay('login')).toMatchObject({ verdict: 'passed' });
  is.loginElsewhere = true;
  const run = await replay('login');
  expect(run).toMatchObject({
    verdict: 'failed',
    error: expect.stringContaining(partner.url),
    result: { failureClass: 'product defect' },
  });
  expect(toPartner.some((line) => line.startsWith('/login'))).toBe(true);
  expect(toPartner.join('\n')).not.toContain(token);
});

test('redacts a secret entered by a plain step, also in parts', async () => {
  const run = await replay('echo');
  expect(run).toMatchObject({ verdict: 'failed' });
  expect(run.result.attempts[0].artifacts).not.toHaveProperty('trace');
  const script = await qa.call('qa_test_script_get', { testScriptId: ids['echo'] ?? '' });
  expect(script.latestRun.steps[1].description).toContain('[secret:API_TOKEN]');
  expect(JSON.stringify([run, script])).not.toContain(token.slice(0, 12));
});

async function written(name: string, steps: unknown[]): Promise<void> {
  const { testCaseId } = await qa.call('qa_test_script_get', { testScriptId: ids[name] ?? '' });
  const run = await qa.ended(
    'generation',
    await qa.call('qa_test_script_upsert', { projectId, testCaseId, steps, baseUrl: site.url }),
  );
  expect(run, run.error).toMatchObject({ status: 'succeeded', result: { active: 1 } });
  const { data } = await qa.call('qa_test_script_list', { projectId, pageSize: 100 });
  const mine = data.filter((script: Result) => script.testCaseId === testCaseId);
  ids[name] = mine.at(-1)?.id;
}

/** One that did not become active, since it notices nothing. */
async function blindScript(): Promise<string> {
  const { useCaseId } = await qa.call('qa_test_script_get', { testScriptId: ids['tab'] ?? '' });
  const testCase = { projectId, useCaseId, title: 'Blind', goal: 'Look', expectedResult: 'It is there' };
  const { testCaseId } = await qa.call('qa_test_case_upsert', testCase);
  const steps = [
    { do: 'goto', url: '/tab' },
    { do: 'expectNoText', text: 'this can never be there' },
  ];
  await qa.ended(
    'generation',
    await qa.call('qa_test_script_upsert', { projectId, testCaseId, steps, baseUrl: site.url }),
  );
  return (await qa.call('qa_test_case_get', { testCaseId })).testScriptId;
}

/** How many of the tests in an export pass under plain Playwright, which has nothing but the file `.env` to go by. */
test('exports tabs, dialogs, cross-origin requests and sign-in to plain Playwright', async () => {
  const open = { do: 'goto', url: '/tab' };
  await written('tab', [
    open,
    press('link', 'Help'),
    { do: 'expectUrl', path: '/help' },
    { do: 'expectText', text: 'How it works' },
    press('button', 'Close'),
    { do: 'expectUrl', path: '/tab' },
    press('button', 'Understood'),
    { do: 'expectText', text: 'Thanks' },
  ]);
  const sent = { method: 'POST', path: `${partner.url}/subscribe` };
  await written('elsewhere', [
    open,
    press('button', 'Subscribe'),
    { do: 'expectRequest', ...sent },
    { do: 'expectText', text: 'Subscribed' },
  ]);
  await written('spoken', [
    { do: 'goto', url: '/spoken' },
    { ...press('button', 'Take away'), confirms: true },
    { do: 'expectDialog', text: 'It is gone' },
    // Nothing is asked before it.
    { ...press('button', 'Forget'), confirms: true },
    { do: 'expectDialog', text: 'Forgotten' },
  ]);
  const path = join(folder.path, 'exported');
  const blind = await blindScript();
  const testScriptIds = [ids['tab'], ids['spoken'], ids['elsewhere'], ids['login'], blind];
  const exported = await qa.call('qa_test_script_export', { projectId, path, testScriptIds });
  expect(exported).toMatchObject({ tests: 4, skipped: [{ testScriptId: blind, status: 'failed' }], removed: [] });
  writeFileSync(join(path, '.env'), `BASE_URL=${site.url}\nAPI_TOKEN=${token}\n`);
  is.loginElsewhere = false;
  expect(await ranAlone(path)).toContain('4 passed');
  is.loginElsewhere = true;
  expect(await ranAlone(path)).toContain(`No secret is entered on ${partner.url}`);
  expect(toPartner.join('\n')).not.toContain(token);
});
