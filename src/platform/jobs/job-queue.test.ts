import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Folder, newFolder } from '../../../test/support/folders.ts';
import { openTestStore } from '../../../test/support/open-store.ts';
import { startPostgres } from '../../../test/support/services/postgres.ts';
import { Failure } from '../errors.ts';
import { databaseClock } from '../store/database-clock.ts';
import type { Store } from '../store/store.ts';
import { createJobClaims } from './job-claims.ts';
import { type JobHandler, runJobWorker } from './job-worker.ts';
import { createJobs, type Jobs } from './jobs.ts';

const postgres = await startPostgres(['shared_preload_libraries=pg_stat_statements']);
afterAll(() => postgres[Symbol.asyncDispose]());
const me = { issuer: 'local', subject: 'me' };
const log = pino({ level: 'silent' });
const unavailable = () => new Failure('unavailable', 'BROWSER_GONE', 'The browser ended.');

describe.each([
  ['a SQLite file', undefined],
  ['PostgreSQL', postgres.url],
])('the queue in %s', (_, url) => {
  let folder: Folder;
  let stores: Store[];
  let store: Store;
  let jobs: Jobs;
  beforeAll(async () => {
    folder = await newFolder();
    stores = await Promise.all(Array.from({ length: 4 }, () => openTestStore({ home: folder.path, url })));
    [store] = stores as [Store];
    jobs = createJobs(store);
  });
  afterAll(async () => {
    for (const each of stores ?? []) await each[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  interface Extras {
    slots?: number;
    drain?: AbortSignal;
    retentionMs?: number;
    onEnd?(kind: string, outcome: string): void;
  }

  /** One worker for each store. */
  function workers(kind: string, handler: JobHandler, count = 1, { slots = 2, ...extras }: Extras = {}) {
    const stop = new AbortController();
    const handlers = new Map([[kind, handler]]);
    const running = stores
      .slice(0, count)
      .map((each) => runJobWorker({ store: each, handlers, slots, log, signal: stop.signal, ...extras }));
    return {
      ended: Promise.all(running),
      async stop() {
        stop.abort();
        await Promise.all(running);
      },
    };
  }

  const state = async (id: string) => (await jobs.get(id, me))?.state;
  const change = (id: string, columns: { lease_until?: number; attempts?: number; ended_at?: number }) =>
    store.db.updateTable('jobs').set(columns).where('id', '=', id).execute();
  const leaseOf = (id: string) =>
    store.db
      .selectFrom('jobs')
      .select((columns) => [columns('lease_until', '-', databaseClock(store)).as('left')])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();

  test('tries a job again after a failure of its environment, later each time', async () => {
    const { id } = await jobs.submit('retried', me, null);
    const retried: boolean[] = [];
    const outcomes: string[] = [];
    const at = workers(
      'retried',
      async (_job, { isRetried }) => {
        const error = unavailable();
        retried.push(isRetried(error));
        throw error;
      },
      1,
      { onEnd: (_kind, outcome) => outcomes.push(outcome) },
    );
    const delays: number[] = [];
    for (let attempt = 1; attempt < 5; attempt++) {
      await expect.poll(() => outcomes.length).toBe(attempt);
      expect(await jobs.get(id, me)).toMatchObject({ state: 'queued', attempts: attempt, error: 'The browser ended.' });
      delays.push((await leaseOf(id)).left);
      // Instead of a wait.
      await change(id, { lease_until: 0 });
    }
    await expect.poll(() => state(id)).toBe('failed');
    expect(await jobs.get(id, me)).toMatchObject({ attempts: 5, isDeadLetter: true, error: 'The browser ended.' });
    expect(delays).toEqual(delays.toSorted((a, b) => a - b));
    expect(delays.at(-1)).toBeGreaterThan(8000);
    expect(retried).toEqual([true, true, true, true, false]);
    expect(outcomes).toEqual(['retried', 'retried', 'retried', 'retried', 'failed']);
    expect(await jobs.statistics()).toMatchObject({ deadLetters: 1 });
    await at.stop();
  });

  test('does not try a job again after a failure of its own', async () => {
    const { id } = await jobs.submit('final', me, null);
    const at = workers('final', async () => {
      throw new Failure('site_failed', 'DNS', 'No such host.');
    });
    await expect.poll(() => state(id)).toBe('failed');
    expect(await jobs.get(id, me)).toMatchObject({ attempts: 1, isDeadLetter: false });
    await at.stop();
  });

  test('never runs more jobs of a key than its limit, with four workers', async () => {
    const limit = { key: 'site example.org', max: 2 };
    const ids = await Promise.all(
      Array.from({ length: 24 }, async () => (await jobs.submit('limited', me, null, { limit })).id),
    );
    let running = 0;
    const counts: number[] = [];
    const at = workers(
      'limited',
      async () => {
        counts.push(++running);
        await sql`select 1`.execute(store.db);
        running--;
        return null;
      },
      4,
      { slots: 4 },
    );
    await expect.poll(() => Promise.all(ids.map(state)).then((all) => new Set(all))).toEqual(new Set(['succeeded']));
    expect(counts).toHaveLength(24);
    expect(Math.max(...counts)).toBe(2);
    await at.stop();
  });

  test('keeps the slot of a job whose worker died until another worker has taken the job over', async () => {
    const limit = { key: 'site died.example', max: 1 };
    const dead = await jobs.submit('slot', me, 'dead', { limit });
    const next = await jobs.submit('slot', me, 'next', { limit });
    const away = workers(
      'slot',
      (_job, { signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', reject)),
    );
    await expect.poll(() => state(dead.id)).toBe('running');
    expect(await state(next.id)).toBe('queued');
    await away.stop();
    await store.db
      .updateTable('jobs')
      .set({ state: 'running', worker: 'dead', limit_slot: 0, lease_until: sql`${databaseClock(store)} + 1000` })
      .where('id', '=', dead.id)
      .execute();
    const order: unknown[] = [];
    const at = workers('slot', async ({ payload }) => order.push(payload), 2);
    await expect.poll(() => state(next.id)).toBe('succeeded');
    expect(order).toEqual(['dead', 'next']);
    await at.stop();
  });

  test('deletes jobs a while after their end, and no others', async () => {
    const [old, fresh, waiting] = [
      await jobs.submit('kept', me, null),
      await jobs.submit('kept', me, null),
      await jobs.submit('another kind', me, null),
    ];
    const at = workers('kept', async () => null);
    await expect.poll(() => Promise.all([state(old.id), state(fresh.id)])).toEqual(['succeeded', 'succeeded']);
    await at.stop();
    await change(old.id, { ended_at: 1 });
    const cleaning = workers('kept', async () => null, 1, { retentionMs: 86_400_000 });
    await expect.poll(() => state(old.id)).toBeUndefined();
    expect([await state(fresh.id), await state(waiting.id)]).toEqual(['succeeded', 'queued']);
    await cleaning.stop();
    await jobs.cancel(waiting.id, me);
  });

  test('lets running jobs end on a drain, and starts no other', async () => {
    const drain = new AbortController();
    const release = Promise.withResolvers<null>();
    const running = await jobs.submit('drained', me, null);
    const at = workers('drained', () => release.promise, 1, { slots: 1, drain: drain.signal });
    await expect.poll(() => state(running.id)).toBe('running');
    drain.abort();
    const late = await jobs.submit('drained', me, null);
    release.resolve(null);
    await at.ended;
    expect([await state(running.id), await state(late.id)]).toEqual(['succeeded', 'queued']);
    await jobs.cancel(late.id, me);
  });

  test('does not let an earlier claimant overwrite the result of a later one', async () => {
    const { id } = await jobs.submit('fenced', me, null);
    const release = Promise.withResolvers<string>();
    const first = workers('fenced', () => release.promise);
    await expect.poll(() => state(id)).toBe('running');
    await store.db.updateTable('jobs').set({ worker: 'second', attempts: 2 }).where('id', '=', id).execute();
    release.resolve('of the first');
    await first.stop();
    expect(await jobs.get(id, me)).toMatchObject({ state: 'running', result: null, attempts: 2 });
    await store.db.deleteFrom('jobs').where('id', '=', id).execute();
  });

  test('reports the age of the oldest due job, and the number of jobs by kind and state', async () => {
    const { id } = await jobs.submit('aged', me, null);
    await jobs.submit('aged', me, null, { notBefore: Date.now() + 86_400_000 });
    const hourAgo = sql<number>`${databaseClock(store)} - 3600000`;
    await store.db.updateTable('jobs').set({ created_at: hourAgo }).where('kind', '=', 'aged').execute();
    const { oldestDueSeconds, jobs: numbers } = await jobs.statistics();
    expect(Math.round(oldestDueSeconds / 60)).toBe(60);
    expect(numbers).toContainEqual({ kind: 'aged', state: 'queued', count: 2 });
    await jobs.cancel(id, me);
    expect((await jobs.statistics()).oldestDueSeconds).toBe(0);
    await store.db.deleteFrom('jobs').where('kind', '=', 'aged').execute();
  });

  if (url)
    test('costs less than one statement a second for each running job', async () => {
      await sql`create extension if not exists pg_stat_statements`.execute(store.db);
      const release = Promise.withResolvers<null>();
      let reports = 0;
      const at = workers(
        'counted',
        async (_job, { progress, signal }) => {
          const report = setInterval(() => progress(++reports), 20);
          signal.addEventListener('abort', () => clearInterval(report));
          await release.promise;
          clearInterval(report);
          return null;
        },
        1,
        { slots: 8 },
      );
      const ids = await Promise.all(Array.from({ length: 8 }, async () => (await jobs.submit('counted', me, null)).id));
      await expect.poll(() => Promise.all(ids.map(state)).then((all) => new Set(all))).toEqual(new Set(['running']));
      const read = async () => {
        const { rows } = await sql<{ calls: number; at: number }>`select coalesce(sum(calls), 0) as calls,
          extract(epoch from clock_timestamp())::float as at
          from pg_stat_statements where query like '%jobs%' and query not like '%pg_stat_statements%'`.execute(
          store.db,
        );
        return { calls: Number(rows[0]?.calls), at: Number(rows[0]?.at) };
      };
      const before = await read();
      // Progress of each job is stored at least three times.
      const stored = new Set<string>();
      await expect
        .poll(async () => {
          const { rows } = await sql<{
            progress: string;
          }>`select progress from "jobs" where id = ${ids[0]} -- pg_stat_statements`.execute(store.db);
          return stored.add(rows[0]?.progress ?? '').size;
        })
        .toBeGreaterThan(3);
      const after = await read();
      // Eight running jobs: a heartbeat and a search for work every two seconds.
      expect((after.calls - before.calls) / (after.at - before.at)).toBeLessThan(8);
      release.resolve(null);
      await expect.poll(() => Promise.all(ids.map(state)).then((all) => new Set(all))).toEqual(new Set(['succeeded']));
      await at.stop();
    });

  if (url)
    test.each([true, false])(
      'claims from a long queue without reading it (reserve slot: %s)',
      async (isReserveSlot) => {
        await sql`create extension if not exists pg_stat_statements`.execute(store.db);
        const { id } = await jobs.submit('long', me, 'x'.repeat(1000));
        await sql`insert into jobs select (jsonb_populate_record(jobs, jsonb_build_object('id', 'long ' || n, 'owner', 'owner ' || n))).*
        from jobs, generate_series(1, 2000) as n where id = ${id}`.execute(store.db);
        await sql`vacuum analyze jobs`.execute(store.db);
        await sql`select pg_stat_statements_reset()`.execute(store.db);
        const claims = createJobClaims(store, ['long']);
        // One connection, which prepares the statement; after five executions the server may keep one plan for all.
        for (let claim = 0; claim < 8; claim++) expect(await claims.claim([], isReserveSlot)).toBeDefined();
        const { rows } = await sql<{ blocks: number }>`select
          sum(shared_blks_hit + shared_blks_read) / sum(calls) as blocks
        from pg_stat_statements where query like '%skip locked%'`.execute(store.db);
        // The rows fill more than 300 blocks.
        expect(Number(rows[0]?.blocks)).toBeLessThan(100);
        const prepared = await sql<{ number: number }>`select sum(generic_plans + custom_plans) as number
          from pg_prepared_statements where statement like '%skip locked%'`.execute(store.db);
        expect(Number(prepared.rows[0]?.number)).toBeGreaterThanOrEqual(8);
        await store.db.deleteFrom('jobs').where('kind', '=', 'long').execute();
      },
    );

  if (url)
    test('starts a job at once when it is submitted, by a notice of the database', async () => {
      const begun = Promise.withResolvers<number>();
      const at = workers('noticed', async () => {
        begun.resolve(performance.now());
        return null;
      });
      // The listening connection is open.
      const listening = sql<{
        number: number;
      }>`select count(*) as number from pg_stat_activity where query like 'listen %'`;
      await expect.poll(async () => Number((await listening.execute(store.db)).rows[0]?.number)).toBeGreaterThan(0);
      const other = stores[3];
      if (!other) throw new Error('no fourth store');
      const heard = Promise.withResolvers<string>();
      store.notices.listen((text) => heard.resolve(text));
      await createJobs(other).submit('noticed', me, null);
      expect(await heard.promise).toBe('work noticed');
      await begun.promise;
      await at.stop();
    });
});
