import { execFile } from 'node:child_process';
import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findBrowser } from '../src/platform/browser/find.ts';
import { type GuestBook, startGuestBook } from './sites/guest-book.ts';
import { testHome } from './sites/workspace.ts';
import { scanEnvironment } from './support/accessibility.ts';
import { type Connection, connectStdio, type Result, root, runAssay } from './support/assay.ts';
import { type Folder, newFolder } from './support/folders.ts';
import { browsersOf, pidOf, type Qa, qaOn } from './support/qa.ts';

let folder: Folder;
let env: Record<string, string>;
let client: Connection;
let call: Qa['call'];
let ended: Qa['ended'];
let refusal: Qa['refusal'];
let site: GuestBook;
let projectId: string;
let useCaseId: string;
let scripts: Result[];

const replay = async (testScriptId: string, more: Record<string, unknown> = {}) =>
  ended('replay', await call('qa_workflow_start_test_script_replay', { projectId, testScriptId, ...more }));
/** All that a trace tells. */
const traceIn = async ({ trace }: Result): Promise<string> => {
  const { contents } = await client.readResource({ uri: `qa://artifacts/${trace}` });
  const [content] = contents;
  const entries = unzipSync(Buffer.from(content && 'blob' in content ? content.blob : '', 'base64'));
  return Object.values(entries)
    .map((entry) => strFromU8(entry))
    .join('\n');
};
const caseNamed = async (words: string): Promise<Result> => {
  const { data } = await call('qa_test_case_list_by_use_case', { useCaseId, pageSize: 100 });
  return data.find(({ title }: Result) => title.includes(words));
};
const happyScript = async (): Promise<Result> => scripts.find(({ name }) => name.includes('everything filled in'));

beforeAll(async () => {
  folder = await newFolder();
  env = await scanEnvironment(folder);
  site = await startGuestBook();
  client = await connectStdio('modern', { args: ['--toolsets', 'qa'], env });
  ({ call, ended, refusal } = qaOn(client));
  ({ projectId } = await call('qa_project_create', { projectName: 'Guest book', url: site.url }));
  const scan = { projectId, url: site.url, description: 'The form' };
  await ended('scan', await call('qa_workflow_start_website_scan', scan));
  const { useCaseCandidates } = await call('qa_use_case_discovery_memory_get', { projectId });
  const form = useCaseCandidates.find(({ comments }: Result) => comments[0].pageUrl.endsWith('/write'));
  await call('qa_use_case_candidates_approve', { projectId, approvedCandidateIds: [form.id] });
  ({ id: useCaseId } = (await call('qa_use_case_list', { projectId })).data[0]);
}, 120_000);
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

describe('test cases', { timeout: 60_000 }, () => {
  test('follow from the form’s own constraints, each with its oracle', async () => {
    const run = await ended('detection', await call('qa_workflow_start_test_case_detection', { projectId }));
    expect(run).toMatchObject({ status: 'succeeded', result: { useCases: 1 } });
    const { data } = await call('qa_test_case_list', { projectId, pageSize: 100 });
    const titles: string[] = data.map(({ title }: Result) => title);
    for (const words of [
      'everything filled in correctly',
      'Full name left empty',
      'Full name exactly 3 characters',
      'Full name 2 characters where 3 are the least',
      'Full name 31 characters where 30 are the most',
      'Email address not an email address',
      'Where from Far',
      'reload afterwards',
      'sent with a double click',
    ])
      expect(
        titles.filter((title) => title.endsWith(words)),
        words,
      ).toHaveLength(1);
    const empty = await caseNamed('Full name left empty');
    expect(empty).toMatchObject({ oracle: 'specified', expectedResult: expect.stringContaining('refused') });
    expect(await call('qa_test_case_get', { testCaseId: empty.id })).toMatchObject({
      data: { mail: expect.stringContaining('@'), name: '' },
      steps: expect.arrayContaining(['Leave Full name empty']),
    });
  });

  test('are not doubled by deriving them again', async () => {
    const before = await call('qa_test_case_list', { projectId, pageSize: 100 });
    const run = await ended('detection', await call('qa_workflow_start_test_case_detection', { projectId, useCaseId }));
    expect(run.result).toMatchObject({ added: 0, kept: before.totalCount });
    const after = await call('qa_test_case_list', { projectId, pageSize: 100 });
    expect(after.data.map(({ id }: Result) => id)).toEqual(before.data.map(({ id }: Result) => id));
    expect(await call('qa_workflow_list_test_case_detection_runtimes', { projectId })).toMatchObject({ totalCount: 2 });
  });

  test('of an empty project, and of use cases of others, are refused', async () => {
    const empty = await call('qa_project_create', { projectName: 'Empty' });
    for (const start of ['qa_workflow_start_test_case_detection', 'qa_workflow_start_test_script_generation'])
      expect(await refusal(start, { projectId: empty.projectId })).toMatchObject({ error: 'INVALID_ARGUMENT' });
    const foreign = { projectId: empty.projectId, useCaseId };
    expect(await refusal('qa_workflow_start_test_case_detection', foreign)).toMatchObject({
      error: 'NOT_FOUND',
      details: { field: 'useCaseId' },
    });
    expect(await refusal('qa_test_case_get', { testCaseId: 'tc_nowhere' })).toMatchObject({ error: 'NOT_FOUND' });
  });
});

