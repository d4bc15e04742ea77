import { readFile } from 'node:fs/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Folder, newFolder } from '../../../test/support/folders.ts';
import { openTestStore } from '../../../test/support/open-store.ts';
import { startPostgres } from '../../../test/support/services/postgres.ts';
import { type ArtifactStore, openArtifactStore } from '../../platform/artifacts/artifact-store.ts';
import { Failure } from '../../platform/errors.ts';
import { runJobWorker } from '../../platform/jobs/job-worker.ts';
import { createJobs } from '../../platform/jobs/jobs.ts';
import { ownerKey } from '../../platform/principal.ts';
import { redactLine } from '../../platform/redaction/redactor.ts';
import { createSecretVault } from '../../platform/secrets/secret-vault.ts';
import { readSettings } from '../../platform/settings.ts';
import type { Store } from '../../platform/store/store.ts';
import type { QaContext } from '../qa-context.ts';
import { createSecret } from '../secrets/secrets.ts';
import { createQaStore } from '../store/qa-store.ts';
import { cancelRun, cancelRuntime } from './cancel-run.ts';
import { listRuntimes } from './list-runtimes.ts';
import type { RunContext, RunHandler } from './run-context.ts';
import { createRunJobHandler } from './run-job.ts';
import { endedStatuses } from './run-kinds.ts';
import { currentRun, findLatestRun } from './run-status.ts';
import { startQaRun, startRuntime } from './start-run.ts';

const postgres = await startPostgres();
afterAll(() => postgres[Symbol.asyncDispose]());
const key = Buffer.alloc(32, 7);
const SECRET = 'correct-horse-battery';

