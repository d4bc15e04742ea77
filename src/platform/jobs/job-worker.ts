import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { toEnvironmentFailure } from '../environment-failure.ts';
import type { Json } from '../json.ts';
import { type Logger, withLogFields } from '../log.ts';
import { databaseClock } from '../store/database-clock.ts';
import type { Store } from '../store/store.ts';
import { type Job, type JobRow, type JobState, jobFromRow } from './jobs.ts';

/** A worker without a heartbeat for this long counts as dead, and another worker may claim its job. */
const LEASE_MS = 10_000;
const HEARTBEAT_MS = 1000;
/** Interval in which a worker checks whether its job was cancelled. */
export const CANCEL_POLL_MS = 250;
const POLL_MS = 500;
/**
 * Tries of a write, and of a worker that runs until idle to reach the store. The heartbeat continues during the tries of a
 * write, so no other worker claims the job unless the store fails for a whole lease.
 */
const MAX_STORE_ATTEMPTS = 20;
/** A job that crashes its worker is not started again after this many attempts. */
const MAX_ATTEMPTS = 5;

export interface JobContext {
  /** Aborted when the job is cancelled, its lease is lost, or the worker stops. */
  signal: AbortSignal;
  /** Shown to callers that read the job. Stored at most once a second. */
  progress(value: Json): void;
}

/**
 * Runs a job. The returned value is its result; an error ends it as failed. A handler must be able to continue where an
 * earlier attempt was interrupted.
 */
export type JobHandler = (job: Job, context: JobContext) => Promise<Json>;

interface JobWorkerOptions {
  store: Store;
  handlers: ReadonlyMap<string, JobHandler>;
  /** Jobs at a time. One more is started for an owner without a running job, so that no owner can block the others. */
  slots: number;
  log: Logger;
  signal: AbortSignal;
  /**
   * Ends when no job is due and none is running anywhere: a worker that died may have left its job. Throws if the store
   * stays unavailable.
   */
  untilIdle?: boolean;
}