describe('scripts', { timeout: 240_000 }, () => {
  test('are written by carrying the cases out, and the form receives what it would from people', async () => {
    const started = await call('qa_workflow_start_test_script_generation', { projectId });
    const run = await ended('generation', started);
    expect(run, JSON.stringify(run.result?.scripts)).toMatchObject({ status: 'succeeded', result: { failed: 0 } });
    const listed = await call('qa_test_script_list_paginated', { projectId, pageSize: 100, status: 'active' });
    scripts = listed.data;
    expect(listed.totalCount).toBe(run.result.active);
    expect(site.entries.length).toBeGreaterThan(5);
    for (const { name, mail } of site.entries) {
      expect(name.trim().length, name).toBeGreaterThanOrEqual(0);
      expect(name.length).toBeLessThanOrEqual(30);
      expect(mail).toContain('@');
    }
    const { id } = await caseNamed('everything filled in');
    const tool = 'qa_workflow_get_latest_test_script_generation_runtime_by_test_case';
    expect(await call(tool, { testCaseId: id })).toMatchObject({ workflowRuntimeId: started.workflowRuntimeId });
    // All cases have their scripts by now, so this one is about none of them.
    await ended('generation', await call('qa_workflow_start_test_script_generation', { projectId }));
    expect(await call(tool, { testCaseId: id })).toMatchObject({ workflowRuntimeId: started.workflowRuntimeId });
    expect(await refusal('qa_test_script_list_paginated', { projectId, useCaseId: 'uc_nowhere' })).toMatchObject({
      error: 'NOT_FOUND',
      details: { field: 'useCaseId' },
    });
  });

  test('expect what tells a working site from a broken one', async () => {
    const script = await call('qa_test_script_get', { testScriptId: (await happyScript()).id });
    expect(script.instructions.join('\n')).toMatch(
      /POST \/write was sent and answered[\s\S]*The page says “Your entry was kept/,
    );
    expect(script.mutations).toMatchObject([{ name: expect.any(String), noticed: expect.any(Number) }]);
    const refused = scripts.find(({ name }) => name.endsWith('Full name left empty'));
    const { steps } = await call('qa_test_script_get', { testScriptId: refused.id });
    expect(steps).toContainEqual(
      expect.objectContaining({ do: 'expectInvalid', flag: 'valueMissing', oracle: 'specified' }),
    );
    expect(steps).toContainEqual(expect.objectContaining({ do: 'expectNoRequest', method: 'POST' }));
  });

  test('run as files of their own under plain Playwright', async () => {
    const path = join(folder.path, 'exported');
    const exported = await call('qa_test_script_export', { projectId, path });
    expect(exported).toMatchObject({ tests: scripts.length, environment: ['BASE_URL'] });
    // One of each sort: sent, refused, cut, tried on the server, sent twice, reloaded.
    const sorts = /everything|Full name left empty\.|31 characters|past the page|double click|reload/;
    const wanted = scripts.filter(({ name }) => sorts.test(`${name}.`)).map(({ id }) => id);
    const files = exported.files.filter((file: string) => wanted.some((id) => file.includes(id.slice(-6))));
    symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'));
    const found = await findBrowser({ env: process.env, home: testHome });
    const program = join(root, 'node_modules/@playwright/test/cli.js');
    const env = { ...process.env, ...found?.env, PLAYWRIGHT_EXECUTABLE: found?.path ?? '', BASE_URL: site.url };
    const before = site.entries.length;
    const ran = await promisify(execFile)(process.execPath, [program, 'test', '--reporter=line', ...files], {
      cwd: path,
      env,
    }).catch((error: { stdout: string }) => ({ stdout: error.stdout }));
    expect(files.length).toBeGreaterThan(5);
    expect(ran.stdout).toContain(`${files.length} passed`);
    expect(site.entries.length).toBeGreaterThan(before);
    expect(readFileSync(join(path, 'README.md'), 'utf8')).toContain('npx playwright test');
  });
});

