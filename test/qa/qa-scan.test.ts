import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { matchGoldList } from '../../bench/discovery/gold-match.ts';
import { crawlRecord } from '../../src/qa/scan/crawl/crawl-state.ts';
import { matchesTemplate } from '../../src/qa/scan/site-urls.ts';
import { harmfulPath } from '../../src/qa/scan/words/url-words.ts';
import { type App, apps, startBackOffice, startShop } from '../sites/apps/apps.ts';
import { hostileSite } from '../sites/apps/hostile.ts';
import { answersAtOnce, appScript, drawnFrom, visitor } from '../sites/apps/logins.ts';
import { scriptedSite } from '../sites/apps/scripted.ts';
import { findProduct } from '../sites/apps/shop/goods.ts';
import { member, twoPageLogin } from '../sites/apps/two-pages.ts';
import { cleanPage, serveSite } from '../sites/serve.ts';
import { scanEnvironment } from '../support/accessibility/accessibility.ts';
import { type Connection, callOn, connectStdio, type Result, runAssay } from '../support/assay.ts';
import { eventually } from '../support/eventually.ts';
import { type Folder, filesIn, newFolder } from '../support/folders.ts';
import { pidOf } from '../support/qa/qa.ts';
import { rowsIn } from '../support/qa/qa-results.ts';

type Call = (name: string, args?: Record<string, unknown>) => Promise<Result>;

