import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Folder, newFolder } from '../../../test/support/folders.ts';
import { openTestStore } from '../../../test/support/open-store.ts';
import { startPostgres } from '../../../test/support/postgres.ts';
import type { Store } from '../store/store.ts';
import { runJobWorker } from './job-worker.ts';
import { createJobs, type Jobs } from './jobs.ts';

const postgres = await startPostgres();
afterAll(() => postgres[Symbol.asyncDispose]());
const me = { issuer: 'local', subject: 'me' };
const workerScript = fileURLToPath(new URL('../../../test/support/worker-process.ts', import.meta.url));

describe.each([
  ['a SQLite file', undefined],
  ['PostgreSQL', postgres.url],
])('workers with jobs in %s', (_where, url) => {
  let folder: Folder;
  let store: Store;
  let jobs: Jobs;
  const children: ChildProcess[] = [];
  beforeAll(async () => {
    folder = await newFolder();
    store = await openTestStore({ home: folder.path, url });
    jobs = createJobs(store);
  });
  afterEach(() => Promise.all(children.splice(0).map(kill)));
  afterAll(async () => {
    await store?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  function workerProcess(kind: string) {
    const child = spawn(process.execPath, [workerScript], {
      env: {
        ...{ PATH: process.env['PATH'], WORKER_HOME: folder.path, WORKER_KIND: kind },
        ...(url && { WORKER_URL: url }),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const lines: string[] = [];
    createInterface(child.stdout).on('line', (line) => lines.push(line));
    return { child, lines };
  }

  async function kill(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    await ended;
  }

  function workerHere(kind: string, result: string) {
    const stop = new AbortController();
    const handlers = new Map([[kind, async () => result]]);
    const running = runJobWorker({ store, handlers, slots: 2, log: pino({ level: 'silent' }), signal: stop.signal });
    return async () => {
      stop.abort();
      await running;
    };
  }

  test('a job continues on another worker after kill -9', async () => {
    const { id } = await jobs.submit('killed', me, 'hold');
    const there = workerProcess('killed');
    await expect.poll(() => there.lines).toEqual(['hold']);
    await kill(there.child);
    const stop = workerHere('killed', 'of the second');
    await expect
      .poll(() => jobs.get(id, me))
      .toMatchObject({ state: 'succeeded', result: 'of the second', attempts: 2 });
    await stop();
  });

  test('a stopped process that wakes up does not overwrite the result of the second worker', async () => {
    const { id } = await jobs.submit('stopped', me, 'signal');
    const there = workerProcess('stopped');
    await expect.poll(() => there.lines).toEqual(['signal']);
    there.child.kill('SIGSTOP');
    const stop = workerHere('stopped', 'of the second');
    await expect.poll(() => jobs.get(id, me)).toMatchObject({ state: 'succeeded', attempts: 2 });
    there.child.kill('SIGCONT');
    there.child.kill('SIGUSR2');
    await expect.poll(() => there.lines).toContain('ended');
    expect(await jobs.get(id, me)).toMatchObject({ state: 'succeeded', result: 'of the second', attempts: 2 });
    await stop();
  });

  if (url)
    test('a job that runs while PostgreSQL restarts ends with its result, in its first attempt', async () => {
      const { id } = await jobs.submit('restarted', me, 'signal');
      const there = workerProcess('restarted');
      await expect.poll(() => there.lines).toEqual(['signal']);
      await postgres.stop();
      there.child.kill('SIGUSR2');
      await postgres.start();
      await expect
        .poll(() => jobs.get(id, me).catch(() => undefined))
        .toMatchObject({ state: 'succeeded', result: 'of the process', attempts: 1 });
      // The listening connection is open again, or the worker looks at intervals.
      const next = await jobs.submit('restarted', me, 'next');
      await expect.poll(async () => (await jobs.get(next.id, me))?.state).toBe('succeeded');
    });
});