describe('a replay', { timeout: 90_000 }, () => {
  test('passes on the site as it was, with a picture of every step', async () => {
    const run = await replay((await happyScript()).id);
    expect(run).toMatchObject({ status: 'succeeded', verdict: 'passed' });
    expect(run.steps.every(({ status }: Result) => status === 'passed')).toBe(true);
    const { contents } = await client.readResource({ uri: run.steps[0].screenshotUrl });
    const [content] = contents;
    const bytes = Buffer.from(content && 'blob' in content ? content.blob : '', 'base64');
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
  });

  test('fails as a product defect when the site breaks, with a trace', async () => {
    const { id } = await happyScript();
    site.is.failing = true;
    const failing = await replay(id);
    site.is.failing = false;
    expect(failing).toMatchObject({ status: 'failed', verdict: 'failed', failureClass: 'product defect' });
    for (const { artifacts } of failing.result.attempts) expect(await traceIn(artifacts)).toMatch(/Send entry/);
    site.is.silent = true;
    const silent = await replay(id);
    site.is.silent = false;
    expect(silent).toMatchObject({ verdict: 'failed', failureClass: 'product defect' });
    expect(silent.error).toContain('Your entry was kept');
  });

  test('heals what was only renamed, and says so', async () => {
    site.is.redesigned = true;
    const run = await replay((await happyScript()).id);
    site.is.redesigned = false;
    expect(run).toMatchObject({ status: 'succeeded', verdict: 'passed' });
    expect(run.result.healed.length).toBeGreaterThan(0);
    expect(run.steps.some(({ healed }: Result) => healed)).toBe(true);
  });

  test('calls a page that is gone a stale script, and a site that is away infrastructure', async () => {
    const { id } = await happyScript();
    site.is.moved = true;
    expect(await replay(id)).toMatchObject({ verdict: 'failed', failureClass: 'stale script' });
    site.is.moved = false;
    expect(await replay(id, { baseUrl: 'http://127.0.0.1:9' })).toMatchObject({
      status: 'failed',
      verdict: 'inconclusive',
      failureClass: 'infrastructure',
    });
  });

  test('that fails only sometimes is flaky', async () => {
    site.is.moody = true;
    const run = await replay((await happyScript()).id);
    site.is.moody = false;
    expect(run).toMatchObject({ status: 'succeeded', verdict: 'flaky', lastMessage: 'flaky' });
    const [failed, passed] = run.result.attempts;
    expect(await traceIn(failed.artifacts)).toMatch(/Send entry/);
    expect(passed.artifacts).not.toHaveProperty('trace');
  });

  test('outlives its browser: what was begun is played again in another', async () => {
    const held = Promise.withResolvers<void>();
    site.hold = held.promise;
    const asked = site.requests.length;
    const start = 'qa_workflow_start_test_script_replay';
    const started = await call(start, { projectId, testScriptId: (await happyScript()).id });
    await vi.waitFor(() => expect(site.requests.length).toBeGreaterThan(asked), { timeout: 30_000 });
    const browsers = browsersOf(pidOf(client));
    expect(browsers).not.toEqual([]);
    for (const pid of browsers) process.kill(pid, 'SIGKILL');
    site.hold = undefined;
    held.resolve();
    const run = await ended('replay', started);
    expect(run).toMatchObject({ status: 'succeeded', verdict: 'passed' });
    expect(run.result.attempts).toMatchObject([{ passed: false }, { passed: true }]);
  });

  test('whose evidence cannot be kept says so, and the verdict before it stands', async () => {
    const { id } = await happyScript();
    const before = await call('qa_project_test_results_summary_get', { projectId });
    const pictures = join(folder.path, 'home', 'qa', projectId);
    renameSync(pictures, `${pictures}-aside`);
    writeFileSync(pictures, 'no folder');
    const run = await replay(id);
    rmSync(pictures);
    renameSync(`${pictures}-aside`, pictures);
    expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('evidence cannot be kept') });
    expect(await call('qa_project_test_results_summary_get', { projectId })).toEqual(before);
    expect(await replay(id)).toMatchObject({ verdict: 'passed' });
  });

  test('runs against another place of the same site', async () => {
    await using preview = await startGuestBook();
    const { id } = await happyScript();
    expect(await replay(id, { baseUrl: preview.url })).toMatchObject({ verdict: 'passed' });
    expect(preview.entries).toHaveLength(1);
    const before = await call('qa_project_test_results_summary_get', { projectId });
    preview.is.failing = true;
    const failed = await replay(id, { baseUrl: preview.url });
    expect(failed).toMatchObject({ verdict: 'failed', result: { baseUrl: preview.url } });
    // What a preview does says nothing of the site.
    expect(await call('qa_project_test_results_summary_get', { projectId })).toEqual(before);
  });

  test('of what does not exist, or is of another project, is refused', async () => {
    const other = await call('qa_project_create', { projectName: 'Other' });
    const start = 'qa_workflow_start_test_script_replay';
    expect(await refusal(start, { projectId, testScriptId: 'ts_nowhere' })).toMatchObject({ error: 'NOT_FOUND' });
    const { id } = await happyScript();
    expect(await refusal(start, { projectId: other.projectId, testScriptId: id })).toMatchObject({
      error: 'NOT_FOUND',
    });
  });
});

