import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GuestBook } from '../sites/guest-book.ts';
import type { Result } from '../support/assay.ts';
import { ranAlone } from '../support/qa/plain-playwright.ts';
import type { Qa } from '../support/qa/qa.ts';
import { startTestedGuestBook, type TestedGuestBook } from '../support/qa/tested-guest-book.ts';

let book: TestedGuestBook;
let call: Qa['call'];
let ended: Qa['ended'];
let refusal: Qa['refusal'];
let caseNamed: TestedGuestBook['caseNamed'];
let site: GuestBook;
let projectId: string;
let useCaseId: string;
let scripts: Result[];
const happyScript = (): Result => scripts.find(({ name }) => name.includes('everything filled in'));

beforeAll(async () => {
  book = await startTestedGuestBook();
  ({ call, ended, refusal, caseNamed, site, projectId, useCaseId } = book);
});
afterAll(() => book[Symbol.asyncDispose]());

describe('test case detection', () => {
  test('derives cases from form constraints, each with its oracle', async () => {
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

  test('adds no duplicates on a second run', async () => {
    const before = await call('qa_test_case_list', { projectId, pageSize: 100 });
    const run = await ended('detection', await call('qa_workflow_start_test_case_detection', { projectId, useCaseId }));
    expect(run.result).toMatchObject({ added: 0, kept: before.totalCount });
    const after = await call('qa_test_case_list', { projectId, pageSize: 100 });
    expect(after.data.map(({ id }: Result) => id)).toEqual(before.data.map(({ id }: Result) => id));
    expect(await call('qa_workflow_list_test_case_detection_runtimes', { projectId })).toMatchObject({ totalCount: 2 });
  });

  test('rejects empty projects and use cases of other owners', async () => {
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

describe('script generation', () => {
  test('records scripts by carrying out the cases in the form', async () => {
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

  test('writes expectations that detect a broken site', async () => {
    const testScriptId = happyScript().id;
    const script = await call('qa_test_script_get', { testScriptId, projectId });
    expect(JSON.stringify(script.steps)).toContain('{{unique}}');
    expect(JSON.stringify(script.instructions)).not.toContain('{{unique}}');
    const other = await call('qa_project_create', { projectName: 'Other' });
    for (const elsewhere of [other.projectId, 'proj_nowhere'])
      expect(await refusal('qa_test_script_get', { testScriptId, projectId: elsewhere })).toMatchObject({
        error: 'NOT_FOUND',
      });
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

  test('exports scripts that run under plain Playwright', async () => {
    const path = join(book.folder.path, 'exported');
    const exported = await call('qa_test_script_export', { projectId, path });
    expect(exported).toMatchObject({ tests: scripts.length, environment: ['BASE_URL'] });
    // One of each sort: sent, refused, cut, tried on the server, sent twice, reloaded.
    const sorts = /everything|Full name left empty\.|31 characters|past the page|double click|reload/;
    const wanted = scripts.filter(({ name }) => sorts.test(`${name}.`)).map(({ id }) => id);
    const files = exported.files.filter((file: string) => wanted.some((id) => file.includes(id.slice(-6))));
    const before = site.entries.length;
    expect(files.length).toBeGreaterThan(5);
    expect(await ranAlone(path, { args: files, env: { BASE_URL: site.url } })).toContain(`${files.length} passed`);
    expect(site.entries.length).toBeGreaterThan(before);
    expect(readFileSync(join(path, 'README.md'), 'utf8')).toContain('npx playwright test');
  });
});

describe('summaries', () => {
  test('are zero for an empty project', async () => {
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

  test('list the latest run of each test in pages', async () => {
    const { steps } = await book.replay(happyScript().id);
    // Values that differ in each run are described in words.
    expect(JSON.stringify(steps)).not.toContain('{{unique}}');
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
