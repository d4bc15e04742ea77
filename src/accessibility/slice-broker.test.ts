import { readdir } from 'node:fs/promises';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Folder, newFolder } from '../../test/support/folders.ts';
import { idleContext } from '../../test/support/jobs/idle-context.ts';
import { openTestStore } from '../../test/support/open-store.ts';
import { type S3Server, startS3 } from '../../test/support/services/s3-server.ts';
import { type ArtifactStore, openArtifactStore } from '../platform/artifacts/artifact-store.ts';
import { runJobWorker } from '../platform/jobs/job-worker.ts';
import { createJobs, type Jobs } from '../platform/jobs/jobs.ts';
import { readSettings } from '../platform/settings.ts';
import type { Store } from '../platform/store/store.ts';
import { createScanArchive } from './scan-archive.ts';
import type { ScanEngine } from './scan-engine.ts';
import { openSliceBroker, type SliceBroker } from './slice-broker.ts';
import { createSliceHandler, SLICE_JOB } from './slice-job.ts';
import { prepareWorkspace, writeInputs } from './workspace.ts';

const owner = { issuer: 'local', subject: 'me' };
const log = pino({ level: 'silent' });
const slice = {
  pages: [{ site: 0, position: 0, page_id: 1, url: 'http://a.example/', parent: '' }],
  ...{ moved: [], failing: [], gaps: [], known: [] },
};

