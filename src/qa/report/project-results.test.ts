import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Folder, newFolder } from '../../../test/support/folders.ts';
import { addResults, inStore, owner } from '../../../test/support/qa/qa-results.ts';
import type { QaProject } from '../store/qa-store.ts';
import { collectQaReport } from './collect-report.ts';
import { readProjectResults } from './project-results.ts';

let folder: Folder;
beforeAll(async () => {
  folder = await newFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

const newProject = (): Promise<QaProject> =>
  inStore(folder.path, ({ projects }) => projects.insert({ owner, name: 'Shop' }));

describe('results of one batch', () => {
  test('cover its own scripts and take the worst of repeated runs', async () => {
    const project = await newProject();
    const [first = '', second = '', third = ''] = await addResults(folder.path, project.id, [
      { title: 'One', verdicts: ['passed'] },
      { title: 'Two', verdicts: ['failed'], error: 'An old story' },
      { title: 'Three', verdicts: ['failed'] },
    ]);
    await inStore(folder.path, async (store) => {
      const facts = { owner, projectId: project.id };
      const runtime = await store.runtimes.insert({
        ...facts,
        kind: 'qa.bulk',
        status: 'active',
        payload: {},
        inside: null,
      });
      const run = { ...facts, runtimeId: runtime.id, progress: 100, checkpoint: null, result: {}, status: 'succeeded' };
      const bulk = await store.runs.insert({ ...run, kind: 'qa.bulk' });
      const batch = await store.batches.insert({ ...facts, runtimeId: runtime.id, runId: bulk.id, total: 4 });
      const replay = { ...run, kind: 'qa.replay', batchId: batch.id, endedAt: Date.now() };
      await store.runs.insert({ ...replay, testScriptId: first, verdict: 'failed', error: 'Only once' });
      await store.runs.insert({ ...replay, testScriptId: first, verdict: 'passed' });
      await store.runs.insert({
        ...replay,
        testScriptId: second,
        verdict: 'passed',
        result: { healed: [{}], attempts: [] },
      });
      const item = { ...facts, batchId: batch.id, testCaseId: '', status: 'passed', repetition: 0 };
      await store.batchItems.insertAll(
        [first, first, second].map((testScriptId, position) => ({ ...item, testScriptId, position })),
      );
      const { tests, numbers } = await readProjectResults(store, project, { now: Date.now(), runBatchId: batch.id });
      expect(tests.map(({ title, verdict, error, healed }) => [title, verdict, error, healed])).toEqual([
        ['One', 'failed', 'Only once', 0],
        ['Two', 'passed', null, 1],
      ]);
      expect(numbers).toMatchObject({ tests: 2, passed: 1, failed: 1, passRate: 50 });
      expect(tests.map(({ testScriptId }) => testScriptId)).not.toContain(third);
      // Whatever became of the case since: the batch replayed it, and said so by its exit code.
      const { testCaseId = '' } = (await store.testScripts.get(first)) ?? {};
      await store.testCases.update(testCaseId, { status: 'DEPRECATED' });
      const later = await readProjectResults(store, project, { now: Date.now(), runBatchId: batch.id });
      expect(later.numbers).toEqual(numbers);
      const { runBatchId } = await collectQaReport(store, project, { reportId: 'rep_1', runBatchId: batch.id });
      expect(runBatchId).toBe(batch.id);
    });
  });
});

test('shows no unique token in results', async () => {
  const project = await newProject();
  const error = 'Expected: The page says “Thank you, {{unique}}”.';
  await addResults(folder.path, project.id, [{ title: 'One', verdicts: ['failed'], error }]);
  await inStore(folder.path, async (store) => {
    await store.stepResults.updateAll({ projectId: project.id }, { description: 'Enter “ada.{{unique}}@example.com”' });
    const { tests } = await collectQaReport(store, project, { reportId: 'rep_1' });
    expect(tests).toMatchObject([{ error: 'Expected: The page says “Thank you, (new each time)”.' }]);
    expect(tests[0]?.steps[0]?.description).toBe('Enter “ada.(new each time)@example.com”');
  });
});

test('leaves out archived cases and explains scripts that never became active', async () => {
  const project = await newProject();
  const [gone = '', broken = ''] = await addResults(folder.path, project.id, [
    { title: 'Gone', verdicts: ['failed'] },
    { title: 'Broken', verdicts: [] },
  ]);
  await inStore(folder.path, async (store) => {
    const script = await store.testScripts.get(gone);
    await store.testCases.update(script?.testCaseId ?? '', { status: 'ARCHIVED' });
    const failure = { kind: 'validation', reason: 'The button was never found.' };
    await store.testScripts.update(broken, { status: 'failed', details: { failure } });
    const { tests } = await readProjectResults(store, project, { now: Date.now() });
    expect(tests).toMatchObject([{ title: 'Broken', verdict: 'no_script', error: 'The button was never found.' }]);
  });
});
