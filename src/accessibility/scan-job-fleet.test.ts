import { mkdir } from 'node:fs/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Folder, newFolder } from '../../test/support/folders.ts';
import { idleContext } from '../../test/support/jobs/idle-context.ts';
import { openTestStore } from '../../test/support/open-store.ts';
import { type S3Server, startS3 } from '../../test/support/services/s3-server.ts';
import { type ArtifactStore, openArtifactStore } from '../platform/artifacts/artifact-store.ts';
import { createJobs, type Job, type Jobs } from '../platform/jobs/jobs.ts';
import { readSettings } from '../platform/settings.ts';
import type { Store } from '../platform/store/store.ts';
import { createScanArchive } from './scan-archive.ts';
import type { ScanEngine } from './scan-engine.ts';
import { createScanHandler } from './scan-job.ts';
import { prepareWorkspace, shortId, type Workspace, writeInputs } from './workspace.ts';

const owner = { issuer: 'local', subject: 'me' };
const log = pino({ level: 'silent' });

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
beforeEach(() => {
  s3.onRequest = () => undefined;
});

/** An engine that has its results at once. */
function engineOf(workspace: Workspace, scanId: string): ScanEngine {
  const config = JSON.stringify({ base_urls_visit_path: `./base_urls/visit/mcp_${shortId(scanId)}/` });
  const script = `const fs = require('fs'); fs.mkdirSync('results/one', { recursive: true });
    fs.writeFileSync('results/one/config.json', ${JSON.stringify(config)})`;
  return {
    ...{ name: 'native', workspace, operatorWorkspace: workspace, reason: '', maxSilenceMs: 600_000, canResume: true },
    command: (file) => ({
      ...{ program: process.execPath, args: ['-e', script, file], cwd: workspace.root },
      env: { PATH: process.env['PATH'] ?? '' },
    }),
  };
}

/** A submitted scan, with its inputs in the bucket, and the handler of a worker. */
async function newScan(scanId: string) {
  const workspace = { root: `${folder.path}/${scanId}` };
  await mkdir(workspace.root);
  await prepareWorkspace(workspace);
  await writeInputs(workspace, scanId, {}, [new URL('http://a.example/')]);
  const archive = createScanArchive(artifacts, owner, workspace);
  if (!archive) throw new Error('no bucket');
  await archive.saveInputs(scanId);
  const payload = { scanId, owner, auditName: 'a', warnings: [], inside: null };
  const job = await jobs.submit('accessibility.scan', owner, payload, { id: scanId });
  const handler = createScanHandler(() => engineOf(workspace, scanId), { artifacts, jobs: async () => jobs, log });
  const inputs = () => [...s3.objects.keys()].filter((key) => key.endsWith(`/inputs/${scanId}.json`)).length;
  return { job: { ...job, attempts: 1 } satisfies Job, handler, archive, inputs };
}

test('a scan that has ended waits for the bucket, and says so', async () => {
  const { job, handler, inputs } = await newScan('11111111-away');
  let refused = 0;
  s3.onRequest = ({ method, key }) => {
    if (method !== 'PUT' || !key.endsWith('/manifest.json') || refused >= 7) return undefined;
    refused++;
    return { status: 503, code: 'SlowDown' };
  };
  const reported: string[] = [];
  const progress = (value: unknown) => void reported.push(JSON.stringify(value));
  expect(await handler(job, { ...idleContext, progress })).toMatchObject({ exitCode: 0 });
  expect(reported.at(-1)).toContain('The results cannot be stored yet, trying again');
  expect([...s3.objects.keys()].some((key) => key.endsWith('11111111-away/manifest.json'))).toBe(true);
  expect(inputs()).toBe(0);
});

test('a worker that has lost the scan at its end leaves the inputs to the next one', async () => {
  const { job, handler, inputs } = await newScan('22222222-lost');
  const stop = new AbortController();
  const confirm = async () => {
    stop.abort(new Error('lease lost'));
    stop.signal.throwIfAborted();
  };
  await expect(handler(job, { ...idleContext, signal: stop.signal, confirm })).rejects.toThrow('lease lost');
  expect(inputs()).toBe(1);
});

test('a worker whose results are superseded leaves the inputs to the later attempt', async () => {
  const { job, handler, archive, inputs } = await newScan('33333333-late');
  const publishing = handler({ ...job, attempts: 2 }, { ...idleContext, confirm: () => new Promise(() => {}) });
  void publishing;
  await expect.poll(() => [...s3.objects.keys()].some((key) => key.endsWith('33333333-late/manifest.json'))).toBe(true);
  await expect(archive.publish('33333333-late', { attempt: 1, isFinal: true })).rejects.toThrow('later attempt');
  await expect(handler(job, idleContext)).rejects.toMatchObject({ code: 'SUPERSEDED' });
  expect(inputs()).toBe(1);
});
