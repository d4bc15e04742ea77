import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createQaStore, type QaStore } from '../../src/qa/store/qa-store.ts';
import { type GuestBook, startGuestBook } from '../sites/guest-book.ts';
import { scanEnvironment } from '../support/accessibility/accessibility.ts';
import { type Connection, connectStdio, type Result } from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';
import { type Fleet, startFleet } from '../support/jobs/fleet.ts';
import { openTestStore } from '../support/open-store.ts';
import { addScriptsTo, hold, type KnownScript, qaOn, welcome } from '../support/qa/qa.ts';

// A server and four workers share a database and a bucket; beside them one process has a SQLite file and a folder.

const SCHEDULE = 'CRON_TZ=UTC 0 0 29 2 *';
const missing: KnownScript = {
  name: 'Expects what is not there',
  steps: [
    { do: 'goto', url: '/' },
    { do: 'expectText', text: 'Good bye.', oracle: 'specified' },
  ],
};
const scripts: KnownScript[] = [
  ...['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten'].map(welcome),
  missing,
  { ...welcome('Needs a secret'), secrets: ['NO_SUCH_SECRET'] },
  ...['First', 'Second', 'Third'].map((name) => ({ ...welcome(`${name} in turn`), takesTurns: true })),
];

let fleet: Fleet;
let folder: Folder;
let site: GuestBook;
let alone: Connection;
let aloneEnv: Record<string, string>;
beforeAll(async () => {
  folder = await newFolder();
  aloneEnv = await scanEnvironment(folder);
  [fleet, site, alone] = await Promise.all([
    startFleet({ servers: 1, workers: 4 }),
    startGuestBook(),
    connectStdio('modern', { args: ['--toolsets', 'qa'], env: aloneEnv }),
  ]);
});
afterEach(() => Object.assign(site, { hold: undefined }));
afterAll(async () => {
  await alone[Symbol.asyncDispose]();
  await fleet[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const openFleetStore = () => openTestStore({ home: folder.path, url: fleet.postgres.url });

/** Values that differ between two runs of the same batch are left out: ids, times and addresses of files. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([key]) => !/(^id|Ids?|At|Ms|Url|artifacts|Timestamp)$/.test(key));
  return Object.fromEntries(entries.map(([key, one]) => [key, comparable(one)]));
}

/** Every item of a batch with its run, steps, files and costs. */
async function itemsOf(store: QaStore, batchId: string) {
  const items = [];
  for (const item of await store.batchItems.list({ batchId })) {
    const of = { runId: item.runId ?? '' };
    const { browserMs: _, bytes: __, ...cost } = (await store.costs.first(of)) ?? { browserMs: 0, bytes: 0 };
    items.push({
      script: (await store.testScripts.get(item.testScriptId))?.name,
      item,
      run: await store.runs.get(of.runId),
      steps: await store.stepResults.list(of),
      files: (await store.artifacts.list(of)).map(({ name }) => name).toSorted(),
      cost: { ...cost, day: '' },
    });
  }
  return comparable(items);
}

/** A bulk replay of all scripts in a new project, from its start to its end. */
async function replayAll(client: Connection, store: QaStore, whileItRuns: (started: Result) => Promise<void>) {
  const qa = qaOn(client);
  const { projectId } = await qa.call('qa_project_create', { projectName: 'Guest book', url: site.url });
  await addScriptsTo(store, projectId, site.url, scripts);
  const release = hold(site);
  const started = await qa.startBulk({ projectId, schedule: SCHEDULE });
  await whileItRuns(started);
  release();
  const { workflowRuntimeId, workflowRunId } = started;
  await expect.poll(async () => (await qa.summary(started.runBatchId)).status).toMatch(/failed|succeeded/);
  await expect.poll(() => store.runs.count({ runtimeId: workflowRuntimeId, parentRunId: null })).toBe(2);
  const outcome = {
    items: await itemsOf(store, started.runBatchId),
    run: comparable(await store.runs.get(workflowRunId)),
    summary: comparable(await qa.summary(started.runBatchId)),
    results: comparable(await qa.call('qa_project_test_results_summary_get', { projectId })),
  };
  await qa.call('qa_workflow_cancel_runtime', { workflowRuntimeId });
  return outcome;
}

test('four workers, one of which is killed, give the same answers as one process', async () => {
  const [client] = fleet.clients as [Connection];
  await using database = await openFleetStore();
  await using file = await openTestStore({ home: aloneEnv['ASSAY_HOME'] ?? '' });
  const parts = () =>
    database.db
      .selectFrom('jobs')
      .select(['id', 'worker', 'attempts', 'state'])
      .where('kind', '=', 'qa.bulk-script')
      .orderBy('created_at')
      .execute();
  const runningBefore = new Map<string, string | null>();
  const here = await replayAll(client, createQaStore(database), async (started) => {
    // Every worker has filled its slots, and the bulk itself holds none.
    await expect
      .poll(async () => new Set((await parts()).flatMap(({ worker }) => worker ?? [])).size, { interval: 300 })
      .toBe(4);
    const bulk = await database.db
      .selectFrom('jobs')
      .select(['state', 'worker'])
      .where('kind', '=', 'qa.bulk')
      .execute();
    expect(bulk).toEqual([{ state: 'queued', worker: null }]);
    expect(await qaOn(client).summary(started.runBatchId)).toMatchObject({ status: 'running' });
    await expect.poll(async () => (await parts()).filter(({ state }) => state === 'running').length).toBe(8);
    for (const { id, worker, state } of await parts()) if (state === 'running') runningBefore.set(id, worker);
    const killed = fleet.workers[0]?.child;
    if (!killed) throw new Error('no worker');
    const ended = once(killed, 'close');
    killed.kill('SIGKILL');
    await ended;
  });
  // Only what the killed worker was replaying began again.
  const repeated = (await parts()).filter(({ attempts }) => attempts > 1).map(({ id }) => id);
  const workers = [...new Set(repeated.map((id) => runningBefore.get(id)))];
  expect(workers).toHaveLength(1);
  expect(repeated).toEqual([...runningBefore].filter(([, worker]) => worker === workers[0]).map(([id]) => id));
  expect((await parts()).length).toBe(13);
  const there = await replayAll(alone, createQaStore(file), () => Promise.resolve());
  expect(here.items).toEqual(there.items);
  expect(here).toEqual(there);
  expect(here.summary).toMatchObject({ totalScripts: 15, passed: 13, failed: 1, inconclusive: 1, status: 'failed' });
});

test('a bulk replay keeps its number of parallel scripts, and stops everywhere when it is cancelled', async () => {
  const [client] = fleet.clients as [Connection];
  const qa = qaOn(client);
  await using database = await openFleetStore();
  const store = createQaStore(database);
  const { projectId } = await qa.call('qa_project_create', { projectName: 'Guest book', url: site.url });
  const names = Array.from({ length: 12 }, (_script, number) => `Script ${number}`);
  await addScriptsTo(store, projectId, site.url, names.map(welcome));
  const release = hold(site);
  const started = await qa.startBulk({ projectId, workers: 3, repeatPerTestCase: 4 });
  const { runBatchId, workflowRunId, workflowRuntimeId } = started;
  await expect.poll(async () => (await qa.summary(runBatchId)).running).toBe(3);
  const due = database.db.selectFrom('jobs').select('id').where('parent_id', 'is not', null);
  expect(
    await due
      .where('state', 'in', ['queued', 'running'])
      .where('lease_until', '<', Date.now() * 2)
      .execute(),
  ).toHaveLength(3);
  await Promise.all([
    qa.call('qa_workflow_cancel_run', { workflowRunId }),
    qa.call('qa_workflow_cancel_runtime', { workflowRuntimeId }),
  ]);
  expect(await qa.ended('bulk', started)).toMatchObject({ status: 'cancelled' });
  const open = due.where('state', 'in', ['queued', 'running']);
  expect(await open.execute()).toEqual([]);
  release();
  expect(await qa.summary(runBatchId)).toMatchObject({ totalScripts: 48, cancelled: 48 });
  expect(await store.batchItems.count({ batchId: runBatchId, status: 'cancelled' })).toBe(48);
});

test('loses nothing when workers die during an upload and the bucket is away afterwards', async () => {
  const [client] = fleet.clients as [Connection];
  const qa = qaOn(client);
  await using database = await openFleetStore();
  const store = createQaStore(database);
  const { projectId } = await qa.call('qa_project_create', { projectName: 'Guest book', url: site.url });
  await addScriptsTo(store, projectId, site.url, [welcome('One'), welcome('Two')]);
  const uploading = Promise.withResolvers<void>();
  fleet.s3.onRequest = ({ method, key }) => {
    if (method !== 'PUT' || !key.includes('/qa/')) return undefined;
    uploading.resolve();
    return new Promise(() => {});
  };
  const started = await qa.startBulk({ projectId });
  await uploading.promise;
  for (const { child } of fleet.workers) child.kill('SIGKILL');
  fleet.s3.setAway(true);
  fleet.s3.onRequest = () => undefined;
  await fleet.startWorker();
  const parts = database.db.selectFrom('jobs').select(['state', 'error']).where('kind', '=', 'qa.bulk-script');
  const waitsForBucket = { state: 'queued', error: expect.stringContaining('The evidence cannot be saved') };
  await expect.poll(() => parts.execute()).toContainEqual(waitsForBucket);
  expect(await qa.summary(started.runBatchId)).toMatchObject({ status: 'running', failed: 0, inconclusive: 0 });
  fleet.s3.setAway(false);
  expect(await qa.ended('bulk', started)).toMatchObject({ verdict: 'passed', lastMessage: '2 of 2 passed' });
  const items = await store.batchItems.list({ batchId: started.runBatchId });
  const files = await store.artifacts.list({ runId: items.flatMap(({ runId }) => runId ?? []) });
  expect(new Set(files.map(({ runId }) => runId)).size).toBe(2);
  for (const { runId, name, fileSize } of files) {
    const stored = [...fleet.s3.objects].filter(([key]) => key.endsWith(`/${runId}/${name}`));
    expect(stored.map(([, body]) => body.length)).toEqual([fileSize]);
  }
});
