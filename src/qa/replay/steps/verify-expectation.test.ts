import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { testServer } from '../../../platform/page/test-support.ts';
import type { ScriptStep } from '../../scripts/model/script-steps.ts';
import { createTestSessions } from '../session/test-support.ts';
import { defaultLimits } from './perform-action.ts';
import { type PlayOptions, playSteps } from './play-steps.ts';

const openTestPage = createTestSessions();

/** A page that posts on load. The test decides when the post is answered. */
async function posting(steps: readonly ScriptStep[], options: PlayOptions, answer: (response: ServerResponse) => void) {
  const posted: ServerResponse[] = [];
  await using server = await testServer((request, response) => {
    if (request.method === 'POST') return void posted.push(response);
    const script = `<script>fetch('/api', { method: 'POST' }).then(() => document.body.append(' Answered'), () => {})</script>`;
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>T</title><p>Here</p>${script}`);
  });
  await using session = await openTestPage(server.url);
  const outcomes = await playSteps(session, [{ do: 'goto', url: '/' }, ...steps], {
    ...options,
    async before(position) {
      if (position !== 1) return;
      await expect.poll(() => posted.length).toBe(1);
      for (const response of posted) answer(response);
    },
  });
  return outcomes.map(({ status, error }) => (error instanceof Error ? error.message : status));
}

const oracle = 'observed' as const;
const noPost: ScriptStep = { do: 'expectNoRequest', method: 'POST', path: '/api', oracle };

test('counts a request before its response arrives', async () => {
  const limits = { ...defaultLimits, expectMs: 200 };
  const outcomes = await posting(
    [noPost, { do: 'expectText', text: 'Here', oracle }],
    { limits, soft: true },
    () => {},
  );
  expect(outcomes).toEqual(['passed', expect.stringContaining('it was sent'), 'passed']);
});

test('waits for pending requests before it confirms an absence', async () => {
  const failing = (response: ServerResponse) => setImmediate(() => response.writeHead(500).end());
  const [, errors] = await posting([{ do: 'expectNoErrors', oracle }], {}, failing);
  expect(errors).toContain('POST /api was answered with 500');
  const [, text] = await posting(
    [{ do: 'expectNoText', text: 'Answered', oracle }],
    { limits: { ...defaultLimits, expectMs: 500 } },
    (response) => setImmediate(() => response.end()),
  );
  expect(text).toContain('The page does not say');
});

const files: Record<string, { status?: number; name: string; body: string }> = {
  '/report': { name: 'report-17.csv', body: '\uFEFFName;Sum\nAda;3\n' },
  '/empty': { name: 'empty.csv', body: '' },
  '/gone': { status: 500, name: 'gone.csv', body: 'Name;Sum' },
};

test.each<[string, Omit<Extract<ScriptStep, { do: 'expectDownload' }>, 'do' | 'oracle'>, string | RegExp]>([
  ['/report', { file: 'report-*.csv', begins: 'Name;Sum' }, 'passed'],
  ['/report', { file: 'report-17.csv' }, 'passed'],
  ['/report', { file: 'report.csv' }, /it is called "report-17\.csv"/],
  ['/report', { file: '*.csv', begins: 'Sum' }, /it begins with "Name;Sum Ada;3"/],
  ['/empty', { file: 'empty.csv' }, /it is empty/],
  ['/gone', { file: 'gone.csv' }, /it does not arrive/],
  ['/nothing', { file: '*' }, /no file is offered/],
])('checks downloads of %s against %o: %s', async (path, wanted, outcome) => {
  await using server = await testServer((request, response) => {
    const file = files[request.url ?? ''];
    if (!file) {
      const attribute = path === '/nothing' ? 'onclick="return false"' : `download="${files[path]?.name}"`;
      return response
        .setHeader('content-type', 'text/html')
        .end(`<!doctype html><a href="${path}" ${attribute}>Get</a>`);
    }
    const { status = 200, name, body } = file;
    response.writeHead(status, { 'content-type': 'text/csv', 'content-disposition': `attachment; filename="${name}"` });
    response.end(body);
  });
  await using session = await openTestPage(server.url);
  const get: ScriptStep = {
    ...{ do: 'click', times: 1, on: { name: 'Get', ladder: [{ by: 'role', role: 'link', value: 'Get' }] } },
  };
  const steps: ScriptStep[] = [{ do: 'goto', url: '/' }, get, { do: 'expectDownload', ...wanted, oracle }];
  const last = (await playSteps(session, steps, { limits: { ...defaultLimits, expectMs: 1500 } })).at(-1);
  expect(last?.error instanceof Error ? last.error.message : last?.status).toMatch(outcome);
});

test.each<[string, string, boolean]>([
  ['<tr><td>Ada</td><td>inactive</td></tr><tr><td>Ben</td><td>Inactive</td></tr>', 'inactive', true],
  ['<tr><td>Ada</td><td>inactive</td></tr><tr><td>Ben</td><td>active</td></tr>', 'active', false],
  ['<tr><td>Ada</td><td>lead</td></tr><tr hidden><td>Ben</td><td>active</td></tr>', 'lead', true],
  ['', 'lead', false],
])('checks that each row of %s contains %s: %s', async (rows, text, isSo) => {
  await using server = await testServer((_, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(`<!doctype html><table><thead><tr><th>Name</th></tr></thead><tbody>${rows}</tbody></table>`),
  );
  await using session = await openTestPage(server.url);
  const steps: ScriptStep[] = [
    { do: 'goto', url: '/' },
    { do: 'expectEach', role: 'row', text, oracle },
  ];
  const last = (await playSteps(session, steps, { limits: { ...defaultLimits, expectMs: 100 } })).at(-1);
  expect(last?.status).toBe(isSo ? 'passed' : 'failed');
});

test('finds a relabelled field by its name attribute and reports healing', async () => {
  const page = '<!doctype html><label>Your message <input name="message"></label><input name="other" hidden>';
  await using server = await testServer((_, response) => response.setHeader('content-type', 'text/html').end(page));
  await using session = await openTestPage(server.url);
  const seen = (value: string): ScriptStep => {
    const ladder = [
      { by: 'role' as const, role: 'textbox', value: 'Message' },
      { by: 'name' as const, value, tag: 'input' },
    ];
    return { do: 'expectVisible', on: { name: 'Message', ladder }, oracle };
  };
  const limits = { ...defaultLimits, expectMs: 100 };
  const steps: ScriptStep[] = [{ do: 'goto', url: '/' }, seen('message'), seen('other')];
  const outcomes = await playSteps(session, steps, { limits });
  expect(outcomes.slice(1)).toMatchObject([{ status: 'passed', healedBy: 1 }, { status: 'failed' }]);
});
