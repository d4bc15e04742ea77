import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connection, callOn, connectStdio, type Result } from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';
import { type Reporting, reportingOn, SECRET } from '../support/qa/qa-reports.ts';
import { inStore } from '../support/qa/qa-results.ts';

// Browser tests on a shared machine need more time.

let folder: Folder;
let client: Connection;
let call: ReturnType<typeof callOn>;
let newProject: Reporting['newProject'];
beforeAll(async () => {
  folder = await newFolder();
  client = await connectStdio('modern', { args: ['--toolsets', 'qa'], env: { ASSAY_HOME: folder.path } });
  call = callOn(client);
  ({ newProject } = reportingOn(call, folder.path));
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

test('reports project health and lowers it as runs age', async () => {
  const fresh = await call('qa_report_stats_summary_get', { projectId: await newProject() });
  expect(fresh).toMatchObject({ tests: 5, passed: 3, failed: 1, flaky: 1, notRun: 1, healed: 1, passRate: 75 });
  const values = fresh.health.parts.map(({ name, value }: Result) => [name, value]);
  expect(values).toEqual([
    ['passRate', 75],
    ['stability', expect.any(Number)],
    ['requirementCoverage', null],
    ['freshness', 100],
  ]);
  const old = await newProject([{ title: 'Old', verdicts: ['passed'], daysAgo: 60 }]);
  const { health, lastRunAt } = await call('qa_report_stats_summary_get', { projectId: old });
  expect(Date.now() - Date.parse(lastRunAt)).toBeGreaterThan(59 * 86_400_000);
  expect(health.parts.find(({ name }: Result) => name === 'freshness').value).toBe(0);
  expect(health.score).toBeLessThan(80);
  const none = await call('qa_report_stats_summary_get', { projectId: await newProject([]) });
  expect(none).toMatchObject({ healthScore: null, passRate: 0 });
});

test('excludes deprecated tests from counts and replays them only by id', async () => {
  const projectId = await newProject();
  const failing = await inStore(folder.path, async (store) => {
    const testCase = await store.testCases.first({ projectId, title: `Pay with ${SECRET}` });
    await store.testCases.update(testCase?.id ?? '', { status: 'DEPRECATED' });
    return store.testScripts.first({ projectId, testCaseId: testCase?.id ?? '' });
  });
  const stats = await call('qa_report_stats_summary_get', { projectId });
  expect(stats).toMatchObject({ tests: 4, failed: 0, passRate: 100 });
  const results = await call('qa_project_test_results_summary_get', { projectId });
  expect(results).toMatchObject({ totalTests: 4, failed: 0, passRate: 100 });
  const { recommendations } = await call('qa_recommend_schedule', { projectId });
  expect(recommendations[0].rationale).toContain('4 active scripts');
  const exported = await call('qa_test_script_export', { projectId, path: join(folder.path, 'exported') });
  expect(exported.tests).toBe(4);
  const replayed = async (more: Result) => {
    const started = await call('qa_workflow_start_test_script_replay_bulk', { projectId, ...more });
    await call('qa_workflow_cancel_runtime', { workflowRuntimeId: started.workflowRuntimeId });
    const { runBatchId } = started;
    return (await call('qa_workflow_get_replay_bulk_run_batch_summary', { runBatchId })).totalScripts;
  };
  expect(await replayed({})).toBe(4);
  expect(await replayed({ testScriptIds: [failing?.id] })).toBe(1);
});

test('counts a case without a script separately from the tests of the summary', async () => {
  const projectId = await newProject();
  await inStore(folder.path, async (store) => {
    const testCase = await store.testCases.first({ projectId, title: `Pay with ${SECRET}` });
    await store.testScripts.removeAll({ projectId, testCaseId: testCase?.id ?? '' });
  });
  const results = await call('qa_project_test_results_summary_get', { projectId });
  expect(results).toMatchObject({ totalTests: 4, failed: 0, notRun: 1, withoutScript: 1 });
  expect(await call('qa_report_stats_summary_get', { projectId })).toMatchObject({ tests: 5, notRun: 2 });
});

test('computes schedules from past runs', async () => {
  const projectId = await newProject();
  const asked = { projectId, testFrequency: 'daily', timezone: 'Europe/Berlin' };
  const { recommendations } = await call('qa_recommend_schedule', asked);
  const [nightly, smoke, flaky] = recommendations;
  expect(nightly).toMatchObject({ title: expect.stringContaining('Nightly'), timezone: 'Europe/Berlin' });
  expect(nightly.schedule).toMatch(/^\d+ \d \* \* \*$/);
  expect(nightly.nextRuns).toHaveLength(3);
  expect(nightly.rationale).toContain('5 active scripts that take 8 s; 7 runs in the last 30 days, 14.3 % failed');
  expect(smoke.title).toBe('Smoke test in working hours: the 5 quickest scripts');
  expect(flaky.title).toContain('flaky');
  const other = await call('qa_recommend_schedule', { projectId: await newProject([]) });
  expect(other.recommendations).toMatchObject([{ title: 'Not yet: there is no active script', schedule: '' }]);
  expect((await call('qa_recommend_schedule')).recommendations[0].rationale).toContain('No project was named');
  await expect(call('qa_recommend_schedule', { projectId: 'proj_none' })).rejects.toThrow(/NOT_FOUND/);
});
