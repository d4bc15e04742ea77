import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { toEnvironmentFailure } from '../environment-failure.ts';
import type { Json } from '../json.ts';
import { type Logger, withLogFields } from '../log.ts';
import { databaseClock } from '../store/database-clock.ts';
import type { Store } from '../store/store.ts';
import { type Job, type JobState, jobFromRow } from './jobs.ts';

/** A worker that says nothing for this long is taken for dead, and its job for free. */
const LEASE_MS = 10_000;
const HEARTBEAT_MS = 1000;
/** So soon whoever works on a job hears that it was cancelled. */
export const CANCEL_POLL_MS = 250;
const POLL_MS = 500;
/** While it tries, the heart beats on: nobody else takes the job unless the store is silent for a whole lease. */
const MAX_WRITE_TRIES = 20;
/** A job that takes its worker down with it is not begun for ever. */
const MAX_ATTEMPTS = 5;

export interface JobContext {
  /** Aborted when the job is cancelled, its lease is lost, or the worker stops. */
  signal: AbortSignal;
  /** Seen by whoever asks for the job; at most once a second reaches the store. */
  progress(value: Json): void;
}

/** Does the work. What it returns is the result; what it throws ends the job as failed. It must be able to go on where an
 * earlier attempt was cut off. */
export type JobHandler = (job: Job, context: JobContext) => Promise<Json>;

interface JobWorkerOptions {
  store: Store;
  handlers: ReadonlyMap<string, JobHandler>;
  /** Jobs at a time. One more is begun for an owner who has no job under way anywhere, so that no owner can keep the others out. */
  places: number;
  log: Logger;
  signal: AbortSignal;
  /** End when no job is due and none is running, here or elsewhere: a worker that died may have left its job. */
  untilIdle?: boolean;
}

