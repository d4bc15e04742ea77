import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GuestBook, startGuestBook } from '../sites/guest-book.ts';
import { type Result, runAssay } from '../support/assay.ts';
import { skipRetryDelays } from '../support/jobs/job-retries.ts';
import { browsersOf } from '../support/processes.ts';
import { pidOf, type Qa } from '../support/qa/qa.ts';
import { startTestedGuestBook, type TestedGuestBook } from '../support/qa/tested-guest-book.ts';

let book: TestedGuestBook;
let call: Qa['call'];
let ended: Qa['ended'];
let refusal: Qa['refusal'];
let replay: TestedGuestBook['replay'];
let traceIn: TestedGuestBook['traceIn'];
let site: GuestBook;
let projectId: string;
/** The script of the form that is filled in as it should be. */
let scriptId: string;
let testCaseId: string;

beforeAll(async () => {
  book = await startTestedGuestBook();
  ({ call, ended, refusal, replay, traceIn, site, projectId } = book);
  // The parameters of later versions of the product's clients.
  const later = { projectId, url: site.url, workflowParams: { memory: { enableSharedTestMemory: true } } };
  const detection = { ...later, name: 'Cases', description: 'All of them' };
  await ended('detection', await call('qa_workflow_start_test_case_detection', detection));
  ({ id: testCaseId } = await book.caseNamed('everything filled in'));
  const { goal, instructions, expectedResult } = await call('qa_test_case_get', { testCaseId });
  const generation = { ...later, testCaseId, goal, precondition: '', instructions, expectedResult };
  const run = await ended('generation', await call('qa_workflow_start_test_script_generation', generation));
  expect(run).toMatchObject({ status: 'succeeded', result: { active: 1 } });
  ({ testScriptId: scriptId } = await call('qa_test_case_get', { testCaseId }));
});
afterAll(() => book[Symbol.asyncDispose]());