/** Claims and runs jobs until `signal` is aborted. Unfinished jobs are released for another worker. */
export async function runJobWorker({
  store,
  handlers,
  slots,
  log,
  signal,
  untilIdle,
}: JobWorkerOptions): Promise<void> {
  const { db } = store;
  const now = databaseClock(store);
  const leaseEnd = sql<number>`${now} + ${sql.lit(LEASE_MS)}`;
  const worker = randomUUID();
  const active = new Set<Promise<unknown>>();
  const activeIds = new Set<string>();
  const kinds = [...handlers.keys()];

  let storeErrors = 0;

  while (!signal.aborted) {
    try {
      const row = active.size <= slots ? await claim(active.size === slots) : undefined;
      const isIdle = untilIdle && !row && active.size === 0 && !(await isAnyRunning());
      storeErrors = 0;
      if (isIdle) return;
      if (row) {
        start(row);
        continue;
      }
    } catch (error) {
      logStoreError(error);
      storeErrors++;
      if (untilIdle && active.size === 0 && storeErrors >= MAX_STORE_ATTEMPTS) throw error;
    }
    await Promise.race([pause(POLL_MS, undefined, { signal }).catch(() => {}), ...active]);
  }
  await Promise.all(active);

  /** The store may be locked, full or unreachable for a while. The job keeps or loses its lease, and the worker continues. */
  function logStoreError(error: unknown): void {
    log.error({ err: error }, 'store unavailable');
  }

  function start(row: JobRow): void {
    activeIds.add(row.id);
    const work = runRow(row)
      .catch(logStoreError)
      .finally(() => {
        activeIds.delete(row.id);
        active.delete(work);
      });
    active.add(work);
  }

  /** A damaged row ends as failed here: it would otherwise be claimed again whenever its lease expires. */
  async function runRow(row: JobRow): Promise<void> {
    let job: Job;
    try {
      job = jobFromRow(row);
    } catch (cause) {
      log.error({ err: cause, job: row.id, kind: row.kind }, 'damaged job');
      const error = describeJobFailure(cause, row, log);
      return retryWrite(() => end(row, { state: 'failed', error }));
    }
    return withLogFields(job.logFields, () => runJob(job));
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

  /** One statement, so that no two workers can claim the same job. */
  async function claim(isReserveSlot: boolean): Promise<JobRow | undefined> {
    const free = db
      .selectFrom('jobs')
      .select('id')
      .where('kind', 'in', kinds)
      .where('state', 'in', ['queued', 'running'])
      .where('lease_until', '<', now)
      // After a sleep of the machine the leases of this worker have expired, but its jobs still run.
      .$if(activeIds.size > 0, (query) => query.where('id', 'not in', [...activeIds]))
      .$if(isReserveSlot, (query) =>
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
      // The owner with the fewest running jobs comes first, so that one owner with many jobs does not delay the others.
      .orderBy((order) =>
        order
          .selectFrom('jobs as theirs')
          .select((columns) => columns.fn.countAll().as('number'))
          .whereRef('theirs.owner', '=', 'jobs.owner')
          .where('theirs.state', '=', 'running'),
      )
      .orderBy('created_at')
      .limit(1);
    return db
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
  }

  async function runJob(job: Job): Promise<void> {
    const handler = handlers.get(job.kind);
    // The worker may have been stopped while it claimed the job.
    if (!handler || signal.aborted) return release(job);
    if (job.attempts > MAX_ATTEMPTS)
      return end(job, {
        state: 'failed',
        error: `The job was started ${MAX_ATTEMPTS} times, and each time its worker died.`,
      });
    const stop = new AbortController();
    const forwardAbort = () => stop.abort(signal.reason);
    signal.addEventListener('abort', forwardAbort, { once: true });
    let reported: Json | undefined;
    let cancelled = false;
    const renewLease = async () => {
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
    /** A read is cheap, so cancellation is checked more often than the lease is renewed. */
    const checkCancelled = async () => {
      const row = await db.selectFrom('jobs').select('cancel').where('id', '=', job.id).executeTakeFirst();
      if (row?.cancel === 1) await renewLease();
    };
    const heartbeat = repeatEvery(HEARTBEAT_MS, () =>
      renewLease().catch((error: unknown) => log.error({ err: error }, 'heartbeat failed')),
    );
    // The heartbeat logs store errors.
    const cancelPoll = repeatEvery(CANCEL_POLL_MS, () => checkCancelled().catch(() => {}));
    const progress = (value: Json) => {
      reported = value;
    };
    try {
      // The outcome of the job is kept apart from errors of the store while it is written.
      const work = async () => handler(job, { signal: stop.signal, progress });
      const outcome = await work().then(
        (result) => ({ state: 'succeeded' as const, result }),
        (error: unknown) => ({ state: 'failed' as const, cause: error }),
      );
      await retryWrite(renewLease);
      if (outcome.state === 'succeeded') await retryWrite(() => end(job, outcome));
      else if (cancelled) await retryWrite(() => end(job, { state: 'cancelled' }));
      else if (signal.aborted) await retryWrite(() => release(job));
      else if (!stop.signal.aborted) {
        const error = describeJobFailure(outcome.cause, job, log);
        await retryWrite(() => end(job, { state: 'failed', error }));
      }
    } finally {
      clearInterval(heartbeat);
      clearInterval(cancelPoll);
      signal.removeEventListener('abort', forwardAbort);
    }
  }

  /** Repeats a write while the store is locked or full. The work is lost only if the store fails until the lease expires. */
  async function retryWrite(write: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await write();
      } catch (error) {
        if (attempt === MAX_STORE_ATTEMPTS || signal.aborted) throw error;
        logStoreError(error);
        await pause(POLL_MS, undefined, { signal }).catch(() => {});
      }
    }
  }

  async function end(
    { id }: Pick<Job, 'id'>,
    { state, result = null, error = null }: { state: JobState; result?: Json; error?: string | null },
  ) {
    await db
      .updateTable('jobs')
      .set({ state, result: JSON.stringify(result), error, ended_at: now })
      .where('id', '=', id)
      .where('worker', '=', worker)
      .execute();
  }

  async function release({ id }: Job): Promise<void> {
    await db
      .updateTable('jobs')
      .set({ state: 'queued', worker: null, lease_until: 0, attempts: sql<number>`attempts - 1` })
      .where('id', '=', id)
      .where('worker', '=', worker)
      .execute();
  }
}

/** Repeats `work` in an interval and never runs it twice at once. */
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

/** The error text for the owner of the job, who may be on another machine. */
function describeJobFailure(error: unknown, job: Pick<Job, 'id' | 'kind'>, log: Logger): string {
  const failure = toEnvironmentFailure(error);
  if (failure !== undefined && failure === error) return failure.remoteMessage;
  log.error({ err: error, job: job.id, kind: job.kind }, 'unhandled error in job');
  if (failure) return failure.remoteMessage;
  return `Internal error in job ${job.id}; the log has the details.`;
}