let folder: Folder;
let env: Record<string, string>;
let client: Connection;
let call: Call;
const answers: Result[] = [];
beforeAll(async () => {
  folder = await newFolder();
  env = await scanEnvironment(folder);
  client = await connectStdio('modern', { args: ['--toolsets', 'qa'], env });
  const ask = callOn(client);
  call = async (name, args) => {
    const answer = await ask(name, args);
    answers.push(answer);
    return answer;
  };
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function newProject(facts: Record<string, unknown> = {}, credentials?: App['credentials']): Promise<string> {
  const { projectId } = await call('qa_project_create', { projectName: 'A site', ...facts });
  if (credentials) {
    await call('qa_secret_create', { projectId, name: 'TEST_USER_NAME', value: credentials.username });
    await call('qa_secret_create', { projectId, name: 'TEST_USER_PASSWORD', value: credentials.password });
  }
  return projectId;
}

async function scan(projectId: string, url: string, more: Record<string, unknown> = {}): Promise<Result> {
  const started = await call('qa_workflow_start_website_scan', { projectId, url, description: 'Everything', ...more });
  return ended(started.workflowRuntimeId);
}

async function ended(workflowRuntimeId: string, ask: Call = call): Promise<Result> {
  const latest = () => ask('qa_workflow_get_website_scan_latest_run', { workflowRuntimeId });
  return eventually(async () => {
    const run = await latest();
    expect(run.status).toMatch(/succeeded|failed|cancelled/);
    return run;
  });
}

const memoryOf = (projectId: string): Promise<Result> => call('qa_use_case_discovery_memory_get', { projectId });
const classesIn = ({ useCaseCandidates }: Result): string[] =>
  useCaseCandidates.map(({ useCase }: Result) => useCase.useCaseClass);
const sentTo = ({ requests }: App) => requests.filter(({ method }) => method !== 'GET');

/** Compares candidates with the gold list, and checks that no harmful path was requested. */
function meetsTheBars({ gold, requests }: App, { useCaseCandidates }: Result): void {
  const likely = useCaseCandidates.filter(({ status }: Result) => status === 'candidate');
  const claims = likely.map(({ useCase }: Result) => {
    const path = new URL(useCase.url).pathname;
    const entries = gold.map(({ entry }) => entry).filter((entry) => entry === path || matchesTemplate(entry, path));
    return { class: useCase.useCaseClass, page: entries.includes(path) ? path : (entries[0] ?? path) };
  });
  const { recall, precision } = matchGoldList(gold, claims);
  expect(recall).toBeGreaterThanOrEqual(0.85);
  expect(precision).toBeGreaterThanOrEqual(0.8);
  expect(requests.filter(({ path }) => harmfulPath.test(path))).toEqual([]);
}

describe('scan of a back office', () => {
  let office: App;
  let projectId: string;
  let run: Result;
  beforeAll(async () => {
    office = await startBackOffice();
    projectId = await newProject({ testRequirements: 'Test login, import and two-factor tokens' }, office.credentials);
    const text =
      '# Needs\n\nREQ-1: An editor must be able to delete a customer.\n\nREQ-2: The system shall print barcodes on parcels.\n';
    const contentBase64 = Buffer.from(text).toString('base64');
    await call('qa_prd_file_upload', { projectId, fileName: 'needs.md', contentBase64, contentType: 'text/markdown' });
    run = await scan(projectId, office.url, { description: 'Customer management, invoices by fax' });
  });
  afterAll(() => office[Symbol.asyncDispose]());

  test('signs in with the secrets of the project and scans the pages behind the login', async () => {
    expect(run).toMatchObject({ status: 'succeeded', progress: 100, result: { loggedIn: true } });
    const found = classesIn(await memoryOf(projectId));
    for (const name of [
      'login',
      'logout',
      'search',
      'filter',
      'sort',
      'pagination',
      'create',
      'edit',
      'delete',
      'upload',
    ])
      expect(found, name).toContain(name);
  });

  test('sends nothing but the login', () => {
    expect(sentTo(office).map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /login']);
    expect(office.requests.filter(({ path }) => /logout|delete/.test(path))).toEqual([]);
  });

  test('returns evidence: page, note and a readable screenshot', async () => {
    const { useCaseCandidates } = await memoryOf(projectId);
    const login = useCaseCandidates.find(({ useCase }: Result) => useCase.useCaseClass === 'login');
    expect(login).toMatchObject({ status: 'candidate', useCase: { title: 'Log in' } });
    const [comment] = login.comments;
    expect(comment).toMatchObject({ pageUrl: `${office.url}/login`, notes: expect.stringContaining('password') });
    const { contents } = await client.readResource({ uri: comment.screenshotUrl });
    const [picture] = contents;
    const bytes = picture && 'blob' in picture ? Buffer.from(picture.blob, 'base64') : Buffer.alloc(0);
    expect(bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff');
    expect(readFileSync(comment.screenshotFile)).toEqual(bytes);
  });

  test('reports requirements without a use case as gaps', async () => {
    const { gaps } = await memoryOf(projectId);
    const asked = gaps.map(({ requirement }: Result) => requirement);
    expect(asked).toContain('two-factor tokens');
    expect(asked).toContain('invoices by fax');
    expect(asked).not.toContain('Test login');
    expect(gaps.find(({ ref }: Result) => ref === 'REQ-2')).toMatchObject({ requirementId: expect.any(String) });
    expect(gaps.find(({ ref }: Result) => ref === 'REQ-1')).toBeUndefined();
  });

  test('meets recall and precision against the gold list', async () => {
    meetsTheBars(office, await memoryOf(projectId));
  });

  test('merges with earlier candidates, keeps decisions and reopens archived ones', async () => {
    const before = (await memoryOf(projectId)).useCaseCandidates;
    const [approved, dropped, open] = before;
    await call('qa_use_case_candidates_approve', { projectId, approvedCandidateIds: [approved.id] });
    await call('qa_use_case_candidates_drop', { projectId, candidateIds: [dropped.id] });
    const title = 'Fax an invoice';
    const proposed = await call('qa_use_case_candidate_propose', { projectId, title, description: 'As it says' });
    const again = await scan(projectId, office.url, { archiveUnapproved: true, description: 'Paging through lists' });
    expect(again.result).toMatchObject({ added: 0, merged: before.length });
    const after = (await memoryOf(projectId)).useCaseCandidates;
    const statuses = new Map<string, string>(after.map(({ id, status }: Result) => [id, status]));
    expect(statuses.size).toBe(before.length + 1);
    expect(statuses.get(approved.id)).toBe('graduated');
    expect(statuses.get(dropped.id)).toBe('dropped');
    expect(statuses.get(proposed.id)).toBe('dropped');
    expect(statuses.get(open.id)).toBe(open.status);
    // Best first, by the description of the newest scan.
    const indexIn = (list: Result[], name: string) => list.findIndex(({ useCase }) => useCase.useCaseClass === name);
    expect(indexIn(after, 'pagination')).toBeLessThan(indexIn(before, 'pagination'));
  });

  test('leaves no secret value in answers or files', () => {
    const { username, password } = office.credentials;
    const forms = [password, encodeURIComponent(password), Buffer.from(password).toString('base64')];
    expect(JSON.stringify(answers)).not.toMatch(new RegExp(`\\b${username}\\b`));
    for (const form of forms) expect(JSON.stringify(answers)).not.toContain(form);
    for (const file of filesIn(env['ASSAY_HOME'] ?? '')) {
      const bytes = readFileSync(file);
      // Four letters may occur in an image by chance.
      const values = file.endsWith('.jpg') ? forms : [...forms, username];
      for (const value of values) expect(bytes.includes(value), file).toBe(false);
    }
  });

  test('is listed with its runs', async () => {
    const { data, totalCount } = await call('qa_workflow_list_website_scan_runtimes', { projectId });
    expect(totalCount).toBe(2);
    expect(data[0]).toMatchObject({ projectId, status: 'active', latestRun: { status: 'succeeded' } });
  });

  test('removes the gaps of a deleted document', async () => {
    const asked = async () => JSON.stringify(await memoryOf(projectId)).match(/"req_\w+"/g) ?? [];
    expect((await asked()).length).toBeGreaterThan(1);
    const { data } = await call('qa_prd_file_list_by_project', { projectId });
    for (const { prdFileId } of data) await call('qa_prd_file_delete', { projectId, prdFileId });
    expect(await asked()).toEqual([]);
  });
});

test.concurrent('scans a shop from the command line', async () => {
  await using shop = await startShop();
  const projectId = await newProject({}, shop.credentials);
  const args = { projectId, url: shop.url, description: 'Cart and checkout' };
  const { stdout, code } = await runAssay(
    ['call', 'qa_workflow_start_website_scan', '--wait', '--json', JSON.stringify(args)],
    { env },
  );
  expect(code, stdout).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'succeeded', result: { loggedIn: true } });
  const memory = await memoryOf(projectId);
  for (const name of ['add-to-cart', 'cart', 'checkout', 'sign-up', 'reset-password', 'newsletter', 'contact'])
    expect(classesIn(memory), name).toContain(name);
  // The example product must be in stock.
  const buying = memory.useCaseCandidates.find(({ useCase }: Result) => useCase.useCaseClass === 'add-to-cart');
  expect(findProduct(new URL(buying.useCase.url).pathname.split('/').at(-1))?.stock).toBeGreaterThan(0);
  // Required use cases come first.
  const order = classesIn(memory);
  expect(order.indexOf('checkout')).toBeLessThan(order.indexOf('newsletter'));
  expect(sentTo(shop).map(({ path }) => path)).toEqual(['/account/login']);
  meetsTheBars(shop, memory);
});

test.concurrent('scans a public service site without sending anything', async () => {
  await using service = await apps.service.start();
  const projectId = await newProject();
  expect(await scan(projectId, service.url)).toMatchObject({ status: 'succeeded' });
  meetsTheBars(service, await memoryOf(projectId));
  expect(sentTo(service)).toEqual([]);
});

describe.concurrent('scan of a site', () => {
  test('that is down fails and keeps earlier candidates', async () => {
    const projectId = await newProject();
    await call('qa_use_case_candidate_propose', { projectId, title: 'Log in', description: 'As it says' });
    const run = await scan(projectId, 'http://127.0.0.1:9/', { archiveUnapproved: true });
    expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('ERR_') });
    expect((await memoryOf(projectId)).useCaseCandidates).toMatchObject([{ status: 'candidate' }]);
    const args = { projectId, url: 'http://127.0.0.1:9/', description: 'The login' };
    const line = ['call', 'qa_workflow_start_website_scan', '--wait', '--json', JSON.stringify(args)];
    const { code, stdout } = await runAssay(line, { env });
    expect([code, JSON.parse(stdout).status]).toEqual([1, 'failed']);
  });

  test('that shows only a captcha fails', async () => {
    await using site = await serveSite(hostileSite);
    const run = await scan(await newProject(), `${site.url}/wall`);
    expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('captcha') });
  });

  test('that scripts render sees the rendered pages and sends nothing', async () => {
    await using site = await serveSite(scriptedSite);
    const projectId = await newProject();
    // The user name is also a word of the site.
    await call('qa_secret_create', { projectId, name: 'TEST_USER_NAME', value: 'admin' });
    const run = await scan(projectId, `${site.url}/admin`);
    expect(run.status, run.error).toBe('succeeded');
    const { useCaseCandidates } = await memoryOf(projectId);
    const found = useCaseCandidates.map(({ useCase, status }: Result) => [status, useCase.useCaseClass, useCase.url]);
    const at = (path: string) => `${site.url}/admin${path}`;
    for (const [name, url] of [
      ['login', at('#/enter')],
      ['calculator', at('#/salary')],
      ['sort', at('#/jobs')],
      ['pagination', at('#/jobs')],
      ['view', at('#/jobs/1')],
      ['contact', at('/contact')],
      ['newsletter', at('/contact')],
      ['booking', at('/contact')],
    ])
      expect(found).toContainEqual(['candidate', name, url]);
    expect(found).toHaveLength(9);
    expect(site.requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
    expect(site.requests).not.toContain('GET /admin/logout');
  });

  test('with user name and password on two pages signs in', async () => {
    await using site = await serveSite(twoPageLogin);
    const projectId = await newProject({}, member);
    const run = await scan(projectId, site.url);
    expect(run).toMatchObject({ status: 'succeeded', result: { loggedIn: true } });
    expect(classesIn(await memoryOf(projectId))).toContain('contact');
    const sent = new Set(site.requests.filter((request) => request.startsWith('POST ')));
    expect([...sent]).toEqual(['POST /login', 'POST /login/password']);
  });

  test('whose login reloads the page or is rendered by a foreign script signs in', async () => {
    await using elsewhere = await serveSite(appScript);
    await using atOnce = await serveSite(answersAtOnce);
    await using drawn = await serveSite(drawnFrom(elsewhere.url));
    for (const site of [atOnce, drawn]) {
      const projectId = await newProject({}, visitor);
      const run = await scan(projectId, site.url);
      expect(run, site.url).toMatchObject({ status: 'succeeded', result: { loggedIn: true } });
      expect(classesIn(await memoryOf(projectId))).toContain('contact');
    }
  });

  test('that ends the session signs in again', async () => {
    await using office = await startBackOffice({ endsSessionAt: '/users' });
    const projectId = await newProject({}, office.credentials);
    const run = await scan(projectId, office.url, { maxPages: 10 });
    expect(run.status).toBe('succeeded');
    expect(run.result.notes.join('\n')).toContain('ended the session');
    expect(classesIn(await memoryOf(projectId))).toContain('settings');
    expect(sentTo(office).every(({ path }) => path === '/login')).toBe(true);
  });

  test('that rejects the credentials covers its public pages', async () => {
    await using office = await startBackOffice();
    const projectId = await newProject({}, { username: 'rosa', password: 'not-the-password' });
    const run = await scan(projectId, office.url);
    expect(run).toMatchObject({ status: 'succeeded', result: { loggedIn: false } });
    expect(run.result.notes.join('\n')).toContain('does not accept the login');
    const [login, ...others] = (await memoryOf(projectId)).useCaseCandidates;
    expect([login.useCase.useCaseClass, others]).toEqual(['login', []]);
    // Another scan archives the candidate; after a drop it stays dropped.
    await using elsewhere = await serveSite(() => cleanPage('Nothing', '<p>Nothing here.</p>'));
    const nothing = await scan(projectId, elsewhere.url, { archiveUnapproved: true });
    expect(nothing.result.notes).toEqual([expect.stringContaining('No known use case was found')]);
    await call('qa_use_case_candidates_drop', { projectId, candidateIds: [login.id] });
    expect((await scan(projectId, office.url)).result).toMatchObject({ added: 0, merged: 1 });
    expect((await memoryOf(projectId)).useCaseCandidates).toMatchObject([{ id: login.id, status: 'dropped' }]);
  });
});