/** Takes jobs and works on them until told to stop. What it has begun by then is put back for another worker. */
export async function runJobWorker({
  store,
  handlers,
  places,
  log,
  signal,
  untilIdle,
}: JobWorkerOptions): Promise<void> {
  const { db } = store;
  const now = databaseClock(store);
  const leaseEnd = sql<number>`${now} + ${sql.lit(LEASE_MS)}`;
  const worker = randomUUID();
  const underWay = new Set<Promise<unknown>>();
  const begun = new Set<string>();
  const kinds = [...handlers.keys()];

  while (!signal.aborted) {
    const job = underWay.size <= places ? await claim(underWay.size === places).catch(storeFailed) : undefined;
    if (job) {
      begun.add(job.id);
      const work = withLogFields(job.logFields, () => attend(job))
        .catch(storeFailed)
        .finally(() => {
          begun.delete(job.id);
          underWay.delete(work);
        });
      underWay.add(work);
      continue;
    }
    if (untilIdle && underWay.size === 0 && !(await isAnyRunning())) return;
    await Promise.race([pause(POLL_MS, undefined, { signal }).catch(() => {}), ...underWay]);
  }
  await Promise.all(underWay);

  /** The store may be locked, full or away for a while: the job keeps its lease or loses it, and work goes on later. */
  function storeFailed(error: unknown): undefined {
    log.error({ err: error }, 'the store does not answer');
  }

  async function isAnyRunning(): Promise<boolean> {
    const row = await db
      .selectFrom('jobs')
      .select('id')
      .where('kind', 'in', kinds)
      .where('state', '=', 'running')
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** One statement, so that no two workers can take the same job. */
  async function claim(isReservePlace: boolean): Promise<Job | undefined> {
    const free = db
      .selectFrom('jobs')
      .select('id')
      .where('kind', 'in', kinds)
      .where('state', 'in', ['queued', 'running'])
      .where('lease_until', '<', now)
      // After a sleep of the machine its own leases have expired; what is under way here goes on.
      .$if(begun.size > 0, (query) => query.where('id', 'not in', [...begun]))
      .$if(isReservePlace, (query) =>
        query.where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('jobs as theirs')
                .select('theirs.id')
                .whereRef('theirs.owner', '=', 'jobs.owner')
                .where('theirs.state', '=', 'running')
                .where('theirs.lease_until', '>=', now),
            ),
          ),
        ),
      )
      // Whoever has the least under way comes first, so that nobody waits behind another's hundred.
      .orderBy((order) =>
        order
          .selectFrom('jobs as theirs')
          .select((columns) => columns.fn.countAll().as('number'))
          .whereRef('theirs.owner', '=', 'jobs.owner')
          .where('theirs.state', '=', 'running'),
      )
      .orderBy('created_at')
      .limit(1);
    const row = await db
      .updateTable('jobs')
      .set({
        state: 'running',
        worker,
        lease_until: leaseEnd,
        attempts: sql<number>`attempts + 1`,
        started_at: sql<number>`coalesce(started_at, ${now})`,
      })
      .where('id', '=', store.dialect === 'postgres' ? free.forUpdate().skipLocked() : free)
      .returningAll()
      .executeTakeFirst();
    return row && jobFromRow(row);
  }

  async function attend(job: Job): Promise<void> {
    const handler = handlers.get(job.kind);
    // The worker may have been told to stop while it asked for the job.
    if (!handler || signal.aborted) return giveBack(job);
    if (job.attempts > MAX_ATTEMPTS)
      return end(job, {
        state: 'failed',
        error: `It was begun ${MAX_ATTEMPTS} times, and each time its worker died.`,
      });
    const stop = new AbortController();
    const stopToo = () => stop.abort(signal.reason);
    signal.addEventListener('abort', stopToo, { once: true });
    let reported: Json | undefined;
    let cancelled = false;
    const beat = async () => {
      const row = await db
        .updateTable('jobs')
        .set({ lease_until: leaseEnd, ...(reported !== undefined && { progress: JSON.stringify(reported) }) })
        .where('id', '=', job.id)
        .where('worker', '=', worker)
        .where('state', '=', 'running')
        .returning('cancel')
        .executeTakeFirst();
      cancelled = row?.cancel === 1;
      if (!row || cancelled) stop.abort(new Error(row ? 'cancelled' : 'lease lost'));
    };
    /** Reading is cheap, so it is done more often than the heart beats. */
    const listen = async () => {
      const row = await db.selectFrom('jobs').select('cancel').where('id', '=', job.id).executeTakeFirst();
      if (row?.cancel === 1) await beat();
    };
    const heart = repeatEvery(HEARTBEAT_MS, () =>
      beat().catch((error: unknown) => log.error({ err: error }, 'no heartbeat')),
    );
    // A store that does not answer is told of by the heart.
    const ear = repeatEvery(CANCEL_POLL_MS, () => listen().catch(() => {}));
    const progress = (value: Json) => {
      reported = value;
    };
    try {
      // What the work comes to is one thing, whether the store can be told at once another.
      const work = async () => handler(job, { signal: stop.signal, progress });
      const outcome = await work().then(
        (result) => ({ state: 'succeeded' as const, result }),
        (error: unknown) => ({ state: 'failed' as const, cause: error }),
      );
      await patiently(beat);
      if (outcome.state === 'succeeded') await patiently(() => end(job, outcome));
      else if (cancelled) await patiently(() => end(job, { state: 'cancelled' }));
      else if (signal.aborted) await patiently(() => giveBack(job));
      else if (!stop.signal.aborted) {
        const error = describeJobFailure(outcome.cause, job, log);
        await patiently(() => end(job, { state: 'failed', error }));
      }
    } finally {
      clearInterval(heart);
      clearInterval(ear);
      signal.removeEventListener('abort', stopToo);
    }
  }

  /** A store that is locked or full for a moment does not undo the work; one that stays so does, when the lease is over. */
  async function patiently(write: () => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await write();
      } catch (error) {
        if (tries === MAX_WRITE_TRIES || signal.aborted) throw error;
        storeFailed(error);
        await pause(POLL_MS, undefined, { signal }).catch(() => {});
      }
    }
  }

  async function end(
    job: Job,
    { state, result = null, error = null }: { state: JobState; result?: Json; error?: string | null },
  ) {
    await db
      .updateTable('jobs')
      .set({ state, result: JSON.stringify(result), error, ended_at: now })
      .where('id', '=', job.id)
      .where('worker', '=', worker)
      .execute();
  }

  async function giveBack({ id }: Job): Promise<void> {
    await db
      .updateTable('jobs')
      .set({ state: 'queued', worker: null, lease_until: 0, attempts: sql<number>`attempts - 1` })
      .where('id', '=', id)
      .where('worker', '=', worker)
      .execute();
  }
}

/** Does something again and again, and never twice at once. */
function repeatEvery(ms: number, work: () => Promise<unknown>): NodeJS.Timeout {
  let isBusy = false;
  return setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    void work().finally(() => {
      isBusy = false;
    });
  }, ms);
}

/** What is stored for the owner of the job, who may be on another machine. */
function describeJobFailure(error: unknown, job: Job, log: Logger): string {
  const failure = toEnvironmentFailure(error);
  if (failure !== undefined && failure === error) return failure.remoteMessage;
  log.error({ err: error, job: job.id, kind: job.kind }, 'unhandled error in job');
  if (failure) return failure.remoteMessage;
  return `Internal error in job ${job.id}; the log has the details.`;
}
