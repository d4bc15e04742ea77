import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { disguiser, disguisingSite, teller, telltale } from '../sites/apps/telltale.ts';
import { robbedShop, shopper, startThief } from '../sites/apps/thief.ts';
import { cleanPage, serveSite } from '../sites/serve.ts';
import { scanEnvironment } from '../support/accessibility/accessibility.ts';
import { type Connection, connectStdio, type Result } from '../support/assay.ts';
import { eventually } from '../support/eventually.ts';
import { type Folder, filesIn, newFolder } from '../support/folders.ts';
import { type Qa, qaOn } from '../support/qa/qa.ts';
import { rowsIn } from '../support/qa/qa-results.ts';

let folder: Folder;
let home: string;
let client: Connection;
let qa: Qa;
/** All logs and answers of the server, to search for secrets. */
const heard: { log: string; answers: string[] } = { log: '', answers: [] };
beforeAll(async () => {
  folder = await newFolder();
  const env = await scanEnvironment(folder);
  home = join(folder.path, 'home');
  client = await connectStdio('modern', { args: ['--toolsets', 'qa'], env: { ...env, ASSAY_LOG_LEVEL: 'trace' } });
  const { transport } = client;
  if (transport && 'stderr' in transport && transport.stderr instanceof Readable)
    transport.stderr.on('data', (chunk: Buffer) => {
      heard.log += chunk.toString();
    });
  const plain = qaOn(client);
  const call: Qa['call'] = async (name, args) => {
    const answer = await plain.call(name, args);
    heard.answers.push(JSON.stringify(answer));
    return answer;
  };
  qa = { ...plain, call };
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function newProject(facts: Record<string, unknown>, credentials = shopper): Promise<string> {
  const { projectId } = await qa.call('qa_project_create', { projectName: 'A site', ...facts });
  await qa.call('qa_secret_create', { projectId, name: 'TEST_USER_NAME', value: credentials.username });
  await qa.call('qa_secret_create', { projectId, name: 'TEST_USER_PASSWORD', value: credentials.password });
  return projectId;
}

async function scan(projectId: string, url: string, more: Record<string, unknown> = {}): Promise<Result> {
  const args = { projectId, url, description: 'Everything', ...more };
  return qa.ended('scan', await qa.call('qa_workflow_start_website_scan', args));
}

test.each([{ twoPages: false }, { twoPages: true }])(
  'blocks every way to send a typed password to another site: %j',
  async (how) => {
    await using thief = await startThief();
    await using shop = await serveSite(robbedShop(thief.url, how));
    const run = await scan(await newProject({ url: shop.url }), shop.url);
    expect(run).toMatchObject({ status: 'succeeded', result: { loggedIn: true } });
    const tried = new Set(shop.requests.filter((line) => line.startsWith('GET /tried?')).map((line) => line.slice(11)));
    expect([...tried]).toEqual(
      expect.arrayContaining(['fetch', 'beacon', 'socket', 'form', 'redirect', 'partner', 'newWorker', 'remembered']),
    );
    expect(thief.taken.length).toBeGreaterThan(0);
    expect(thief.taken.filter((line) => !/^GET \/(thief\.js|partner) $/.test(line))).toEqual([]);
    expect(run.result.notes.join('\n')).toMatch(/requests to other sites were blocked during the login/);
  },
);

test('types secrets only into the site of the project unless allowLogin is set', async () => {
  const asked: string[] = [];
  const login =
    '<form method="post" action="/login"><label>Email <input name="user" autocomplete="username"></label><label>Password <input type="password" name="pass"></label><button>Log in</button></form>';
  await using other = await serveSite((path, { method }) => {
    asked.push(`${method} ${path}`);
    return path === '/' ? cleanPage('Sign in', login) : undefined;
  });
  const projectId = await newProject({ url: 'https://shop.example' });
  const run = await scan(projectId, other.url);
  expect(run).toMatchObject({ status: 'succeeded', result: { loggedIn: false } });
  expect(run.result.notes.join('\n')).toContain('belong to https://shop.example');
  expect(asked.filter((line) => line.startsWith('POST'))).toEqual([]);
  await scan(projectId, other.url, { allowLogin: true });
  expect(asked).toContain('POST /login');
  // Without a project URL, the first scan defines the site.
  const nameless = await newProject({});
  await using first = await serveSite(() => cleanPage('Nothing', '<p>Nothing here.</p>'));
  await scan(nameless, first.url);
  const later = await scan(nameless, other.url);
  expect(later.result.notes.join('\n')).toContain(`belong to ${first.url}`);
});

test.each([
  ['as it is', telltale, teller, '/inside?p=[secret-form:TEST_USER_PASSWORD]'],
  ['in disguise', disguisingSite, disguiser, '/inside?p=[secret]'],
])(
  'a site that repeats the password everywhere %s gets it into nothing that is kept, logged or answered',
  async (_how, handler, credentials, landing) => {
    await using site = await serveSite(handler);
    const projectId = await newProject({ url: site.url }, credentials);
    const asked = { projectId, url: site.url, description: 'Everything' };
    const started = await qa.call('qa_workflow_start_website_scan', asked);
    // The checkpoint is written while the scan is behind the login.
    const underWay = await eventually(() => {
      const text = String(
        rowsIn(home, 'select checkpoint from qa_runs where project_id = ?', projectId)[0]?.['checkpoint'],
      );
      expect(text).toContain(landing);
      return `${text} ${JSON.stringify(rowsIn(home, 'select * from jobs'))}`;
    });
    const { workflowRuntimeId } = started;
    await qa.call('qa_workflow_get_website_scan_latest_run', { workflowRuntimeId });
    const run = await qa.ended('scan', started);
    expect(run).toMatchObject({ status: 'succeeded', result: { loggedIn: true } });
    heard.answers.push(JSON.stringify(run));
    const memory = await qa.call('qa_use_case_discovery_memory_get', { projectId });
    const approvedCandidateIds = memory.useCaseCandidates.map(({ id }: Result) => id);
    const { approved } = await qa.call('qa_use_case_candidates_approve', { projectId, approvedCandidateIds });
    for (const { useCaseId } of approved) await qa.call('qa_use_case_get', { useCaseId });
    await qa.call('qa_workflow_list_website_scan_runtimes', { projectId });
    await qa.ended('detection', await qa.call('qa_workflow_start_test_case_detection', { projectId }));
    for (const { useCaseId } of approved) await qa.call('qa_test_case_list_by_use_case', { useCaseId });
    const files = filesIn(home).map((path) => [path, readFileSync(path).toString('latin1')] as const);
    const contents = new Map([
      ['what is under way', underWay],
      ['the answers', heard.answers.join('\n')],
      ['the log', heard.log],
      ...files,
    ]);
    expect(files.some(([path]) => path.endsWith('.jpg'))).toBe(true);
    expect(heard.log).toContain('qa_workflow_start_website_scan');
    const forms = written(credentials.password).map((form) => form.toLowerCase());
    const letters = lettersOf(disguiser.password);
    for (const [where, kept] of contents) {
      const lower = kept.toLowerCase();
      for (const form of forms) {
        const at = lower.indexOf(form);
        const around = at < 0 ? '' : kept.slice(Math.max(0, at - 80), at + 80);
        expect(around, `${where}: ${form}`).toBe('');
      }
      const keptLetters = lettersOf(kept);
      for (const form of [letters, [...letters].toReversed().join('')])
        expect(keptLetters.includes(form), `${where}: ${form}`).toBe(false);
    }
  },
);

/** Letters and digits only, without markup and escapes. */
function lettersOf(kept: string): string {
  return kept
    .replaceAll(/<[^<>]*>|\\+(?:[nrt]|u[0-9a-f]{4})|%[0-9a-f]{2}|&#?\w+;/gi, '')
    .replaceAll(/[^0-9a-z]/gi, '')
    .toLowerCase();
}

/** Encodings of a value, as bytes. */
function written(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const html = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  const bytes = Buffer.from(value);
  const forms = [
    ...[value, json, JSON.stringify(json).slice(1, -1), html, JSON.stringify(html).slice(1, -1)],
    ...[encodeURI(value), encodeURIComponent(value), new URLSearchParams({ v: value }).toString().slice(2)],
    ...[bytes.toString('base64').slice(0, -4), bytes.toString('base64url').slice(0, -4), bytes.toString('hex')],
    Buffer.from(`x${value}`).toString('base64').slice(4, -4),
    Buffer.from(`xx${value}`).toString('base64').slice(4, -4),
  ];
  return forms.map((form) => Buffer.from(form).toString('latin1'));
}
