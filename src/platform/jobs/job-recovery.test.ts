import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
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
const workerScript = fileURLToPath(new URL('../../../test/support/jobs/worker-process.ts', import.meta.url));

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
    test('a job whose worker is killed during the commit of its end is not run again', async () => {
      const { id } = await jobs.submit('committing', me, 'signal');
      const there = workerProcess('committing');
      await expect.poll(() => there.lines).toEqual(['signal']);
      const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const locking = store.db.transaction().execute(async (transaction) => {
        await transaction.selectFrom('jobs').select('id').where('id', '=', id).forUpdate().execute();
        locked.resolve();
        await release.promise;
      });
      await locked.promise;
      there.child.kill('SIGUSR2');
      const waiting = sql<{ count: number }>`select count(*) as count from pg_stat_activity
        where wait_event_type = 'Lock' and query like 'update "jobs"%"ended_at"%'`;
      await expect.poll(async () => (await waiting.execute(store.db)).rows[0]?.count).toBe(1);
      await kill(there.child);
      release.resolve();
      await locking;
      const stop = workerHere('committing', 'of the second');
      const next = await jobs.submit('committing', me, 'next');
      await expect.poll(() => jobs.get(next.id, me)).toMatchObject({ state: 'succeeded', result: 'of the second' });
      await expect
        .poll(() => jobs.get(id, me))
        .toMatchObject({ state: 'succeeded', result: 'of the process', attempts: 1 });
      await stop();
    });

  if (url)
    test('an older worker continues while a newer version runs, leaves its kinds of jobs, and cannot start again', async () => {
      const older = workerProcess('rolling');
      await jobs.submit('rolling', me, 'before');
      await expect.poll(() => older.lines).toEqual(['before', 'ended']);
      // What the start of a newer version does.
      await sql`alter table jobs add column later text`.execute(store.db);
      await sql`insert into kysely_migration (name, timestamp) values ('999-later', 'now')`.execute(store.db);
      const newer = await jobs.submit('rolling newer', me, 'newer');
      await jobs.submit('rolling', me, 'after');
      await expect.poll(() => older.lines).toEqual(['before', 'ended', 'after', 'ended']);
      expect(await jobs.get(newer.id, me)).toMatchObject({ state: 'queued', attempts: 0 });
      const restarted = workerProcess('rolling');
      await expect.poll(() => restarted.child.exitCode).toBe(1);
      expect(restarted.lines).toEqual([]);
      const stop = workerHere('rolling newer', 'of the newer');
      await expect.poll(() => jobs.get(newer.id, me)).toMatchObject({ state: 'succeeded', result: 'of the newer' });
      await stop();
      await sql`delete from kysely_migration where name = '999-later'`.execute(store.db);
      await sql`alter table jobs drop column later`.execute(store.db);
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