test('a pipeline runs what was generated, and its report shows the defect', { timeout: 120_000 }, async () => {
  const { testScriptId } = await happyScript();
  const page = join(folder.path, 'pipeline.html');
  const ci = () => runAssay(['ci', 'qa', '--project', projectId, '--scripts', testScriptId, '--html', page], { env });
  const good = await ci();
  expect(good.code, good.stdout + good.stderr).toBe(0);
  expect(good.stdout).toContain('1 of 1 passed');
  site.is.failing = true;
  try {
    const bad = await ci();
    expect(bad.code, bad.stdout + bad.stderr).toBe(1);
    expect(bad.stdout).toContain('everything filled in correctly');
  } finally {
    site.is.failing = false;
  }
  expect(readFileSync(page, 'utf8')).toMatch(/Everything filled in correctly[\s\S]*product defect/);
});

describe('summaries', () => {
  test('of nothing are zero', async () => {
    const { projectId: empty } = await call('qa_project_create', { projectName: 'Zero' });
    expect(await call('qa_project_test_results_summary_get', { projectId: empty })).toMatchObject({
      totalTests: 0,
      passed: 0,
      failed: 0,
      passRate: 0,
    });
    expect(await call('qa_project_test_scripts_summary_get', { projectId: empty })).toMatchObject({ totalScripts: 0 });
    expect(await call('qa_test_script_list', { projectId: empty })).toMatchObject({ data: [], totalPages: 0 });
  });

  test('tell each test’s latest run, page by page', async () => {
    const first = await call('qa_project_test_runs_summary_get', { projectId, pageSize: 5 });
    expect(first).toMatchObject({ totalCount: scripts.length, hasMore: true, runs: expect.any(Array) });
    expect(first.runs[0]).toMatchObject({ status: expect.stringMatching(/^TEST_REPLAY_/), useCaseId });
    const past = await call('qa_project_test_runs_summary_get', { projectId, page: 99 });
    expect(past.runs).toEqual([]);
    expect(await refusal('qa_test_script_list', { projectId, pageSize: 101 })).toMatchObject({
      error: 'INVALID_ARGUMENT',
    });
  });
});