describe.concurrent('interrupted scan', () => {
  test('ends on cancellation, saves its findings and sends no more requests', async () => {
    await using office = await startBackOffice({ delayMs: 150 });
    const projectId = await newProject({}, office.credentials);
    const args = { projectId, url: office.url, description: 'Teleport' };
    const started = await call('qa_workflow_start_website_scan', args);
    // Pages are visited one by one, so a page behind the login means that the login was seen.
    await expect.poll(() => office.requests.map(({ path }) => path)).toContain('/customers');
    // A secret cannot be renamed while a run uses it.
    const { data: secrets } = await call('qa_secret_list', { projectId });
    const renaming = call('qa_secret_update', { secretId: secrets[0].secretId, name: 'OTHER' });
    await expect(renaming).rejects.toThrow(/still uses the secret/);
    const cancelled = await call('qa_workflow_cancel_run', { workflowRunId: started.workflowRunId });
    expect(cancelled.status).toBe('cancelled');
    const asked = office.requests.length;
    const memory = await memoryOf(projectId);
    expect(classesIn(memory)).toContain('login');
    // An incomplete scan does not prove absence.
    expect(memory.gaps).toMatchObject([
      { requirement: 'Teleport', reason: expect.stringContaining('it was cancelled') },
    ]);
    await call('qa_workflow_cancel_run', { workflowRunId: started.workflowRunId });
    expect(office.requests.length).toBe(asked);
  });

  test('resumes after the worker is killed', async () => {
    await using office = await startBackOffice({ delayMs: 50 });
    await using own = await newFolder();
    const ownEnv = await scanEnvironment(own);
    const first = await connectStdio('modern', { args: ['--toolsets', 'qa'], env: ownEnv });
    const ask = callOn(first);
    const { projectId } = await ask('qa_project_create', { projectName: 'Killed' });
    const { username, password } = office.credentials;
    await ask('qa_secret_create', { projectId, name: 'USER', value: username });
    await ask('qa_secret_create', { projectId, name: 'PASSWORD', value: password });
    const args = { projectId, url: office.url, description: 'All of it' };
    const { workflowRuntimeId } = await ask('qa_workflow_start_website_scan', args);
    const visits = (path: string) => office.requests.filter((request) => request.path === path).length;
    await expect.poll(() => writtenDown(join(own.path, 'home'))).toContain(`${office.url}/customers`);
    process.kill(pidOf(first), 'SIGKILL');
    const before = visits('/customers');
    await using second = await connectStdio('modern', { args: ['--toolsets', 'qa'], env: ownEnv });
    const run = await ended(workflowRuntimeId, callOn(second));
    expect(run).toMatchObject({ status: 'succeeded', result: { loggedIn: true } });
    // The new browser signs in again but visits no recorded page twice.
    expect(visits('/login')).toBeGreaterThan(2);
    expect(visits('/customers')).toBe(before);
    const memory = await callOn(second)('qa_use_case_discovery_memory_get', { projectId });
    for (const name of ['login', 'sort', 'create', 'edit', 'delete']) expect(classesIn(memory), name).toContain(name);
  });
});

/** Pages in the checkpoint of a running scan. */
function writtenDown(home: string): string[] {
  const [run] = rowsIn(home, 'select checkpoint from qa_runs');
  return crawlRecord.safeParse(JSON.parse(String(run?.['checkpoint']))).data?.pages.map(({ state }) => state.url) ?? [];
}
