import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type GuestBook, startGuestBook } from '../sites/guest-book.ts';
import { scanEnvironment } from '../support/accessibility/accessibility.ts';
import { type Connection, connectStdio } from '../support/assay.ts';
import { eventually } from '../support/eventually.ts';
import { type Folder, newFolder } from '../support/folders.ts';
import { openTestStore } from '../support/open-store.ts';
import { browsersOf } from '../support/processes.ts';
import { addScripts, hold, type KnownScript, pidOf, type Qa, qaOn, welcome, writeEntry } from '../support/qa/qa.ts';
import { inStore } from '../support/qa/qa-results.ts';

let folder: Folder;
let env: Record<string, string>;
let home: string;
let client: Connection;
let qa: Qa;
let site: GuestBook;

beforeAll(async () => {
  folder = await newFolder();
  env = await scanEnvironment(folder);
  home = env['ASSAY_HOME'] ?? '';
  site = await startGuestBook();
  client = await connectStdio('modern', { args: ['--toolsets', 'qa'], env });
  qa = qaOn(client);
});
afterEach(() => Object.assign(site, { hold: undefined }));
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** A project of its own with these scripts. */
async function project(...scripts: KnownScript[]): Promise<{ projectId: string; ids: string[] }> {
  const { projectId } = await qa.call('qa_project_create', { projectName: 'Guest book', url: site.url });
  return { projectId, ids: await addScripts(home, projectId, site.url, scripts) };
}

