import { once } from 'node:events';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Folder, newFolder } from '../../../test/support/folders.ts';
import { openTestStore } from '../../../test/support/open-store.ts';
import { startPostgres } from '../../../test/support/services/postgres.ts';
import { Failure } from '../errors.ts';
import type { Json } from '../json.ts';
import type { Store } from '../store/store.ts';
import { createJobAdmin } from './job-admin.ts';
import { awaitsParts } from './job-parts.ts';
import { type JobContext, type JobHandler, runJobWorker } from './job-worker.ts';
import { createJobs, type Job, type Jobs } from './jobs.ts';

const postgres = await startPostgres();
afterAll(() => postgres[Symbol.asyncDispose]());
const me = { issuer: 'local', subject: 'me' };
const log = pino({ level: 'silent' });

describe.each([
  ['a SQLite file', undefined],
  ['PostgreSQL', postgres.url],
])('parts of jobs in %s', (_, url) => {
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

  function workers(handlers: Record<string, JobHandler>, { count = 1, slots = 2 } = {}) {
    const stop = new AbortController();
    const options = { handlers: new Map(Object.entries(handlers)), slots, log, signal: stop.signal };
    const running = stores.slice(0, count).map((each) => runJobWorker({ store: each, ...options }));
    return {
      async stop() {
        stop.abort();
        await Promise.all(running);
      },
    };
  }

  const state = async (id: string) => (await jobs.get(id, me))?.state;
  const partsOf = ({ id }: Job, count: number) =>
    Array.from({ length: count }, (_part, number) => ({ id: `${id}.${number}`, kind: 'part', payload: number }));

  /** Splits itself once, and returns `whole` when it starts again. */
  const split =
    (count: number, options: { atATime?: number } = {}) =>
    async (job: Job, { submitParts, signal }: JobContext) => {
      signal.throwIfAborted();
      const done = await store.db.selectFrom('jobs').select('state').where('parent_id', '=', job.id).execute();
      if (done.length > 0 && done.every((part) => part.state === 'succeeded')) return 'whole';
      return (await submitParts(partsOf(job, count), options)) > 0 ? awaitsParts : 'nothing to do';
    };

  /** Handles parts, and counts how many run at a time. */
  function countedParts() {
    const begun: Json[] = [];
    const atATime: number[] = [];
    let running = 0;
    const handler: JobHandler = async ({ payload }) => {
      begun.push(payload);
      atATime.push(++running);
      await sql`select 1`.execute(store.db);
      running--;
      return null;
    };
    return { begun, atATime, handler };
  }

  test('run once each on all workers, and then the job goes on once', async () => {
    const { begun, handler } = countedParts();
    let starts = 0;
    const plan = split(20);
    const whole: JobHandler = (job, context) => {
      starts++;
      return plan(job, context);
    };
    const at = workers({ whole, part: handler }, { count: 4 });
    for (let round = 1; round <= 5; round++) {
      const { id } = await jobs.submit('whole', me, null);
      await expect.poll(() => jobs.get(id, me)).toMatchObject({ state: 'succeeded', result: 'whole', attempts: 1 });
      expect(starts).toBe(2 * round);
      expect(begun).toHaveLength(20 * round);
    }
    await at.stop();
  });

  test('start in their order, and not more at a time than the job allows', async () => {
    const { begun, atATime, handler } = countedParts();
    const at = workers({ whole: split(12, { atATime: 1 }), part: handler }, { count: 4 });
    const { id } = await jobs.submit('whole', me, null);
    await expect.poll(() => state(id)).toBe('succeeded');
    expect(begun).toEqual(Array.from({ length: 12 }, (_part, number) => number));
    expect(Math.max(...atATime)).toBe(1);
    await at.stop();
  });

  test('share the limit of the job, which holds none while it waits', async () => {
    const { atATime, handler } = countedParts();
    const at = workers({ whole: split(6), part: handler }, { count: 4 });
    const limit = { key: `parts ${String(url)}`, max: 1 };
    const [one, two] = [await jobs.submit('whole', me, 1, { limit }), await jobs.submit('whole', me, 2, { limit })];
    await expect.poll(() => Promise.all([state(one.id), state(two.id)])).toEqual(['succeeded', 'succeeded']);
    expect(Math.max(...atATime)).toBe(1);
    await at.stop();
  });

  test('are stored once when the job is tried again, and are not counted as jobs of the owner', async () => {
    const release = Promise.withResolvers<null>();
    let starts = 0;
    const at = workers({
      whole: async (job, { submitParts }) => {
        const open = await submitParts(partsOf(job, 600), { atATime: 1 });
        if (++starts === 1) throw new Failure('unavailable', 'BROWSER_GONE', 'The browser ended.');
        return open > 0 ? awaitsParts : 'whole';
      },
      part: () => release.promise,
    });
    const { id } = await jobs.submit('whole', me, null);
    await expect.poll(() => jobs.get(id, me)).toMatchObject({ isWaitingForParts: true });
    const { number } = await store.db
      .selectFrom('jobs')
      .select((columns) => columns.fn.countAll<number>().as('number'))
      .where('parent_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(Number(number)).toBe(600);
    const another = await jobs.submit('another', me, null);
    expect(another).toMatchObject({ state: 'queued' });
    await jobs.cancel(another.id, me);
    await jobs.cancel(id, me);
    release.resolve(null);
    await expect.poll(() => state(id)).toBe('cancelled');
    await at.stop();
  });

  test('are cancelled with their job, which ends after the last of them', async () => {
    const begun: string[] = [];
    const release = Promise.withResolvers<void>();
    const at = workers({
      whole: split(9),
      part: async ({ id }, { signal }) => {
        begun.push(id);
        await once(signal, 'abort');
        await release.promise;
        throw signal.reason;
      },
    });
    const { id } = await jobs.submit('whole', me, null);
    await expect.poll(() => begun).toEqual([`${id}.0`, `${id}.1`]);
    expect(await jobs.get(id, me)).toMatchObject({ state: 'queued', isWaitingForParts: true });
    expect(await jobs.cancel(id, me)).toBe(true);
    const admin = createJobAdmin(store);
    expect((await admin.list({ state: 'queued' })).map((job) => job.id)).toEqual([id]);
    expect(await admin.list({ parentId: id })).toHaveLength(9);
    const states = () => Promise.all(partsOf({ id } as Job, 9).map((part) => state(part.id)));
    expect((await states()).slice(2)).toEqual(Array.from({ length: 7 }, () => 'cancelled'));
    expect(await state(id)).toBe('queued');
    release.resolve();
    await expect.poll(() => state(id)).toBe('cancelled');
    expect(new Set(await states())).toEqual(new Set(['cancelled']));
    expect(begun).toHaveLength(2);
    await at.stop();
  });

  test('end their job also if one fails, or an operator cancels one', async () => {
    const at = workers(
      {
        whole: async (job, { submitParts }) => {
          const open = await submitParts(partsOf(job, 3));
          return open > 0 ? awaitsParts : 'whole';
        },
        part: async () => {
          throw new Failure('site_failed', 'DNS', 'No such host.');
        },
      },
      { slots: 1 },
    );
    const { id } = await jobs.submit('whole', me, null);
    await expect.poll(() => state(id)).toBe('succeeded');
    await at.stop();
    const later = await jobs.submit('whole', me, null);
    const planning = workers({
      whole: async (job, { submitParts }) => ((await submitParts(partsOf(job, 1))) > 0 ? awaitsParts : 'whole'),
    });
    await expect.poll(() => jobs.get(later.id, me)).toMatchObject({ isWaitingForParts: true });
    expect(await createJobAdmin(store).cancel(`${later.id}.0`, undefined)).toBe(true);
    await expect.poll(() => jobs.get(later.id, me)).toMatchObject({ state: 'succeeded', result: 'whole' });
    await planning.stop();
  });

  test('of an attempt that another worker has replaced write nothing', async () => {
    const outcome = Promise.withResolvers<unknown>();
    const release = Promise.withResolvers<void>();
    const at = workers({
      fenced: async (job, { requireClaim, submitParts }) => {
        const write = (progress: string) =>
          store.db.transaction().execute(async (transaction) => {
            await requireClaim(transaction);
            await transaction.updateTable('jobs').set({ error: progress }).where('id', '=', job.id).execute();
          });
        await write('of the holder');
        await release.promise;
        const errors = await Promise.allSettled([write('of the earlier'), submitParts(partsOf(job, 1))]);
        outcome.resolve(errors.map((one) => (one.status === 'rejected' ? String(one.reason) : 'written')));
        return null;
      },
    });
    const { id } = await jobs.submit('fenced', me, null);
    await expect.poll(() => jobs.get(id, me)).toMatchObject({ error: 'of the holder' });
    await store.db.updateTable('jobs').set({ worker: 'second', attempts: 2 }).where('id', '=', id).execute();
    release.resolve();
    const refused = 'ClaimLost: lease lost';
    expect(await outcome.promise).toEqual([refused, refused]);
    expect(await jobs.get(id, me)).toMatchObject({ error: 'of the holder', state: 'running' });
    expect(await state(`${id}.0`)).toBeUndefined();
    await at.stop();
    await store.db.deleteFrom('jobs').where('id', '=', id).execute();
  });
});