describe.each([
  ['a SQLite file', undefined],
  ['PostgreSQL', postgres.url],
])('runs stored in %s', (_, url) => {
  const signal = new AbortController().signal;
  const setting = readSettings([], [], { ASSAY_SECRET_KEY: key.toString('base64') }).get;
  const lines: string[] = [];
  const log = pino({ hooks: { streamWrite: redactLine } }, { write: (line: string) => void lines.push(line) });
  let folder: Folder;
  let store: Store;
  let artifacts: ArtifactStore;
  let qa: QaContext;
  beforeAll(async () => {
    folder = await newFolder();
    store = await openTestStore({ home: folder.path, url });
    artifacts = await openArtifactStore(folder.path, setting);
    qa = contextFor('me');
  });
  afterAll(async () => {
    await store?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  function contextFor(subject: string): QaContext {
    const principal = { issuer: 'test', subject, client: 'test' };
    return {
      ...{
        store: createQaStore(store),
        jobs: createJobs(store),
        artifacts,
        principal,
        owner: ownerKey(principal),
        home: folder.path,
      },
      ...{ self: [], signal, setting, allowedPrivateAddresses: ['10.0.0.0/8'] },
      vault: async () => createSecretVault([key]),
      checkAddress: async () => {},
    };
  }

  /** A worker that does scans in this way, until it is stopped. */
  function worker(handler: RunHandler) {
    const stop = new AbortController();
    const work = {
      ...{ home: folder.path, setting, log },
      store: async () => store,
      artifacts: async () => artifacts,
      jobs: async () => qa.jobs,
      browsers: () => Promise.reject(new Error('no browser here')),
    };
    const handlers = new Map([['qa.scan', createRunJobHandler('qa.scan', work, { 'qa.scan': async () => handler })]]);
    const working = runJobWorker({ store, handlers, slots: 2, log, signal: stop.signal });
    return {
      async [Symbol.asyncDispose]() {
        stop.abort();
        await working;
      },
    };
  }

  const project = () => qa.store.projects.insert({ owner: qa.owner, name: 'Shop' });
  const start = async (projectId: string) => startRuntime(qa, { projectId, kind: 'qa.scan', payload: { deep: true } });
  const ended = async (workflowRuntimeId: string) => {
    const run = () => findLatestRun(qa, 'qa.scan', workflowRuntimeId);
    await expect.poll(async () => endedStatuses.includes((await run()).status)).toBe(true);
    return run();
  };

  test('go from queued through running to succeeded, with progress, files and costs', async () => {
    const { id } = await project();
    const started = await start(id);
    expect(await findLatestRun(qa, 'qa.scan', started.workflowRuntimeId)).toMatchObject({
      status: 'queued',
      progress: 0,
    });
    const before = await qa.store.runs.get(started.workflowRunId);
    const release = Promise.withResolvers<void>();
    let seen: RunContext | undefined;
    await using _worker = worker(async (run, context) => {
      seen = context;
      expect(run.runtime.payload).toEqual({ deep: true });
      context.progress(1, 4, 'the first page');
      await context.saveArtifact({ kind: 'console', name: 'log.txt', contentType: 'text/plain', data: 'said' });
      await context.charge({ pages: 3, browserMs: 12.4 });
      await release.promise;
      return { result: { pages: 3 } };
    });
    await expect
      .poll(() => findLatestRun(qa, 'qa.scan', started.workflowRuntimeId))
      .toMatchObject({ status: 'running', progress: 25, message: 'the first page' });
    release.resolve();
    const run = await ended(started.workflowRuntimeId);
    expect(run).toMatchObject({ status: 'succeeded', progress: 100, message: null, row: { result: { pages: 3 } } });
    // A caller that read the row before its end and the job after it still gets the result.
    expect(before && (await currentRun(qa, before))).toMatchObject({ status: 'succeeded', row: run.row });
    expect(run.updatedAt).toBeGreaterThanOrEqual(run.startedAt ?? Number.POSITIVE_INFINITY);
    expect(seen?.inside).toEqual(['10.0.0.0/8']);
    const [file] = await qa.store.artifacts.list({ runId: started.workflowRunId });
    expect(file && (await readFile(artifacts.localPath(file.file) ?? '', 'utf8'))).toBe('said');
    expect(await qa.store.costs.list({ projectId: id })).toMatchObject([{ pages: 3, browserMs: 12, kind: 'qa.scan' }]);
  });

  test('fail with a reason, with a log reference, or by a verdict', async () => {
    const { id } = await project();
    const outcomes = [
      () => Promise.reject(new Failure('site_failed', 'DOWN', 'The site does not answer.', { field: 'url' })),
      () => Promise.reject(new Error('private detail')),
      async () => ({ result: {}, verdict: 'failed' as const, error: 'The total is wrong.' }),
    ];
    const errors: unknown[] = [];
    const results: unknown[] = [];
    for (const outcome of outcomes) {
      const { workflowRuntimeId } = await start(id);
      await using _worker = worker(outcome);
      const run = await ended(workflowRuntimeId);
      expect(run.status).toBe('failed');
      errors.push(run.error);
      results.push(run.row.result);
    }
    // What a caller can act on: the code and the details of the failure.
    const reported = { error: 'UPSTREAM_ERROR', details: { reason: 'DOWN', field: 'url' } };
    expect(results).toMatchObject([reported, { error: 'INTERNAL_ERROR' }, {}]);
    expect(errors).toEqual([
      'The site does not answer.',
      expect.stringMatching(
        /^Internal error in run wfrun_\w+; the log has the details\. Report this id to the operator of the server\.$/,
      ),
      'The total is wrong.',
    ]);
  });

  test('stop when cancelled, queued or running', async () => {
    const { id } = await project();
    const waiting = await start(id);
    expect(await cancelRun(qa, waiting.workflowRunId, signal)).toMatchObject({ status: 'cancelled' });
    let stopped = 0;
    const begun = Promise.withResolvers<void>();
    await using _worker = worker((_run, context) => {
      begun.resolve();
      return new Promise((_resolve, reject) =>
        context.signal.addEventListener('abort', () => {
          if (context.isCancelled()) stopped++;
          reject(context.signal.reason);
        }),
      );
    });
    const running = await start(id);
    await begun.promise;
    expect(await cancelRun(qa, running.workflowRunId, signal)).toMatchObject({ status: 'cancelled' });
    expect(stopped).toBe(1);
    expect(await cancelRun(qa, running.workflowRunId, signal)).toMatchObject({ status: 'cancelled' });
    expect(await qa.store.runs.get(waiting.workflowRunId)).toMatchObject({ startedAt: null, status: 'cancelled' });
  });

  test('keep their status when cancelled after their end', async () => {
    const { id } = await project();
    const { workflowRuntimeId, workflowRunId } = await start(id);
    await using _worker = worker(async () => ({ result: null }));
    await ended(workflowRuntimeId);
    expect(await cancelRun(qa, workflowRunId, signal)).toMatchObject({ status: 'succeeded' });
    expect(await cancelRuntime(qa, workflowRuntimeId, signal)).toEqual([]);
    expect(await qa.store.runtimes.get(workflowRuntimeId)).toMatchObject({ status: 'cancelled' });
  });

  test('are cancelled together with their workflow; the newest is the latest', async () => {
    const { id } = await project();
    const { workflowRuntimeId, workflowRunId } = await start(id);
    const runtime = await qa.store.runtimes.get(workflowRuntimeId);
    if (!runtime) throw new Error('gone');
    await expect.poll(async () => (await startQaRun(qa, runtime)).createdAt).toBeGreaterThan(runtime.createdAt);
    expect((await findLatestRun(qa, 'qa.scan', workflowRuntimeId)).id).not.toBe(workflowRunId);
    const cancelled = await cancelRuntime(qa, workflowRuntimeId, signal);
    expect(cancelled.length).toBeGreaterThan(1);
    expect(cancelled.every(({ status }) => status === 'cancelled')).toBe(true);
  });

  test('resume from their checkpoint after a worker stops or dies', async () => {
    const { id } = await project();
    const { workflowRuntimeId, workflowRunId } = await start(id);
    const begun = Promise.withResolvers<void>();
    {
      await using _first = worker(async (_run, context) => {
        await context.checkpoint({ at: 5 });
        begun.resolve();
        return new Promise((_resolve, reject) =>
          context.signal.addEventListener('abort', () => reject(context.signal.reason)),
        );
      });
      await begun.promise;
    }
    expect(await findLatestRun(qa, 'qa.scan', workflowRuntimeId)).toMatchObject({ status: 'queued' });
    await using _second = worker(async (run) => ({ result: { from: run.checkpoint } }));
    expect(await ended(workflowRuntimeId)).toMatchObject({ status: 'succeeded', row: { result: { from: { at: 5 } } } });
    await leaveToTheDead(workflowRunId);
    expect(await ended(workflowRuntimeId)).toMatchObject({ status: 'succeeded', row: { result: { from: { at: 5 } } } });
  });

  /** As if the worker had been killed between the outcome and the end of its job. */
  async function leaveToTheDead(runId: string): Promise<void> {
    const row = await qa.store.runs.get(runId);
    await store.db
      .updateTable('jobs')
      .set({ state: 'running', worker: 'dead', lease_until: 1, ended_at: null })
      .where('id', '=', row?.jobId ?? '')
      .execute();
  }

  test('stay failed if the worker dies before it reports the failure', async () => {
    const { id } = await project();
    const { workflowRuntimeId, workflowRunId } = await start(id);
    let begun = 0;
    await using _worker = worker(async () => {
      begun++;
      throw new Failure('site_failed', 'DOWN', 'The site does not answer.');
    });
    expect(await ended(workflowRuntimeId)).toMatchObject({ status: 'failed' });
    await leaveToTheDead(workflowRunId);
    expect(await ended(workflowRuntimeId)).toMatchObject({ status: 'failed', error: 'The site does not answer.' });
    expect(begun).toBe(1);
  });

  test('never start if their workflow is cancelled during the start', async () => {
    const { id } = await project();
    const { workflowRuntimeId } = await start(id);
    const runtime = await qa.store.runtimes.get(workflowRuntimeId);
    if (!runtime) throw new Error('gone');
    await cancelRuntime(qa, workflowRuntimeId, signal);
    // The caller read the workflow before it was cancelled.
    const { id: runId } = await startQaRun(qa, runtime);
    const row = await qa.store.runs.get(runId);
    expect(row && (await currentRun(qa, row))).toMatchObject({ status: 'cancelled' });
  });

  test('keep their message and field names when secrets are redacted', async () => {
    const { id } = await project();
    await createSecret(qa, id, { name: 'WORD', value: 'failed' });
    await createSecret(qa, id, { name: 'OTHER', value: 'pages' });
    const { workflowRuntimeId } = await start(id);
    await using _worker = worker(async (_run, context) => {
      context.progress(1, 2, 'looking at /');
      return { result: { pages: 'all pages' }, verdict: 'failed', message: 'that was all' };
    });
    expect(await ended(workflowRuntimeId)).toMatchObject({
      status: 'failed',
      message: 'that was all',
      row: { verdict: 'failed', result: { pages: 'all [secret]' } },
    });
  });

  test('end with their parent run', async () => {
    const { id: projectId } = await project();
    const { workflowRuntimeId, workflowRunId } = await start(projectId);
    const part = await qa.store.runs.insert({
      ...{ owner: qa.owner, projectId, runtimeId: workflowRuntimeId, parentRunId: workflowRunId, kind: 'qa.replay' },
      ...{ status: 'running', progress: 0, result: null, checkpoint: null },
    });
    expect((await findLatestRun(qa, 'qa.scan', workflowRuntimeId)).id).toBe(workflowRunId);
    await cancelRuntime(qa, workflowRuntimeId, signal);
    expect(await cancelRun(qa, part.id, signal)).toMatchObject({ status: 'cancelled' });
  });

  test('are found only by their kind and owner', async () => {
    const { id } = await project();
    const { workflowRuntimeId, workflowRunId } = await start(id);
    const other = contextFor('other');
    await expect(findLatestRun(qa, 'qa.replay', workflowRuntimeId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(findLatestRun(other, 'qa.scan', workflowRuntimeId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(cancelRun(other, workflowRunId, signal)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(startRuntime(other, { projectId: id, kind: 'qa.scan', payload: {} })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    const page = { page: 1, pageSize: 20 };
    expect((await listRuntimes(other, 'qa.scan', undefined, page)).data).toEqual([]);
    const listed = await listRuntimes(qa, 'qa.scan', id, page);
    expect(listed.data).toMatchObject([{ runtime: { id: workflowRuntimeId }, latestRun: { status: 'queued' } }]);
    await cancelRuntime(qa, workflowRuntimeId, signal);
  });

  test('redact secrets from results, errors, files, checkpoints and the log', async () => {
    const { id } = await project();
    await createSecret(qa, id, { name: 'PASSWORD', value: SECRET });
    lines.length = 0;
    const leaky: RunHandler = async (run, context) => {
      const value = context.secrets.value('PASSWORD');
      expect(value).toBe(SECRET);
      context.log.warn({ filled: value }, `filled ${value}`);
      context.progress(1, 2, `typing ${value}`);
      await context.checkpoint({ typed: value });
      await context.saveArtifact({
        kind: 'console',
        name: 'console.txt',
        contentType: 'text/plain',
        data: `POST p=${value}`,
      });
      await context.saveArtifact({
        kind: 'trace',
        name: 'raw.bin',
        contentType: 'x/y',
        data: Buffer.from(`\0${value}\xff`),
      });
      if (run.runtime.name === 'plan') throw new Failure('site_failed', 'X', `The page said ${value}.`, { value });
      if (run.runtime.name === 'bug') throw new Error(`cannot type ${value}`);
      return { result: { typed: value }, verdict: 'failed', error: `got ${Buffer.from(value).toString('base64')}` };
    };
    await using _worker = worker(leaky);
    for (const name of ['fine', 'plan', 'bug']) {
      const { workflowRuntimeId } = await startRuntime(qa, { projectId: id, kind: 'qa.scan', payload: {}, name });
      expect((await ended(workflowRuntimeId)).status).toBe('failed');
    }
    const kept = await Promise.all([
      qa.store.runs.list({ projectId: id }),
      store.db.selectFrom('jobs').selectAll().execute(),
      ...(await qa.store.artifacts.list({ projectId: id })).map((one) =>
        readFile(artifacts.localPath(one.file) ?? '', 'utf8'),
      ),
    ]);
    const everything = JSON.stringify([kept, lines]);
    expect(everything).toContain('[secret]');
    expect(everything).not.toContain(SECRET);
    expect(everything).not.toContain(Buffer.from(SECRET).toString('base64'));
    expect(lines.join('')).toContain('cannot type [secret]');
  });
});