describe('bulk replay', () => {
  test('replays every script as often as requested with consistent counts', async () => {
    const { projectId } = await project(...Array.from({ length: 20 }, (_, i) => welcome(`Welcome ${i}`)));
    const asked = site.requests.length;
    const started = await qa.startBulk({ projectId, name: 'Nightly', repeatPerTestCase: 4 });
    const seen = await eventually(async () => {
      const summary = await qa.summary(started.runBatchId);
      expect(summary.status).not.toMatch(/queued|running/);
      return summary;
    });
    expect(seen).toMatchObject({ status: 'succeeded', totalScripts: 80, passed: 80, passRate: 100, flaky: 0 });
    expect(site.requests.slice(asked).filter((request) => request === 'GET /')).toHaveLength(80);
    expect(await qa.ended('bulk', started)).toMatchObject({
      runBatchId: started.runBatchId,
      verdict: 'passed',
      progress: 100,
      lastMessage: '80 of 80 passed',
    });
    expect(await qa.call('qa_workflow_list_test_script_replay_bulk_runtimes', { projectId })).toMatchObject({
      data: [{ workflowRuntimeId: started.workflowRuntimeId, name: 'Nightly' }],
    });
  });

  test('continues after failures and lists them with reasons', async () => {
    const { projectId, ids } = await project(writeEntry, welcome('Welcome'));
    site.is.silent = true;
    const started = await qa.startBulk({ projectId });
    const run = await qa.ended('bulk', started);
    site.is.silent = false;
    expect(run).toMatchObject({ status: 'failed', verdict: 'failed', failureClass: 'product defect' });
    const seen = await qa.summary(started.runBatchId);
    expect(seen).toMatchObject({ failed: 1, passed: 1 });
    expect(seen.failures).toMatchObject([
      { testScriptId: ids[0], failureClass: 'product defect', error: expect.stringContaining('Instead') },
    ]);
    const { workflowRuntimeId } = started;
    const { workflowRunId } = seen.failures[0];
    const part = 'qa_workflow_get_test_script_replay_latest_run';
    expect(await qa.call(part, { workflowRuntimeId, workflowRunId })).toMatchObject({
      workflowRunId,
      verdict: 'failed',
      steps: expect.arrayContaining([expect.objectContaining({ status: 'failed', screenshotUrl: expect.any(String) })]),
      result: { attempts: [{ passed: false, artifacts: {} }, { artifacts: { trace: expect.any(String) } }] },
    });
    const other = await qa.refusal(part, { workflowRuntimeId, workflowRunId: started.workflowRunId });
    expect(other).toMatchObject({ error: 'NOT_FOUND', details: { field: 'workflowRunId' } });
    const results = await qa.call('qa_project_test_results_summary_get', { projectId });
    expect(results).toMatchObject({ totalTests: 2, failed: 1, passed: 1, passRate: 50 });
  });

  test('stops when cancelled, also repeatedly, and starts nothing more', async () => {
    const { projectId, ids } = await project(...Array.from({ length: 10 }, (_, i) => welcome(`Welcome ${i}`)));
    const release = hold(site);
    const started = await qa.startBulk({ projectId, repeatPerTestCase: 100 });
    await qa.isRunning(started);
    const { workflowRuntimeId, workflowRunId } = started;
    await Promise.all([
      qa.call('qa_workflow_cancel_runtime', { workflowRuntimeId }),
      qa.call('qa_workflow_cancel_run', { workflowRunId }),
      qa.call('qa_workflow_cancel_runtime', { workflowRuntimeId }),
    ]);
    const run = await qa.ended('bulk', started);
    expect(run.status).toBe('cancelled');
    await expect.poll(() => browsersOf(pidOf(client))).toEqual([]);
    release();
    // The site sent no response before the end, so no script can have passed.
    expect(await qa.summary(started.runBatchId)).toMatchObject({ totalScripts: 1000, cancelled: 1000 });
    const asked = site.requests.length;
    const again = await qa.call('qa_workflow_start_test_script_replay', { projectId, testScriptId: ids[0] });
    expect(await qa.ended('replay', again)).toMatchObject({ verdict: 'passed' });
    // Nothing but the replay just now.
    expect(site.requests.slice(asked).filter((request) => request === 'GET /')).toHaveLength(1);
  });

  test('continues without a cancelled part', async () => {
    const { projectId } = await project(welcome('One'), welcome('Two'), welcome('Three'));
    const release = hold(site);
    const started = await qa.startBulk({ projectId, workers: 1 });
    await qa.isRunning(started);
    const [part] = await inStore(home, ({ runs }) => runs.list({ parentRunId: started.workflowRunId }));
    const cancelled = await qa.call('qa_workflow_cancel_run', { workflowRunId: part?.id });
    expect(cancelled.status).toBe('cancelled');
    release();
    await qa.ended('bulk', started);
    expect(await qa.summary(started.runBatchId)).toMatchObject({ passed: 2, cancelled: 1 });
    const after = await inStore(home, ({ runs }) => runs.get(part?.id ?? ''));
    expect(after?.status).toBe('cancelled');
  });

  test('is inconclusive if every part is cancelled', async () => {
    const { projectId } = await project(welcome('One'));
    const release = hold(site);
    const started = await qa.startBulk({ projectId });
    await qa.isRunning(started);
    const [part] = await inStore(home, ({ runs }) => runs.list({ parentRunId: started.workflowRunId }));
    await qa.call('qa_workflow_cancel_run', { workflowRunId: part?.id });
    release();
    expect(await qa.ended('bulk', started)).toMatchObject({ verdict: 'inconclusive', lastMessage: '0 of 1 passed' });
  });

  test('repeats at its interval until the workflow is cancelled', async () => {
    const { projectId } = await project(welcome('Welcome'));
    const started = await qa.startBulk({ projectId, intervalSec: 1 });
    const { workflowRuntimeId } = started;
    const runs = () => inStore(home, (store) => store.runs.list({ runtimeId: workflowRuntimeId, parentRunId: null }));
    await expect
      .poll(async () => (await runs()).filter(({ verdict }) => verdict === 'passed').length)
      .toBeGreaterThan(1);
    await qa.call('qa_workflow_cancel_runtime', { workflowRuntimeId });
    expect((await qa.ended('bulk', started)).workflowRunId).not.toBe(started.workflowRunId);
    // Whatever has ended cannot start, and there is nothing else.
    await expect.poll(async () => (await runs()).filter(({ endedAt }) => endedAt === null)).toEqual([]);
  });

  test('repeats by a schedule, makes up once for missed times, and runs once with two servers', async () => {
    const { projectId } = await project(welcome('Welcome'));
    const start = 'qa_workflow_start_test_script_replay_bulk';
    const wrong = { error: 'INVALID_ARGUMENT', details: { field: 'schedule' } };
    expect(await qa.refusal(start, { projectId, schedule: 'every night' })).toMatchObject(wrong);
    expect(await qa.refusal(start, { projectId, schedule: '0 2 * * *', intervalSec: 5 })).toMatchObject(wrong);
    // Once a year, so that no time comes during the test.
    const started = await qa.startBulk({ projectId, schedule: 'CRON_TZ=Asia/Tokyo 30 4 29 2 *' });
    const { workflowRuntimeId } = started;
    const runs = () => inStore(home, (store) => store.runs.list({ runtimeId: workflowRuntimeId, parentRunId: null }));
    const verdicts = async () => (await runs()).map(({ verdict }) => verdict ?? 'waiting').toSorted();
    await expect.poll(verdicts).toEqual(['passed', 'waiting']);
    await using database = await openTestStore({ home });
    const due = database.db.selectFrom('jobs').select(['id', 'lease_until']).where('state', '=', 'queued');
    const next = await due.executeTakeFirstOrThrow();
    expect(new Date(next.lease_until).toISOString()).toMatch(/-02-28T19:30:00.000Z$/);
    await using other = await connectStdio('modern', { args: ['--toolsets', 'qa'], env });
    await qaOn(other).call('qa_project_list');
    const asked = site.requests.length;
    // As if this time and all before it had passed while no process was up.
    await database.db.updateTable('jobs').set({ lease_until: 1 }).where('id', '=', next.id).execute();
    await expect.poll(verdicts).toEqual(['passed', 'passed', 'waiting']);
    expect(site.requests.slice(asked).filter((request) => request === 'GET /')).toHaveLength(1);
    expect((await due.executeTakeFirstOrThrow()).lease_until).toBe(next.lease_until);
    await qa.call('qa_workflow_cancel_runtime', { workflowRuntimeId });
    expect(await due.execute()).toEqual([]);
  });

  test('rejects empty and unknown selections before it starts', async () => {
    const { projectId, ids } = await project(welcome('Welcome'));
    const empty = await qa.call('qa_project_create', { projectName: 'Nothing' });
    const start = 'qa_workflow_start_test_script_replay_bulk';
    expect(await qa.refusal(start, { projectId: empty.projectId })).toMatchObject({ error: 'INVALID_ARGUMENT' });
    const missing = { error: 'NOT_FOUND', details: { field: 'testScriptIds' } };
    const unknown = { projectId, testScriptIds: [ids[0], 'ts_nowhere'] };
    expect(await qa.refusal(start, unknown)).toMatchObject(missing);
    const elsewhere = { projectId: empty.projectId, testScriptIds: ids };
    expect(await qa.refusal(start, elsewhere)).toMatchObject(missing);
    expect(await qa.refusal(start, { projectId, repeatPerTestCase: 0 })).toMatchObject({ error: 'INVALID_ARGUMENT' });
    const below = { error: 'INVALID_ARGUMENT', details: { field: 'baseUrl' } };
    expect(await qa.refusal(start, { projectId, baseUrl: `${site.url}/preview/` })).toMatchObject(below);
    expect(await qa.refusal('qa_workflow_get_replay_bulk_run_batch_summary', { runBatchId: 'batch_x' })).toMatchObject({
      error: 'NOT_FOUND',
    });
    expect(await qa.call('qa_workflow_list_test_script_replay_bulk_runtimes', { projectId })).toMatchObject({
      totalCount: 0,
    });
  });

  test('hides batches from other owners', async () => {
    const owner = 'another owner';
    const theirs = await inStore(home, async (store) => {
      const { id: projectId } = await store.projects.insert({ owner, name: 'Theirs' });
      const of = { owner, projectId };
      const runtime = await store.runtimes.insert({
        ...{ ...of, kind: 'qa.bulk', status: 'active', payload: {}, inside: null },
      });
      const run = await store.runs.insert({
        ...{ ...of, runtimeId: runtime.id, kind: 'qa.bulk', status: 'running', progress: 0 },
        ...{ result: null, checkpoint: null },
      });
      const batch = await store.batches.insert({ ...of, runtimeId: runtime.id, runId: run.id, total: 0 });
      return { projectId, workflowRuntimeId: runtime.id, workflowRunId: run.id, runBatchId: batch.id };
    });
    const [testScriptId] = await addScripts(home, theirs.projectId, site.url, [{ ...welcome('Theirs'), owner }]);
    const { projectId } = await project(welcome('Mine'));
    const { workflowRuntimeId, workflowRunId, runBatchId } = theirs;
    const asks: [string, Record<string, unknown>][] = [
      ['qa_workflow_start_test_script_replay_bulk', { projectId: theirs.projectId }],
      ['qa_workflow_start_test_script_replay_bulk', { projectId, testScriptIds: [testScriptId] }],
      ['qa_workflow_start_test_script_replay', { projectId, testScriptId }],
      ['qa_workflow_get_test_script_replay_bulk_latest_run', { workflowRuntimeId }],
      ['qa_workflow_get_replay_bulk_run_batch_summary', { runBatchId }],
      ['qa_workflow_cancel_run', { workflowRunId }],
      ['qa_workflow_cancel_runtime', { workflowRuntimeId }],
      ['qa_test_script_get', { testScriptId }],
      ['qa_test_script_export', { projectId: theirs.projectId, path: folder.path }],
      ['qa_project_test_results_summary_get', { projectId: theirs.projectId }],
    ];
    for (const [tool, args] of asks) expect(await qa.refusal(tool, args), tool).toMatchObject({ error: 'FORBIDDEN' });
    expect(await inStore(home, ({ runs }) => runs.get(workflowRunId))).toMatchObject({ status: 'running' });
  });
});
