import { expect, test } from 'vitest';
import { testServer } from '../../../platform/page/test-support.ts';
import type { ElementTarget, ScriptStep } from '../../scripts/model/script-steps.ts';
import { projectSecretsFrom } from '../../secrets/project-secrets.ts';
import { classifyFailure } from '../classify-failure.ts';
import { createTestSessions } from '../session/test-support.ts';
import { defaultLimits } from './perform-action.ts';
import { playSteps } from './play-steps.ts';

const openTestPage = createTestSessions();

async function played(html: string, steps: readonly ScriptStep[], options: Parameters<typeof playSteps>[2]) {
  await using server = await testServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><title>T</title>${html}`);
  });
  await using session = await openTestPage(server.url);
  const outcomes = await playSteps(session, [{ do: 'goto', url: '/' }, ...steps], options);
  const current = await session
    .page()
    .evaluate(() => [...document.forms].map((form) => [...new FormData(form).entries()]));
  return { outcomes, held: current, title: await session.page().title(), steps: session.meter.steps };
}

const box = (name: string, id = name.toLowerCase()): ElementTarget => ({
  name,
  ladder: [
    { by: 'role', role: 'textbox', value: name },
    { by: 'id', value: id },
  ],
});
const form = `<form><label>First <input id="first" name="first"></label><label>Second <input id="second" name="second"></label>
  <label><input type="checkbox" id="on" name="on"> On</label><select name="one" aria-label="One"><option>a</option><option>b</option></select></form>`;
const entries: ScriptStep[] = [
  { do: 'fill', on: box('First'), value: '1' },
  { do: 'fill', on: box('Second'), value: '2' },
  {
    do: 'check',
    on: { name: 'On', ladder: [{ by: 'role', role: 'checkbox', value: 'On' }] },
    checked: true,
    hidden: false,
  },
  { do: 'select', on: { name: 'One', ladder: [{ by: 'role', role: 'combobox', value: 'One' }] }, options: ['b'] },
];
const filled = [
  [
    ['first', '1'],
    ['second', '2'],
    ['on', 'on'],
    ['one', 'b'],
  ],
];

test.each([true, false])('fills fields with the given values (together: %s)', async (together) => {
  const { outcomes, held: current, steps } = await played(form, entries, { together, pictures: true });
  expect(outcomes.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed', 'passed', 'passed']);
  expect(current).toEqual(filled);
  expect(steps).toBe(5);
  const pictures = new Set(outcomes.map(({ picture }) => picture));
  expect(pictures.has(undefined)).toBe(false);
  expect(pictures.size).toBe(together ? 2 : 5);
});

test.each([true, false])(
  'triggers a page change by selecting the current option again (together: %s)',
  async (together) => {
    const sorted = `<select aria-label="Sort by" onchange="location = '?sort=' + value"><option>name</option></select>`;
    const on: ElementTarget = { name: 'Sort by', ladder: [{ by: 'role', role: 'combobox', value: 'Sort by' }] };
    const steps: ScriptStep[] = [
      { do: 'select', on, options: ['name'] },
      { do: 'expectUrl', path: '/?sort=name', oracle: 'observed' },
    ];
    const { outcomes } = await played(sorted, steps, { together });
    expect(outcomes.map(({ status, error }) => error ?? status)).toEqual(['passed', 'passed', 'passed']);
  },
);

test('waits for late fields and heals renamed ones without filling others twice', async () => {
  const late = form.replace('Second <', '<').replace('id="second"', 'id="second" disabled aria-label="Renamed"');
  const {
    outcomes,
    held: current,
    title,
  } = await played(
    `${late}<script>
      let inputs = 0; first.addEventListener('input', () => { document.title = String(++inputs); });
      first.addEventListener('input', () => setTimeout(() => { second.disabled = false; }, 200));
    </script>`,
    [...entries, { do: 'expectValue', on: box('Second'), value: '2', oracle: 'observed' }],
    { together: true },
  );
  expect(outcomes.map(({ status, error }) => error ?? status)).toEqual(Array.from({ length: 6 }, () => 'passed'));
  expect(outcomes.map(({ healedBy }) => healedBy)).toEqual([undefined, undefined, 1, undefined, undefined, 1]);
  expect(current).toEqual(filled);
  expect(title).toBe('1');
});

test.each([true, false])('rejects a too short value as if it were typed (together: %s)', async (together) => {
  const { outcomes, title } = await played(
    `<form onsubmit="document.title = 'sent'; return false"><label>First <input id="first" minlength="3"></label>
      <label>Second <input id="second"></label><button>Send</button></form>`,
    [
      { do: 'fill', on: box('First'), value: 'Ad' },
      { do: 'fill', on: box('Second'), value: '2' },
      { do: 'click', on: { name: 'Send', ladder: [{ by: 'role', role: 'button', value: 'Send' }] }, times: 1 },
      { do: 'expectInvalid', on: box('First'), flag: 'tooShort', oracle: 'specified' },
    ],
    { together },
  );
  expect(outcomes.map(({ status, error }) => error ?? status)).toEqual(Array.from({ length: 5 }, () => 'passed'));
  expect(title).toBe('T');
});

test('continues in the previous tab after a button closes its own', async () => {
  const html = `<a href="/two" target="_blank">Two</a><button onclick="window.close()">Close</button>
    <button onclick="document.title = 'Back'">Go on</button>`;
  const press = (role: 'link' | 'button', value: string): ScriptStep => ({
    do: 'click',
    on: { name: value, ladder: [{ by: 'role', role, value }] },
    times: 1,
  });
  const at = (path: string): ScriptStep => ({ do: 'expectUrl', path, oracle: 'observed' });
  const steps = [press('link', 'Two'), at('/two'), press('button', 'Close'), at('/'), press('button', 'Go on')];
  const { outcomes, title } = await played(html, steps, {});
  expect(outcomes.map(({ status, opensTab, closesTab }) => [status, opensTab, closesTab])).toEqual([
    ['passed', undefined, undefined],
    ['passed', true, undefined],
    ['passed', undefined, undefined],
    ['passed', undefined, true],
    ['passed', undefined, undefined],
    ['passed', undefined, undefined],
  ]);
  expect(title).toBe('Back');
});

test('waits for a page that is still loading before going back', async () => {
  await using server = await testServer((_, response) => response.end('<!doctype html><title>T</title>'));
  await using session = await openTestPage(server.url);
  const page = session.page();
  const back = page.goBack.bind(page);
  page.goBack = async () => {
    page.goBack = back;
    throw new Error('page.goBack: Protocol error (Page.getNavigationHistory): Not attached to an active page');
  };
  const steps: ScriptStep[] = [
    { do: 'goto', url: '/one' },
    { do: 'goto', url: '/two' },
    { do: 'back' },
    { do: 'expectUrl', path: '/one', oracle: 'observed' },
  ];
  expect((await playSteps(session, steps)).map(({ status }) => status)).toEqual([
    'passed',
    'passed',
    'passed',
    'passed',
  ]);
});

test('distinguishes going back within a frame from a page timeout', async () => {
  await using server = await testServer((request, response) => {
    if (request.url === '/never') return;
    response.setHeader('content-type', 'text/html');
    const form = '<form action="/sent"><button>Send</button></form>';
    response.end(`<!doctype html><title>T</title>${request.url === '/' ? '<iframe src="/form"></iframe>' : form}`);
  });
  await using session = await openTestPage(server.url);
  const rungs = [{ by: 'role' as const, role: 'button', value: 'Send', frame: ['iframe'] }];
  const steps: ScriptStep[] = [
    { do: 'goto', url: '/' },
    { do: 'click', on: { name: 'Send', ladder: rungs }, times: 1 },
    { do: 'back' },
  ];
  const limits = { ...defaultLimits, pageMs: 2000 };
  const [, , back] = await playSteps(session, steps, { limits, settleAfter: () => true });
  const message =
    'Going back changed only a frame of the page. Remove the step, or test the page of the frame directly.';
  expect(back?.error).toMatchObject({ code: 'ONLY_FRAME', message });
  const [never] = await playSteps(session, [{ do: 'goto', url: '/never' }], { limits });
  expect(never?.error).toMatchObject({ code: 'TOO_SLOW', message: '/never did not load within 2 s.' });
});

test('stops waiting for a rate-limited page and reports the status', async () => {
  await using server = await testServer((_, response) => response.writeHead(429).end('<h1>Too many requests</h1>'));
  await using session = await openTestPage(server.url);
  const steps: ScriptStep[] = [
    { do: 'goto', url: '/form' },
    { do: 'fill', on: box('First'), value: '1' },
  ];
  const [opened] = await playSteps(session, steps);
  const message = 'The site answered GET /form with 429: too many requests. Replay later, or with fewer workers.';
  expect(opened).toMatchObject({ status: 'failed', error: { message } });
  const { failures, sent, happenings } = session;
  expect(opened && classifyFailure(opened, { failures, sent, happenings, isElsewhere: false, secrets: [] })).toEqual({
    failureClass: 'infrastructure',
    reason: message,
  });
});

test('gives up on an unresponsive page as an infrastructure failure', async () => {
  await using server = await testServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>T</title><button onclick="for (;;);">Go</button>');
  });
  await using session = await openTestPage(server.url);
  const steps: ScriptStep[] = [
    { do: 'goto', url: '/' },
    { do: 'click', on: { name: 'Go', ladder: [{ by: 'role', role: 'button', value: 'Go' }] }, times: 1 },
    { do: 'expectText', text: 'Gone', oracle: 'observed' },
  ];
  const outcomes = await playSteps(session, steps, { limits: { ...defaultLimits, stepMs: 3000 } });
  const failed = outcomes.find(({ status }) => status === 'failed');
  expect(failed?.error).toMatchObject({ code: 'NO_ANSWER' });
  const { failures, sent, happenings } = session;
  expect(
    failed && classifyFailure(failed, { failures, sent, happenings, isElsewhere: false, secrets: [] }),
  ).toMatchObject({
    failureClass: 'infrastructure',
  });
});

test('fills secrets together with other fields, on pages of the site only', async () => {
  const html = `<!doctype html><title>T</title><form><label>User <input name="user"></label>
    <label>Password <input name="password" type="password"></label></form>`;
  const answer: Parameters<typeof testServer>[0] = (request, response) => {
    if (request.url === '/away') return response.writeHead(302, { location: `${elsewhere.url}/` }).end();
    response.setHeader('content-type', 'text/html');
    response.end(html);
  };
  await using elsewhere = await testServer(answer);
  await using server = await testServer(answer);
  const values = new Map([
    ['NAME', 'kim@example.com'],
    ['PASSWORD', 'top-secret-93841'],
  ]);
  const rows = [...values.keys()].map((name) => ({ id: name, name, description: '' }));
  await using session = await openTestPage(server.url, projectSecretsFrom(rows, values));
  const fill = (label: string, secret: string): ScriptStep => ({
    ...{ do: 'fillSecret', secret },
    on: { name: label, ladder: [{ by: 'label', value: label }] },
  });
  const given = [fill('User', 'NAME'), fill('Password', 'PASSWORD')];
  const current = () =>
    session.page().evaluate(() => [...document.querySelectorAll('input')].map(({ value }) => value));
  const options = { pictures: true, together: true };
  const [, user, password] = await playSteps(session, [{ do: 'goto', url: '/' }, ...given], options);
  expect([user?.status, password?.status, await current()]).toEqual(['passed', 'passed', [...values.values()]]);
  expect(user?.picture).toBe(password?.picture);
  const [, refused] = await playSteps(session, [{ do: 'goto', url: '/away' }, ...given], options);
  expect(refused?.error).toMatchObject({ code: 'OTHER_SITE' });
  expect(await current()).toEqual(['', '']);
});
