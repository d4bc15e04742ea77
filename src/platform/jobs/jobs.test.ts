import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Folder, newFolder } from '../../../test/support/folders.ts';
import { openTestStore } from '../../../test/support/open-store.ts';
import { startPostgres } from '../../../test/support/services/postgres.ts';
import { Failure } from '../errors.ts';
import { currentLogFields, withLogFields } from '../log.ts';
import { databaseClock } from '../store/database-clock.ts';
import type { Store } from '../store/store.ts';
import { type JobHandler, runJobWorker } from './job-worker.ts';
import { createJobs, endedStates, type Job, type Jobs } from './jobs.ts';

const postgres = await startPostgres();
afterAll(() => postgres[Symbol.asyncDispose]());
const me = { issuer: 'local', subject: 'me' };
const log = pino({ level: 'silent' });

describe.each([
  ['a SQLite file', undefined],
  ['PostgreSQL', postgres.url],
])('jobs in %s', (_, url) => {
  let folder: Folder;
  let store: Store;
  let another: Store;
  let jobs: Jobs;
  beforeAll(async () => {
    folder = await newFolder();
    [store, another] = await Promise.all([
      openTestStore({ home: folder.path, url }),
      openTestStore({ home: folder.path, url }),
    ]);
    jobs = createJobs(store);
  });
  afterAll(async () => {
    await store?.[Symbol.asyncDispose]();
    await another?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  /** Workers for one kind of job, until the test is over. */
  function workers(kind: string, handler: JobHandler, { count = 1, slots = 2 } = {}) {
    const stop = new AbortController();
    const handlers = new Map([[kind, handler]]);
    const running = Array.from({ length: count }, (_, i) =>
      runJobWorker({ store: i % 2 ? another : store, handlers, slots, log, signal: stop.signal }),
    );
    return {
      async stop() {
        stop.abort();
        await Promise.all(running);
      },
    };
  }

  const ended = async (id: string): Promise<Job> => {
    await expect.poll(async () => endedStates.includes((await jobs.get(id, me))?.state ?? 'queued')).toBe(true);
    const job = await jobs.get(id, me);
    if (!job) throw new Error('gone');
    return job;
  };

  test('go from queued to running to their result and report progress', async () => {
    const { id, state } = await jobs.submit('sum', me, { numbers: [1, 2, 3] });
    expect(state).toBe('queued');
    const release = Promise.withResolvers<void>();
    const at = workers('sum', async ({ payload }, { progress }) => {
      progress({ done: 1 });
      await release.promise;
      return { sum: JSON.stringify(payload).length };
    });
    await expect.poll(async () => (await jobs.get(id, me))?.progress).toEqual({ done: 1 });
    expect(await jobs.get(id, me)).toMatchObject({ state: 'running', attempts: 1, startedAt: expect.any(Number) });
    release.resolve();
    expect(await ended(id)).toMatchObject({ state: 'succeeded', result: { sum: 19 }, endedAt: expect.any(Number) });
    await at.stop();
  });

  test('run once each with many workers', async () => {
    const done: string[] = [];
    const submitted = await Promise.all(Array.from({ length: 12 }, (_, i) => jobs.submit('once', me, i)));
    const at = workers('once', async ({ id }) => done.push(id), { count: 3 });
    await Promise.all(submitted.map(({ id }) => ended(id)));
    await at.stop();
    expect(done.toSorted()).toEqual(submitted.map(({ id }) => id).toSorted());
  });

  test('fail with the message of a typed failure, or with a pointer to the log', async () => {
    const planned = await jobs.submit('fail', me, 'planned');
    const unplanned = await jobs.submit('fail', me, 'unplanned');
    const at = workers('fail', async ({ payload }) => {
      throw payload === 'planned' ? new Failure('site_failed', 'DNS', 'No such host.') : new Error('secret detail');
    });
    expect(await ended(planned.id)).toMatchObject({ state: 'failed', error: 'No such host.' });
    const failed = await ended(unplanned.id);
    expect(failed.error).toContain(unplanned.id);
    expect(failed.error).not.toContain('secret');
    await at.stop();
  });

  test('can be withdrawn before they start only, and tell their states together', async () => {
    const [waiting, running] = [await jobs.submit('withdraw', me, 'a'), await jobs.submit('busy', me, 'b')];
    const begun = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const at = workers('busy', async () => {
      begun.resolve();
      await release.promise;
      return 'done';
    });
    await begun.promise;
    expect(await jobs.withdraw(waiting.id, { issuer: 'test', subject: 'another owner' })).toBe(false);
    expect(await jobs.withdraw(waiting.id, me)).toBe(true);
    expect(await jobs.withdraw(waiting.id, me)).toBe(false);
    expect(await jobs.withdraw(running.id, me)).toBe(false);
    const ids = [waiting.id, running.id, 'unknown'];
    expect(Object.fromEntries(await jobs.outcomes(ids, me))).toEqual({
      [waiting.id]: { state: 'cancelled', result: null },
      [running.id]: { state: 'running', result: null },
    });
    expect(await jobs.list('withdraw', me, { isUnfinished: true })).toEqual([]);
    expect(await jobs.list('busy', me, { isUnfinished: true })).toMatchObject([{ id: running.id }]);
    release.resolve();
    expect(await ended(running.id)).toMatchObject({ state: 'succeeded' });
    expect([...(await jobs.outcomes([running.id], me)).values()]).toEqual([{ state: 'succeeded', result: 'done' }]);
    expect((await jobs.outcomes([], me)).size).toBe(0);
    await at.stop();
  });

  test('can be cancelled before they start and while they run', async () => {
    const waiting = await jobs.submit('cancel', me, null);
    expect(await jobs.cancel(waiting.id, me)).toBe(true);
    expect(await ended(waiting.id)).toMatchObject({ state: 'cancelled', attempts: 0 });
    const begun = Promise.withResolvers<void>();
    const at = workers('cancel', (_job, { signal }) => {
      begun.resolve();
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    const running = await jobs.submit('cancel', me, null);
    await begun.promise;
    expect(await jobs.cancel(running.id, me)).toBe(true);
    expect(await ended(running.id)).toMatchObject({ state: 'cancelled' });
    expect(await jobs.cancel(running.id, me)).toBe(false);
    await at.stop();
  });

  test('tell their handler when it asks whether it still has the job', async () => {
    const [begun, cancelled] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const seen: string[] = [];
    const at = workers('confirm', async (_job, { confirm }) => {
      await confirm();
      begun.resolve();
      await cancelled.promise;
      await confirm().catch((error: unknown) => seen.push(String(error)));
      throw new Error('no longer wanted');
    });
    const { id } = await jobs.submit('confirm', me, null);
    await begun.promise;
    await jobs.cancel(id, me);
    cancelled.resolve();
    expect(await ended(id)).toMatchObject({ state: 'cancelled' });
    expect(seen).toEqual(['Error: cancelled']);
    await at.stop();
  });

  test('continue on another worker when theirs stops or dies', async () => {
    const { id } = await jobs.submit('move', me, null);
    const begun = Promise.withResolvers<void>();
    const first = workers('move', (_job, { signal }) => {
      begun.resolve();
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    await begun.promise;
    await first.stop();
    expect(await jobs.get(id, me)).toMatchObject({ state: 'queued', attempts: 0 });
    // A killed worker leaves a running job whose lease is not renewed.
    await store.db
      .updateTable('jobs')
      .set({ state: 'running', worker: 'dead', lease_until: 1, attempts: 1 })
      .where('id', '=', id)
      .execute();
    const second = workers('move', async () => 'done');
    expect(await ended(id)).toMatchObject({ state: 'succeeded', attempts: 2 });
    await second.stop();
  });

  test('fail after they have killed several workers', async () => {
    const { id } = await jobs.submit('poison', me, null);
    await store.db.updateTable('jobs').set({ attempts: 5 }).where('id', '=', id).execute();
    const at = workers('poison', async () => 'never');
    expect(await ended(id)).toMatchObject({ state: 'failed', error: expect.stringContaining('worker died') });
    await at.stop();
  });

  test('are not started twice by a worker whose machine slept through its lease', async () => {
    const { id } = await jobs.submit('sleeper', me, null);
    const [release, stop] = [Promise.withResolvers<null>(), new AbortController()];
    let begun = 0;
    const handler = () => {
      begun++;
      return release.promise;
    };
    const running = runJobWorker({
      store,
      handlers: new Map([['sleeper', handler]]),
      slots: 2,
      log,
      signal: stop.signal,
    });
    await expect.poll(() => begun).toBe(1);
    // The clock of the database has passed the end of the lease while the worker was asleep.
    await store.db.updateTable('jobs').set({ lease_until: 1 }).where('id', '=', id).execute();
    const lease = async () =>
      (await store.db.selectFrom('jobs').select('lease_until').where('id', '=', id).executeTakeFirst())?.lease_until;
    await expect.poll(lease).toBeGreaterThan(1);
    release.resolve(null);
    expect(await ended(id)).toMatchObject({ state: 'succeeded', attempts: 1 });
    expect(begun).toBe(1);
    stop.abort();
    await running;
  });

  test('start first for the owner with the fewest running jobs', async () => {
    const begun: string[] = [];
    const release = Promise.withResolvers<void>();
    const busy = { issuer: 'local', subject: 'busy' };
    for (const name of ['busy-1', 'busy-2', 'busy-3']) await jobs.submit('fair', busy, name);
    const { id } = await jobs.submit('fair', me, 'other');
    const at = workers('fair', async ({ payload }) => {
      begun.push(String(payload));
      await release.promise;
      return null;
    });
    await expect.poll(() => begun).toEqual(['busy-1', 'other']);
    release.resolve();
    await ended(id);
    await at.stop();
  });

  test('of one owner do not block those of another, even if they take long', async () => {
    const begun: string[] = [];
    const release = Promise.withResolvers<void>();
    const busy = { issuer: 'local', subject: 'busy' };
    const [small, late] = [
      { issuer: 'local', subject: 'small' },
      { issuer: 'local', subject: 'late' },
    ];
    const gates = new Map<string, () => void>();
    const at = workers('reserve', async ({ payload }) => {
      begun.push(String(payload));
      const gate = Promise.withResolvers<void>();
      gates.set(String(payload), gate.resolve);
      await Promise.race([gate.promise, release.promise]);
      return null;
    });
    for (const name of ['busy-1', 'busy-2', 'busy-3']) await jobs.submit('reserve', busy, name);
    await expect.poll(() => begun).toEqual(['busy-1', 'busy-2']);
    // Of the two, one alone gets the place beyond those that the busy owner has.
    const ofSmall = [await jobs.submit('reserve', small, 'small-1'), await jobs.submit('reserve', small, 'small-2')];
    await expect.poll(() => begun).toEqual(['busy-1', 'busy-2', 'small-1']);
    gates.get('busy-1')?.();
    await jobs.submit('reserve', late, 'late-1');
    await expect.poll(() => begun).toEqual(['busy-1', 'busy-2', 'small-1', 'late-1']);
    release.resolve();
    for (const { id } of ofSmall) await expect.poll(async () => (await jobs.get(id, small))?.state).toBe('succeeded');
    await at.stop();
  });

  test('log with the trace of the call that submitted them', async () => {
    const trace = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736' };
    const { id } = await withLogFields(trace, () => jobs.submit('traced', me, null));
    const at = workers('traced', async () => ({ ...currentLogFields() }));
    expect((await ended(id)).result).toEqual(trace);
    await at.stop();
  });

  test('finish after the store was unavailable for a while', async () => {
    const at = workers('patient', async () => 'done');
    if (url)
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()`
        .execute(another.db)
        .catch(() => {});
    else {
      const rival = new DatabaseSync(join(folder.path, 'assay.db'));
      rival.exec('begin exclusive');
      // Longer than a statement waits, so that the worker has met it.
      await expect(jobs.submit('patient', me, null)).rejects.toThrow(/locked/);
      rival.exec('rollback');
      rival.close();
    }
    const submitted = await expect
      .poll(() => jobs.submit('patient', me, null).catch(() => undefined))
      .toBeDefined()
      .then(() => jobs.list('patient', me));
    expect((await ended(submitted[0]?.id ?? '')).result).toBe('done');
    await at.stop();
  });

  if (url === undefined)
    test('keep their result when the store is locked at their end', async () => {
      const rival = new DatabaseSync(join(folder.path, 'assay.db'));
      const at = workers('locked', async () => {
        rival.exec('begin exclusive');
        return 'done';
      });
      const { id } = await jobs.submit('locked', me, null);
      // Readers continue during a write transaction; this one locks the file for all until the worker has met it.
      await expect.poll(() => jobs.submit('in the way', me, null).catch((error) => error.message)).toMatch(/locked/);
      rival.exec('rollback');
      rival.close();
      expect(await ended(id)).toMatchObject({ state: 'succeeded', result: 'done' });
      await at.stop();
    });

  if (url === undefined)
    test('are claimed fast with many ended jobs in the table', async () => {
      const asked = sql`explain query plan select count(*) from jobs where owner = 'a' and state = 'running'`;
      const { rows } = await asked.execute(store.db);
      expect(JSON.stringify(rows)).toContain('(owner=? AND state=?)');
    });

  test('belong to the owner who submitted them', async () => {
    const { id } = await jobs.submit('mine', me, null);
    const other = { issuer: 'local', subject: 'other' };
    expect(await jobs.get(id, other)).toBeUndefined();
    expect(await jobs.list('mine', other)).toEqual([]);
    expect(await jobs.cancel(id, other)).toBe(false);
    expect(await jobs.list('mine', me)).toMatchObject([{ id }]);
    expect(await jobs.hasUnfinished()).toBe(true);
  });

  test('of a dead worker are awaited and run by a worker that runs until idle', async () => {
    await store.db.deleteFrom('jobs').execute();
    const { id } = await jobs.submit('left', me, null);
    const later = await jobs.submit('left', me, null, { notBefore: Date.now() + 86_400_000 });
    await store.db
      .updateTable('jobs')
      .set({ state: 'running', worker: 'dead', attempts: 1, lease_until: sql`${databaseClock(store)} + 1500` })
      .where('id', '=', id)
      .execute();
    const handlers = new Map<string, JobHandler>([['left', async () => 'done']]);
    await runJobWorker({ store, handlers, slots: 1, log, signal: new AbortController().signal, untilIdle: true });
    expect(await jobs.get(id, me)).toMatchObject({ state: 'succeeded', attempts: 2 });
    // What is not due yet does not keep it.
    expect(await jobs.get(later.id, me)).toMatchObject({ state: 'queued' });
  });

  test('fail once if their row is damaged, and do not keep a worker that runs until idle', async () => {
    await store.db.deleteFrom('jobs').execute();
    const damaged = await jobs.submit('damaged', me, 'unreadable');
    const intact = await jobs.submit('damaged', me, 'readable');
    await store.db.updateTable('jobs').set({ payload: '{bad' }).where('id', '=', damaged.id).execute();
    const begun: unknown[] = [];
    const handlers = new Map<string, JobHandler>([['damaged', async ({ payload }) => begun.push(payload)]]);
    await runJobWorker({ store, handlers, slots: 1, log, signal: new AbortController().signal, untilIdle: true });
    expect(begun).toEqual(['readable']);
    expect(await jobs.get(intact.id, me)).toMatchObject({ state: 'succeeded' });
    const message = `Cannot use the row ${damaged.id} of the table jobs: its column payload is damaged. Restore the store from a backup, or delete the row.`;
    const row = await store.db.selectFrom('jobs').selectAll().where('id', '=', damaged.id).executeTakeFirst();
    expect(row).toMatchObject({ state: 'failed', attempts: 1, error: message, ended_at: expect.any(Number) });
    await expect(jobs.get(damaged.id, me)).rejects.toMatchObject({ code: 'STORE_DAMAGED', message });
  });

  test('are run by a worker that runs until idle after the store was unavailable for a while', async () => {
    await store.db.deleteFrom('jobs').execute();
    const { id } = await jobs.submit('waiting', me, null);
    await sql`alter table jobs rename to jobs_away`.execute(another.db);
    // The second error shows that the worker continued after the first one.
    const metTwice = Promise.withResolvers<void>();
    const errors: string[] = [];
    const write = (line: string) => {
      if (errors.push(line) === 2) metTwice.resolve();
    };
    const handlers = new Map<string, JobHandler>([['waiting', async () => 'done']]);
    const { signal } = new AbortController();
    const working = runJobWorker({ store, handlers, slots: 1, log: pino({}, { write }), signal, untilIdle: true });
    try {
      await Promise.race([metTwice.promise, working]);
    } finally {
      await sql`alter table jobs_away rename to jobs`.execute(another.db);
    }
    await working;
    expect(await jobs.get(id, me)).toMatchObject({ state: 'succeeded', result: 'done' });
  });

  test('end a worker that runs until idle when none is left', async () => {
    await store.db.deleteFrom('jobs').execute();
    const { id } = await jobs.submit('last', me, null);
    const handlers = new Map<string, JobHandler>([['last', async () => 'done']]);
    await runJobWorker({ store, handlers, slots: 1, log, signal: new AbortController().signal, untilIdle: true });
    expect(await jobs.get(id, me)).toMatchObject({ state: 'succeeded', result: 'done' });
    expect(await jobs.hasUnfinished()).toBe(false);
    expect((await jobs.statistics()).jobs).toEqual([{ kind: 'last', state: 'succeeded', count: 1 }]);
  });
});