describe('replay', () => {
  test('passes on the unchanged site with a screenshot of every step', async () => {
    const run = await replay(scriptId);
    expect(run).toMatchObject({ status: 'succeeded', verdict: 'passed' });
    expect(run.steps.every(({ status }: Result) => status === 'passed')).toBe(true);
    const { contents } = await book.client.readResource({ uri: run.steps[0].screenshotUrl });
    const [content] = contents;
    const bytes = Buffer.from(content && 'blob' in content ? content.blob : '', 'base64');
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
  });

  test('reports a broken site as a product defect with a trace', async () => {
    site.is.failing = true;
    const failing = await replay(scriptId);
    site.is.failing = false;
    expect(failing).toMatchObject({ status: 'failed', verdict: 'failed', failureClass: 'product defect' });
    for (const { artifacts } of failing.result.attempts) expect(await traceIn(artifacts)).toMatch(/Send entry/);
    site.is.silent = true;
    const silent = await replay(scriptId);
    site.is.silent = false;
    expect(silent).toMatchObject({ verdict: 'failed', failureClass: 'product defect' });
    expect(silent.error).toContain('Your entry was kept');
  });

  test('heals renamed elements and reports it', async () => {
    site.is.redesigned = true;
    const run = await replay(scriptId);
    const bulk = await book.startBulk({ projectId, testScriptIds: [scriptId] });
    await ended('bulk', bulk);
    site.is.redesigned = false;
    expect(run).toMatchObject({ status: 'succeeded', verdict: 'passed' });
    expect(await book.summary(bulk.runBatchId)).toMatchObject({ passed: 1, healed: 1 });
    expect(run.result.healed.length).toBeGreaterThan(0);
    expect(run.steps.some(({ healed }: Result) => healed)).toBe(true);
  });

  test('classifies a missing page as stale script and a stopped site as infrastructure', async () => {
    site.is.moved = true;
    expect(await replay(scriptId)).toMatchObject({ verdict: 'failed', failureClass: 'stale script' });
    site.is.moved = false;
    expect(await replay(scriptId, { baseUrl: 'http://127.0.0.1:9' })).toMatchObject({
      status: 'failed',
      verdict: 'inconclusive',
      failureClass: 'infrastructure',
    });
  });

  test('reports an intermittent failure as flaky', async () => {
    site.is.moody = true;
    const run = await replay(scriptId);
    site.is.moody = false;
    expect(run).toMatchObject({ status: 'succeeded', verdict: 'flaky', lastMessage: 'flaky' });
    const [failed, passed] = run.result.attempts;
    expect(await traceIn(failed.artifacts)).toMatch(/Send entry/);
    expect(passed.artifacts).not.toHaveProperty('trace');
  });

  test('restarts in a new browser after a crash', async () => {
    const gate = Promise.withResolvers<void>();
    site.hold = gate.promise;
    const asked = site.requests.length;
    const start = 'qa_workflow_start_test_script_replay';
    const started = await call(start, { projectId, testScriptId: scriptId });
    await expect.poll(() => site.requests.length).toBeGreaterThan(asked);
    const browsers = browsersOf(pidOf(book.client));
    expect(browsers).not.toEqual([]);
    for (const pid of browsers) process.kill(pid, 'SIGKILL');
    site.hold = undefined;
    gate.resolve();
    const run = await ended('replay', started);
    expect(run).toMatchObject({ status: 'succeeded', verdict: 'passed' });
    expect(run.result.attempts).toMatchObject([{ passed: false }, { passed: true }]);
  });

  test('reports evidence that cannot be saved and keeps the earlier verdict', async () => {
    const before = await call('qa_project_test_results_summary_get', { projectId });
    const pictures = join(book.folder.path, 'home', 'qa', projectId);
    renameSync(pictures, `${pictures}-aside`);
    writeFileSync(pictures, 'no folder');
    using _ = skipRetryDelays(join(book.folder.path, 'home'));
    const run = await replay(scriptId);
    rmSync(pictures);
    renameSync(`${pictures}-aside`, pictures);
    expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('evidence cannot be saved') });
    expect(await call('qa_project_test_results_summary_get', { projectId })).toEqual(before);
    expect(await replay(scriptId)).toMatchObject({ verdict: 'passed' });
  });

  test('runs against another origin of the same site', async () => {
    await using preview = await startGuestBook();
    expect(await replay(scriptId, { baseUrl: preview.url })).toMatchObject({ verdict: 'passed' });
    expect(preview.entries).toHaveLength(1);
    const figures = async () => {
      const { recommendations } = await call('qa_recommend_schedule', { projectId });
      const { runsLast30Days, health } = await call('qa_report_stats_summary_get', { projectId });
      const results = await call('qa_project_test_results_summary_get', { projectId });
      return { results, runsLast30Days, health, measured: recommendations[0].rationale };
    };
    const before = await figures();
    preview.is.failing = true;
    const failed = await replay(scriptId, { baseUrl: preview.url });
    expect(failed).toMatchObject({ verdict: 'failed', result: { baseUrl: preview.url } });
    // A replay against a preview does not change the figures of the site.
    expect(await figures()).toEqual(before);
  });

  test('rejects a use case or test case that the script does not belong to', async () => {
    const { useCaseId } = book;
    expect(await replay(scriptId, { useCaseId, testCaseId, workflowParams: {} })).toMatchObject({ verdict: 'passed' });
    const start = 'qa_workflow_start_test_script_replay';
    for (const [field, own] of Object.entries({ useCaseId, testCaseId }))
      expect(await refusal(start, { projectId, testScriptId: scriptId, [field]: 'other' })).toMatchObject({
        error: 'INVALID_ARGUMENT',
        message: `The script ${scriptId} belongs to ${field} ${own}, not "other". Pass ${own}, or leave ${field} out.`,
        details: { field },
      });
  });

  test('rejects unknown scripts and scripts of another project', async () => {
    const other = await call('qa_project_create', { projectName: 'Other' });
    const start = 'qa_workflow_start_test_script_replay';
    expect(await refusal(start, { projectId, testScriptId: 'ts_nowhere' })).toMatchObject({ error: 'NOT_FOUND' });
    expect(await refusal(start, { projectId: other.projectId, testScriptId: scriptId })).toMatchObject({
      error: 'NOT_FOUND',
    });
  });
});

test('rejects repeated arguments that contradict the project or case', async () => {
  const start = 'qa_workflow_start_test_script_generation';
  const url = 'http://127.0.0.1:9/';
  expect(await refusal(start, { projectId, url })).toMatchObject({ details: { field: 'url' } });
  const detection = await refusal('qa_workflow_start_test_case_detection', { projectId, url });
  expect(detection).toMatchObject({ error: 'INVALID_ARGUMENT', details: { field: 'url' } });
  expect(await refusal(start, { projectId, goal: 'Any' })).toMatchObject({
    message: 'goal requires testCaseId: pass it too, or leave goal out.',
    details: { field: 'goal' },
  });
  expect(await refusal(start, { projectId, testCaseId, expectedResult: 'A cake' })).toMatchObject({
    error: 'INVALID_ARGUMENT',
    message: expect.stringMatching(/^expectedResult differs from the test case, which has ".*qa_test_case_upsert/),
    details: { field: 'expectedResult', testCaseId },
  });
});

test('moves cases and scripts when the project address changes', async () => {
  await using moved = await startGuestBook();
  await call('qa_project_update', { projectId, url: moved.url });
  const count = () => moved.entries.length;
  const before = count();
  expect(await replay(scriptId)).toMatchObject({ status: 'succeeded', verdict: 'passed' });
  expect(count()).toBeGreaterThan(before);
  const { data } = await call('qa_use_case_list', { projectId });
  expect(JSON.stringify(data)).not.toContain(site.url);
  await call('qa_project_update', { projectId, url: site.url });
});

test('runs generated scripts in a pipeline and reports the defect', async () => {
  const page = join(book.folder.path, 'pipeline.html');
  const ci = () =>
    runAssay(['ci', 'qa', '--project', projectId, '--scripts', scriptId, '--html', page], { env: book.env });
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