describe('what an agent writes', { timeout: 120_000 }, () => {
  const on = (label: string) => ({ name: label, ladder: [{ by: 'label', value: label }] });
  const entry = [
    { do: 'goto', url: '/write' },
    { do: 'fill', on: on('Full name'), value: 'Grace' },
    { do: 'fill', on: on('Email address'), value: 'grace@example.com' },
    { do: 'click', on: { name: 'Send entry', ladder: [{ by: 'role', role: 'button', value: 'Send entry' }] } },
  ];
  let testCaseId: string;

  test('is a case like any other', async () => {
    const wish = {
      projectId,
      useCaseId,
      title: 'Grace writes',
      goal: 'Grace can write',
      expectedResult: 'She is thanked',
    };
    ({ testCaseId } = await call('qa_test_case_upsert', wish));
    expect((await call('qa_test_case_upsert', wish)).testCaseId).toBe(testCaseId);
    const wrong = { ...wish, title: 'Wrong', data: { nickname: 'x' } };
    expect(await refusal('qa_test_case_upsert', wrong)).toMatchObject({
      error: 'INVALID_ARGUMENT',
      details: { field: 'data' },
    });
  });

  test('becomes active only if it notices a broken page', async () => {
    const upsert = (steps: unknown[]) => call('qa_test_script_upsert', { projectId, testCaseId, steps });
    const blind = await ended(
      'generation',
      await upsert([...entry, { do: 'expectVisible', on: { name: 'main', ladder: [{ by: 'css', value: 'main' }] } }]),
    );
    expect(blind).toMatchObject({ status: 'failed', error: expect.stringContaining('noticed') });
    const sharp = await ended(
      'generation',
      await upsert([...entry, { do: 'expectText', text: 'Your entry was kept, Grace.' }]),
    );
    expect(sharp).toMatchObject({ status: 'succeeded', result: { active: 1 } });
    expect(site.entries).toContainEqual({ name: 'Grace', mail: 'grace@example.com', from: 'Near' });
  });

  test('must expect something, name secrets that exist, and a place that can be visited', async () => {
    const upsert = (steps: unknown[], more = {}) =>
      refusal('qa_test_script_upsert', { projectId, testCaseId, steps, ...more });
    const sound = [...entry, { do: 'expectText', text: 'Your entry was kept, Grace.' }];
    const nowhere = { error: 'INVALID_ARGUMENT', details: { field: 'baseUrl' } };
    expect(await upsert(sound, { baseUrl: `${site.url}/preview` })).toMatchObject(nowhere);
    expect(await upsert(sound, { baseUrl: 'nonsense' })).toMatchObject({ error: 'INVALID_ARGUMENT' });
    expect(await upsert(entry)).toMatchObject({ error: 'INVALID_ARGUMENT', details: { field: 'steps' } });
    expect(await upsert([{ do: 'dance' }])).toMatchObject({ error: 'INVALID_ARGUMENT' });
    const secret = { do: 'fillSecret', on: on('Full name'), secret: 'NOBODY' };
    expect(await upsert([...entry, secret, { do: 'expectText', text: 'x' }])).toMatchObject({
      error: 'INVALID_ARGUMENT',
    });
  });

  test('never shows a secret, and says when it is gone', async () => {
    const value = 'Hopper-4711-Grace';
    const { secretId } = await call('qa_secret_create', { projectId, name: 'VISITOR', value });
    const steps = [
      entry[0],
      { do: 'fillSecret', on: on('Full name'), secret: 'VISITOR' },
      entry[2],
      entry[3],
      { do: 'expectText', text: 'Your entry was kept, [secret:VISITOR].' },
    ];
    await ended('generation', await call('qa_test_script_upsert', { projectId, testCaseId, steps }));
    const { testScriptId } = await call('qa_test_case_get', { testCaseId });
    const script = await call('qa_test_script_get', { testScriptId });
    expect(script.spec).toContain("fill(process.env['VISITOR'] ?? '')");
    // The name is kept in the place of the value, for us as for plain Playwright.
    expect(JSON.stringify(script.steps)).toContain('Your entry was kept, [secret:VISITOR].');
    expect(script.spec).toMatch(/`Your entry was kept, \$\{process\.env\['VISITOR'\] \?\? ''\}\.`/);
    const passed = await replay(testScriptId);
    expect(passed).toMatchObject({ verdict: 'passed' });
    expect(site.entries.at(-1)?.name).toBe(value);
    site.is.failing = true;
    const failed = await replay(testScriptId);
    site.is.failing = false;
    expect(JSON.stringify([script, passed, failed])).not.toContain(value);
    const trace = await traceIn(failed.result.attempts[1].artifacts);
    expect(trace).toContain('Send entry');
    expect(trace).not.toContain(value);
    // What is recorded of a first attempt would lie about as it is.
    expect(failed.result.attempts[0].artifacts).not.toHaveProperty('trace');
    await call('qa_secret_delete', { secretId });
    const gone = await replay(testScriptId);
    expect(gone).toMatchObject({
      status: 'failed',
      verdict: 'inconclusive',
      error: expect.stringContaining('VISITOR'),
    });
  });
});
