import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ownerKey } from '../../../src/platform/principal.ts';
import { createQaStore, type QaStore } from '../../../src/qa/store/qa-store.ts';
import { localUser } from '../../../src/server/auth.ts';
import { openTestStore } from '../open-store.ts';

/** A picture of one transparent pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export interface KnownTest {
  title: string;
  /** The verdicts of its runs, oldest first. Empty if it has never run. */
  verdicts: readonly ('passed' | 'failed' | 'flaky' | 'inconclusive')[];
  failureClass?: string;
  error?: string;
  healed?: number;
  daysAgo?: number;
}

export const owner = ownerKey(localUser);
const DAY_MS = 86_400_000;

/** Works on the store of a home folder while a server uses it. */
export async function inStore<Result>(home: string, work: (store: QaStore) => Promise<Result>): Promise<Result> {
  await using store = await openTestStore({ home, url: undefined });
  // Awaited here: the store is closed on return.
  return await work(createQaStore(store));
}

/** Stores tests with their runs, steps, pictures and costs in a project, like scans and replays. */
export async function addResults(home: string, projectId: string, tests: readonly KnownTest[]): Promise<string[]> {
  return inStore(home, async (store) => {
    const useCase = await store.useCases.insert({
      ...{ owner, projectId, status: 'APPROVED', source: 'scan', class: 'checkout', title: 'Check out' },
      ...{ description: '', priority: 'HIGH', breakdown: [], requirements: [], details: {} },
    });
    const runtime = await store.runtimes.insert({
      ...{ owner, projectId, kind: 'qa.replay', status: 'active', payload: {}, inside: null },
    });
    const scripts: string[] = [];
    for (const [position, test] of tests.entries()) {
      const facts = { owner, projectId, useCaseId: useCase.id };
      const testCase = await store.testCases.insert({
        ...{ ...facts, position, fingerprint: test.title, status: 'ACTIVE', source: 'detection', title: test.title },
        ...{ description: '', goal: '', steps: [], data: {}, expectedResult: 'It works.', oracle: 'specified' },
        ...{ url: 'http://shop.example/', priority: 'HIGH', category: 'happy', tags: [], details: {} },
      });
      const script = await store.testScripts.insert({
        ...{ ...facts, testCaseId: testCase.id, version: 1, status: 'active', source: 'generation', name: test.title },
        ...{ url: 'http://shop.example/', steps: [], spec: '', secrets: [], durationMs: 1500, details: {} },
      });
      scripts.push(script.id);
      await addRuns(
        home,
        store,
        { ...facts, runtimeId: runtime.id, testCaseId: testCase.id, testScriptId: script.id },
        test,
      );
    }
    return scripts;
  });
}

interface Ids {
  owner: string;
  projectId: string;
  useCaseId: string;
  runtimeId: string;
  testCaseId: string;
  testScriptId: string;
}

async function addRuns(home: string, store: QaStore, ids: Ids, test: KnownTest): Promise<void> {
  const { failureClass = null, error = null, healed = 0 } = test;
  for (const [index, verdict] of test.verdicts.entries()) {
    const isLast = index === test.verdicts.length - 1;
    const at = Date.now() - (test.daysAgo ?? 0) * DAY_MS - (test.verdicts.length - index) * 60_000;
    const attempts = [
      { consoleErrors: error === null ? [] : [`Console: ${error}`], failedRequests: ['500 POST /order'] },
    ];
    const run = await store.runs.insert({
      ...{ ...ids, kind: 'qa.replay', status: verdict === 'failed' ? 'failed' : 'succeeded', progress: 100, verdict },
      ...{ failureClass, error, checkpoint: null, result: { healed: [], attempts }, createdAt: at },
      ...{ startedAt: at, endedAt: at + 1500 },
    });
    if (!isLast) continue;
    const file = join('qa', ids.projectId, run.id, 'attempt-1-001.png');
    await mkdir(join(home, 'qa', ids.projectId, run.id), { recursive: true });
    await writeFile(join(home, file), PNG);
    const { owner: by, projectId } = ids;
    const picture = await store.artifacts.insert({
      ...{ owner: by, projectId, runId: run.id, kind: 'screenshot', name: 'attempt-1-001.png', file },
      ...{ contentType: 'image/png', fileSize: PNG.length },
    });
    const step = { owner: by, projectId, runId: run.id, attempt: 1, action: 'click', durationMs: 700, details: {} };
    await store.stepResults.insertAll([
      {
        ...step,
        position: 0,
        description: 'Open /cart',
        status: 'passed',
        healed: healed > 0 ? 1 : 0,
        artifactId: picture.id,
      },
      {
        ...{ ...step, position: 1, description: 'Click "Order"', healed: 0, artifactId: picture.id },
        ...(verdict === 'failed' ? { status: 'failed', error } : { status: 'passed' }),
      },
    ]);
    const latest = { verdict, failureClass, error, runId: run.id, at: at + 1500, healed };
    await store.testScripts.update(ids.testScriptId, { details: { latest } });
    const day = new Date(at).toISOString().slice(0, 10).replaceAll('-', '');
    await store.costs.insert({
      ...{ owner: by, projectId, runId: run.id, kind: 'qa.replay', day, useCaseId: ids.useCaseId },
      ...{ testCaseId: ids.testCaseId, testScriptId: ids.testScriptId, browserMs: 2000, pages: 1, steps: 2 },
      ...{ screenshots: 1, bytes: 1_000_000, createdAt: at },
    });
  }
}

/** Rows of the store of a home folder, as stored. */
export function rowsIn(home: string, sql: string, ...values: string[]) {
  const database = new DatabaseSync(join(home, 'assay.db'), { readOnly: true });
  try {
    return database.prepare(sql).all(...values);
  } finally {
    database.close();
  }
}