let s3: S3Server;
let folder: Folder;
let store: Store;
let jobs: Jobs;
let artifacts: ArtifactStore;
beforeAll(async () => {
  s3 = await startS3();
  folder = await newFolder();
  store = await openTestStore({ home: folder.path });
  jobs = createJobs(store);
  artifacts = await openArtifactStore(folder.path, readSettings([], [], s3.env).get);
});
afterAll(async () => {
  await artifacts.close();
  await store[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
  await s3[Symbol.asyncDispose]();
});
let stopWorker = async () => {};
beforeEach(() => {
  s3.onRequest = () => undefined;
});
afterEach(async () => {
  await stopWorker();
  stopWorker = async () => {};
});

/** An engine that writes one line of results. */
const engineFor = (_owner: unknown, root: string): ScanEngine => ({
  ...{ name: 'native', workspace: { root }, operatorWorkspace: { root }, reason: '', maxSilenceMs: 600_000 },
  canResume: true,
  command: (_config, _resume, _inside, path) => ({
    program: process.execPath,
    args: ['-e', "require('fs').writeFileSync(process.argv[1] + '/visits.jsonl', 'visited')", path ?? ''],
    ...{ cwd: root, env: { PATH: process.env['PATH'] ?? '' } },
  }),
});
const handler = () => createSliceHandler({ artifacts, engineFor, log });

function startWorker(): void {
  const stop = new AbortController();
  const handlers = new Map([[SLICE_JOB, handler()]]);
  const running = runJobWorker({ store, handlers, slots: 4, log, signal: stop.signal });
  stopWorker = async () => {
    stop.abort();
    await running;
  };
}

/** A scan whose inputs are in the bucket. */
async function newScan(scanId: string): Promise<void> {
  const workspace = { root: `${folder.path}/${scanId}` };
  await prepareWorkspace(workspace);
  await writeInputs(workspace, scanId, {}, [new URL('http://a.example/')]);
  await createScanArchive(artifacts, owner, workspace)?.saveInputs(scanId);
}

async function openBroker(scanId: string, attempt = 1): Promise<SliceBroker> {
  const snapshots = artifacts.snapshots(owner);
  if (!snapshots) throw new Error('no bucket');
  return openSliceBroker({ jobs, snapshots, scan: { scanId, attempt, owner, inside: null }, log });
}

function ask(broker: SliceBroker): Promise<string | null> {
  return new Promise((resolve) =>
    broker.onMessage({ type: 'slice', number: 1, slice }, ({ folder: path }) => resolve(path)),
  );
}

const sliceKeys = () => [...s3.objects.keys()].filter((key) => key.includes('/slices/'));
const isManifest = (key: string) => key.includes('/slices/') && key.endsWith('/manifest.json');
const unfinished = () => jobs.list(SLICE_JOB, owner, { isUnfinished: true });

test('waits for a slice that was submitted while the results of another one were fetched', async () => {
  await newScan('fetching');
  const [fetching, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  s3.onRequest = async ({ method, key }) => {
    if (method !== 'GET' || !isManifest(key) || !s3.objects.has(key)) return undefined;
    fetching.resolve();
    await release.promise;
    return undefined;
  };
  startWorker();
  const broker = await openBroker('fetching');
  const first = ask(broker);
  await fetching.promise;
  const second = ask(broker);
  await expect.poll(() => jobs.list(SLICE_JOB, owner)).toHaveLength(2);
  release.resolve();
  for (const path of [await first, await second]) expect(await readdir(path ?? '')).toContain('visits.jsonl');
  await broker.close();
  expect(sliceKeys()).toEqual([]);
});

test('leaves no results of a slice that is stored in the moment in which the scan ends', async () => {
  await newScan('closing');
  const [storing, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  s3.onRequest = async ({ method, key }) => {
    if (method !== 'PUT' || !isManifest(key)) return undefined;
    storing.resolve();
    await release.promise;
    return undefined;
  };
  startWorker();
  const broker = await openBroker('closing');
  void ask(broker);
  await storing.promise;
  await broker.close();
  release.resolve();
  await expect.poll(unfinished).toEqual([]);
  expect((await jobs.list(SLICE_JOB, owner)).find(({ state }) => state === 'cancelled')).toBeDefined();
  expect(sliceKeys()).toEqual([]);
});

test('ends a slice that is still being submitted when the scan ends', async () => {
  await newScan('submitting');
  const broker = await openBroker('submitting');
  const answer = ask(broker);
  await broker.close();
  expect(await unfinished()).toEqual([]);
  void answer;
});

test('a worker that has lost the scan leaves the slices of the next attempt alone', async () => {
  await newScan('lost');
  const lost = await openBroker('lost', 1);
  void ask(lost);
  await expect.poll(unfinished).toHaveLength(1);
  const next = await openBroker('lost', 2);
  expect(await unfinished()).toEqual([]);
  const answer = ask(next);
  await expect.poll(unfinished).toHaveLength(1);
  await lost.close();
  startWorker();
  expect(await readdir((await answer) ?? '')).toContain('visits.jsonl');
  await next.close();
  expect(sliceKeys()).toEqual([]);
});

test('a worker that has lost a slice removes its own results only', async () => {
  await newScan('zombie');
  const { id } = await jobs.submit(SLICE_JOB, owner, { scanId: 'zombie', attempt: 1, owner, inside: null, slice });
  const job = await jobs.get(id, owner);
  if (!job) throw new Error('no job');
  const result = await handler()({ ...job, attempts: 2 }, idleContext);
  const stored = sliceKeys();
  expect(stored.length).toBeGreaterThan(1);
  const confirm = async () => Promise.reject(new Error('lease lost'));
  await expect(handler()({ ...job, attempts: 1 }, { ...idleContext, confirm })).rejects.toThrow('lease lost');
  expect(sliceKeys()).toEqual(stored);
  expect(result).toEqual({ results: `slices/zombie/1/${id}/2` });
  // Its scan does not exist, so the next scan removes what it left.
  await jobs.cancel(id, owner);
  await (await openBroker('another')).close();
  expect(sliceKeys()).toEqual([]);
});

test('waits for the bucket where the results of a slice are, and visits no page again', async () => {
  await newScan('away');
  let refused = 0;
  s3.onRequest = ({ method, key }) => {
    if (method !== 'GET' || !isManifest(key) || !s3.objects.has(key) || refused >= 7) return undefined;
    refused++;
    return { status: 503, code: 'SlowDown' };
  };
  startWorker();
  const broker = await openBroker('away');
  expect(await readdir((await ask(broker)) ?? '')).toContain('visits.jsonl');
  expect(refused).toBe(7);
  await broker.close();
  expect(sliceKeys()).toEqual([]);
});

test('a slice waits for the bucket before it gives its results up', async () => {
  await newScan('storing');
  let refused = 0;
  s3.onRequest = ({ method, key }) => {
    if (method !== 'PUT' || !isManifest(key) || refused >= 7) return undefined;
    refused++;
    return { status: 503, code: 'SlowDown' };
  };
  startWorker();
  const broker = await openBroker('storing');
  expect(await readdir((await ask(broker)) ?? '')).toContain('visits.jsonl');
  const [last] = await jobs.list(SLICE_JOB, owner);
  expect(last).toMatchObject({ state: 'succeeded', attempts: 1 });
  await broker.close();
  expect(sliceKeys()).toEqual([]);
});

test('returns a slice that no worker takes', async () => {
  await newScan('alone');
  const broker = await openBroker('alone');
  expect(await ask(broker)).toBeNull();
  expect(await unfinished()).toEqual([]);
  await broker.close();
});
