import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Folder, newFolder } from '../../../test/support/folders.ts';
import { openTestStore } from '../../../test/support/open-store.ts';
import { startPostgres } from '../../../test/support/services/postgres.ts';
import type { Store } from '../store/store.ts';
import { runJobWorker } from './job-worker.ts';
import { createJobs, type Jobs } from './jobs.ts';

const postgres = await startPostgres();
afterAll(() => postgres[Symbol.asyncDispose]());
const me = { issuer: 'local', subject: 'me' };
const shiftClock = fileURLToPath(new URL('../../../test/support/jobs/shift-clock.mjs', import.meta.url));
const workerScript = fileURLToPath(new URL('../../../test/support/jobs/worker-process.ts', import.meta.url));
const DAY_MS = 86_400_000;

describe.each([
  ['a SQLite file', undefined],
  ['PostgreSQL', postgres.url],
])('leases in %s', (_where, url) => {
  let folder: Folder;
  let store: Store;
  let jobs: Jobs;
  const children: ChildProcess[] = [];
  beforeAll(async () => {
    folder = await newFolder();
    store = await openTestStore({ home: folder.path, url });
    jobs = createJobs(store);
  });
  afterEach(() => Promise.all(children.splice(0).map(end)));
  afterAll(async () => {
    await store?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  /** A real process whose clock is wrong. */
  function workerProcess(kind: string, shiftMs: number) {
    const child = spawn(process.execPath, ['--import', shiftClock, workerScript], {
      env: {
        ...{ PATH: process.env['PATH'], WORKER_HOME: folder.path, WORKER_KIND: kind, SHIFT_CLOCK_MS: String(shiftMs) },
        ...(url && { WORKER_URL: url }),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const begun: string[] = [];
    createInterface(child.stdout).on('line', (line) => begun.push(line));
    return { child, begun };
  }

  async function end(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    await ended;
  }

  function workerHere(kind: string) {
    const stop = new AbortController();
    const begun: string[] = [];
    const handler = async ({ payload }: { payload: unknown }, { signal }: { signal: AbortSignal }) => {
      begun.push(String(payload));
      if (payload === 'hold') await once(signal, 'abort');
      return null;
    };
    const log = pino({ level: 'silent' });
    const running = runJobWorker({ store, handlers: new Map([[kind, handler]]), slots: 2, log, signal: stop.signal });
    return {
      begun,
      async stop() {
        stop.abort();
        await running;
      },
    };
  }

  test.each([15_000, DAY_MS, -DAY_MS])(
    'a worker whose clock is wrong by %i ms does not take a job that another worker holds',
    async (shiftMs) => {
      const kind = `held ${shiftMs}`;
      const here = workerHere(kind);
      await jobs.submit(kind, me, 'hold');
      await expect.poll(() => here.begun).toEqual(['hold']);
      const there = workerProcess(kind, shiftMs);
      // The oldest job comes first: a worker that takes these has found the held one taken.
      await expect
        .poll(
          async () => {
            await jobs.submit(kind, me, 'next');
            return there.begun.length;
          },
          { interval: 300 },
        )
        .toBeGreaterThan(3);
      expect(there.begun).not.toContain('hold');
      expect(here.begun.filter((payload) => payload === 'hold')).toHaveLength(1);
      await here.stop();
    },
  );

  test.each([DAY_MS, -DAY_MS])(
    'a job of a worker whose clock is wrong by %i ms is left alone while it lives, and taken when it died',
    async (shiftMs) => {
      const kind = `died ${shiftMs}`;
      const { id } = await jobs.submit(kind, me, 'hold');
      const there = workerProcess(kind, shiftMs);
      await expect.poll(() => there.begun).toEqual(['hold']);
      const here = workerHere(kind);
      await jobs.submit(kind, me, 'next');
      await expect.poll(() => [...here.begun, ...there.begun]).toContain('next');
      expect(here.begun).not.toContain('hold');
      await end(there.child);
      await expect.poll(() => here.begun).toContain('hold');
      expect(await jobs.get(id, me)).toMatchObject({ attempts: 2 });
      await here.stop();
    },
  );
});
