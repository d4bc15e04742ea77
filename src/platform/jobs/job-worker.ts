import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { toEnvironmentFailure } from '../environment-failure.ts';
import type { Json } from '../json.ts';
import { type Logger, withLogFields } from '../log.ts';
import type { Tables } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { ClaimLost, createJobClaims } from './job-claims.ts';
import { awaitsParts, type JobPart } from './job-parts.ts';
import { isEnvironmental, MAX_ATTEMPTS, retryDelay } from './job-retries.ts';
import type { JobRow } from './job-rows.ts';
import { type Job, type JobState, jobFromRow } from './jobs.ts';

/**
 * Intervals in which a worker renews its leases, and looks for due jobs. PostgreSQL tells workers of new jobs and
 * cancellations; the processes that share a SQLite file have to look.
 */
export const intervals = {
  sqlite: { heartbeatMs: 500, pollMs: 500 },
  postgres: { heartbeatMs: 2000, pollMs: 2000 },
};
const STORE_RETRY_MS = 500;
/**
 * Tries of a write, and of a worker that runs until idle to reach the store. The heartbeat continues during the tries of a
 * write, so no other worker claims the job unless the store fails for a whole lease.
 */
const MAX_STORE_ATTEMPTS = 20;
const CLEANUP_MS = 3_600_000;

export interface JobContext {
  /** Aborted when the job is cancelled, its lease is lost, or the worker stops. */
  signal: AbortSignal;
  /** Shown to callers that read the job. Stored with the heartbeat of the worker. */
  progress(value: Json): void;
  /**
   * Asks the store whether this worker still has the job, before an effect outside of the store. Aborts the signal and throws if the
   * job was cancelled or another worker has it.
   */
  confirm(): Promise<void>;
  /** Whether the job is started again after this error. If not, the handler removes what only a retry needs. */
  isRetried(error: unknown): boolean;
  /**
   * Throws and aborts `signal` if another worker has claimed the job since, and keeps that from happening until the transaction
   * ends. What such a transaction writes is therefore not written by two attempts. A cancelled job may still store what it found.
   */
  requireClaim(transaction: Kysely<Tables>): Promise<void>;
  /**
   * Splits the job: its parts are jobs that any worker runs, in this order and at most `atATime` at a time. Nothing is stored
   * while earlier parts are unfinished. Returns the number of unfinished parts; if there are some, return `awaitsParts`.
   */
  submitParts(parts: readonly JobPart[], options?: { atATime?: number | undefined }): Promise<number>;
}

/**
 * Runs a job. The returned value is its result; an error ends it as failed. After an error outside of the job (a Failure of
 * the kind `unavailable`) it is started again later. A handler must be able to continue where an earlier attempt stopped.
 * With `awaitsParts` it is called again when all parts of the job have ended.
 */
export type JobHandler = (job: Job, context: JobContext) => Promise<Json | typeof awaitsParts>;

interface JobWorkerOptions {
  store: Store;
  handlers: ReadonlyMap<string, JobHandler>;
  /** Jobs at a time. One more is started for an owner without a running job, so that no owner can block the others. */
  slots: number;
  log: Logger;
  /** Running jobs are aborted and released for another worker. */
  signal: AbortSignal;
  /** No further job is claimed; the worker ends when its running jobs have ended. */
  drain?: AbortSignal;
  /**
   * Ends when no job is due and none is running anywhere: a worker that died may have left its job. Throws if the store
   * stays unavailable.
   */
  untilIdle?: boolean;
  /** Ended jobs are deleted after this time. */
  retentionMs?: number | undefined;
  /** Called when an attempt ended here; `retried` if another follows. */
  onEnd?(kind: string, outcome: JobState | 'retried'): void;
}

interface ActiveJob {
  stop: AbortController;
  reported?: Json;
  isCancelled: boolean;
}

/** Claims and runs jobs until `signal` or `drain` is aborted. */
export async function runJobWorker({
  store,
  handlers,
  slots,
  log,
  signal,
  drain = signal,
  untilIdle,
  retentionMs,
  onEnd,
}: JobWorkerOptions): Promise<void> {
  const claims = createJobClaims(store, [...handlers.keys()]);
  const { heartbeatMs, pollMs } = intervals[store.dialect];
  const active = new Set<Promise<unknown>>();
  const claimed = new Map<string, ActiveJob>();
  const leaving = AbortSignal.any([signal, drain]);
  let wake = Promise.withResolvers<void>();
  let storeErrors = 0;
  let isNoticed = false;
  let missedNotices = 0;
  let noticeTimer: NodeJS.Timeout | undefined;
  let cleanedAt = Number.NEGATIVE_INFINITY;

  const renewAll = runOneAtATime(renewLeases);
  const heartbeat = setInterval(
    () => void renewAll().catch((error: unknown) => log.error({ err: error }, 'heartbeat failed')),
    heartbeatMs,
  );
  const unlisten = store.notices.listen((text) => {
    const [event, subject = ''] = text.split(' ', 2);
    if (event === 'work' && handlers.has(subject)) wakeSoon();
    // A lost notice is found by the next heartbeat.
    if (event === 'cancel' && claimed.has(subject)) renewAll().catch(() => {});
  });
  try {
    while (!leaving.aborted) {
      wake = Promise.withResolvers();
      try {
        // A job that ends during the claim may make another one startable.
        const { size } = active;
        const row = size <= slots ? await claims.claim([...claimed.keys()], size === slots) : undefined;
        const isIdle = untilIdle && !row && size === 0 && !(await claims.isAnyRunning());
        storeErrors = 0;
        if (isIdle) return;
        if (row) {
          missedNotices = 0;
          start(row);
          continue;
        }
        if (active.size < size) continue;
        if (isNoticed) missedNotices++;
        isNoticed = false;
        await deleteEnded();
      } catch (error) {
        logStoreError(error);
        storeErrors++;
        if (untilIdle && active.size === 0 && storeErrors >= MAX_STORE_ATTEMPTS) throw error;
      }
      await waitForWork();
    }
    await Promise.all(active);
  } finally {
    unlisten();
    clearTimeout(noticeTimer);
    clearInterval(heartbeat);
  }

  /**
   * Every worker gets every notice. One that came too late for the last notices waits for a random time, which grows up to the
   * interval of its own searches, so that many workers do not ask for one job.
   */
  function wakeSoon(): void {
    const longest = missedNotices === 0 ? 0 : Math.min(pollMs, 10 * 2 ** missedNotices);
    noticeTimer ??= setTimeout(() => {
      noticeTimer = undefined;
      isNoticed = true;
      wake.resolve();
    }, Math.random() * longest);
  }

  async function waitForWork(): Promise<void> {
    const over = new AbortController();
    const limit = AbortSignal.any([leaving, over.signal]);
    const timer = pause(storeErrors > 0 ? STORE_RETRY_MS : pollMs, undefined, { signal: limit }).catch(() => {});
    await Promise.race([timer, wake.promise, ...active]);
    over.abort();
  }

  async function deleteEnded(): Promise<void> {
    if (retentionMs === undefined || performance.now() - cleanedAt < CLEANUP_MS) return;
    const count = await claims.deleteEnded(retentionMs);
    cleanedAt = performance.now();
    if (count > 0) log.info({ count }, 'deleted ended jobs');
  }

  /** The store may be locked, full or unreachable for a while. The job keeps or loses its lease, and the worker continues. */
  function logStoreError(error: unknown): void {
    log.error({ err: error }, 'store unavailable');
  }

  function start(row: JobRow): void {
    const job: ActiveJob = { stop: new AbortController(), isCancelled: row.cancel === 1 };
    // The handler runs once more, to end what an earlier attempt or a part has left.
    if (job.isCancelled) job.stop.abort(new Error('cancelled'));
    claimed.set(row.id, job);
    const work = runRow(row, job)
      .catch(logStoreError)
      .finally(() => {
        claimed.delete(row.id);
        active.delete(work);
      });
    active.add(work);
  }

  async function renewLeases(): Promise<void> {
    const ids = [...claimed.keys()];
    if (ids.length === 0) return;
    const changed = [...claimed].flatMap(([id, { reported }]) =>
      reported === undefined ? [] : [[id, reported] as const],
    );
    const kept = await claims.renew(ids, new Map(changed));
    for (const [id, value] of changed) {
      const job = claimed.get(id);
      if (job?.reported === value) delete job.reported;
    }
    for (const id of ids) {
      const job = claimed.get(id);
      if (!job) continue;
      const lease = kept.get(id);
      job.isCancelled = lease?.isCancelled === true;
      if (!lease || job.isCancelled) job.stop.abort(new Error(lease ? 'cancelled' : 'lease lost'));
    }
  }

  /** A damaged row ends as failed here: it would otherwise be claimed again whenever its lease expires. */
  async function runRow(row: JobRow, hold: ActiveJob): Promise<void> {
    let job: Job;
    try {
      job = jobFromRow(row);
    } catch (cause) {
      log.error({ err: cause, job: row.id, kind: row.kind }, 'damaged job');
      const error = describeJobFailure(cause, row, log);
      return retryWrite(() => end(row, { state: 'failed', error }));
    }
    return withLogFields(job.logFields, () => runJob(row, job, hold));
  }

  async function runJob(row: JobRow, job: Job, hold: ActiveJob): Promise<void> {
    const handler = handlers.get(job.kind);
    // The worker may have been stopped while it claimed the job.
    if (!handler || leaving.aborted) return claims.release(row);
    if (job.attempts > MAX_ATTEMPTS) {
      const error = `The job was started ${MAX_ATTEMPTS} times, and each time its worker died. After the cause is fixed, "assay jobs redrive" starts it again.`;
      return end(row, { state: 'failed', error, isDeadLetter: true });
    }
    const { stop } = hold;
    const forwardAbort = () => stop.abort(signal.reason);
    signal.addEventListener('abort', forwardAbort, { once: true });
    const isRetried = (error: unknown) => !stop.signal.aborted && job.attempts < MAX_ATTEMPTS && isEnvironmental(error);
    const progress = (value: Json) => {
      hold.reported = value;
    };
    const confirm = async () => {
      await retryWrite(renewAll);
      stop.signal.throwIfAborted();
    };
    // The handler then ends in the same way as after a heartbeat that found the claim lost.
    const orStop = async <Result>(statement: Promise<Result>): Promise<Result> => {
      try {
        return await statement;
      } catch (error) {
        if (error instanceof ClaimLost) stop.abort(error);
        throw error;
      }
    };
    const context: JobContext = {
      ...{ signal: stop.signal, progress, confirm, isRetried },
      requireClaim: (transaction) => orStop(claims.requireClaim(row, transaction)),
      submitParts: (parts, { atATime = parts.length } = {}) => orStop(claims.submitParts(row, parts, atATime)),
    };
    try {
      // The outcome of the job is kept apart from errors of the store while it is written.
      const work = async () => handler(job, context);
      const outcome = await work().then(
        (result): { result: Json | typeof awaitsParts } => ({ result }),
        (cause: unknown) => ({ cause }),
      );
      if ('result' in outcome) {
        const { result } = outcome;
        if (result === awaitsParts) return await retryWrite(() => claims.waitForParts(row));
        return await retryWrite(() => end(row, { state: 'succeeded', result, progress: hold.reported }));
      }
      // Stores the last progress, and finds out about a cancellation.
      await retryWrite(renewAll);
      if (hold.isCancelled) await retryWrite(() => end(row, { state: 'cancelled' }));
      else if (signal.aborted) await retryWrite(() => claims.release(row));
      else if (!stop.signal.aborted) await fail(row, outcome.cause, isRetried(outcome.cause));
    } finally {
      signal.removeEventListener('abort', forwardAbort);
    }
  }

  async function fail(row: JobRow, cause: unknown, isRetried: boolean): Promise<void> {
    const error = describeJobFailure(cause, row, log);
    if (!isRetried) return retryWrite(() => end(row, { state: 'failed', error, isDeadLetter: isEnvironmental(cause) }));
    const delay = retryDelay(row.attempts);
    log.warn({ err: cause, job: row.id, kind: row.kind, attempt: row.attempts, delay }, 'job is tried again');
    await retryWrite(() => claims.retryAfter(row, delay, error));
    onEnd?.(row.kind, 'retried');
  }

  async function end(row: JobRow, ended: Parameters<typeof claims.end>[1]): Promise<void> {
    await claims.end(row, ended);
    onEnd?.(row.kind, ended.state);
  }

  /** Repeats a write while the store is locked or full. The work is lost only if the store fails until the lease expires. */
  async function retryWrite(write: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await write();
      } catch (error) {
        if (attempt === MAX_STORE_ATTEMPTS || signal.aborted) throw error;
        logStoreError(error);
        await pause(STORE_RETRY_MS, undefined, { signal }).catch(() => {});
      }
    }
  }
}

/** Calls during a run share one further run that follows it, so that each call sees the state at its time or a later one. */
function runOneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const begin = () => {
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (!running) return begin();
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  };
}

/** The error text for the owner of the job, who may be on another machine. */
function describeJobFailure(error: unknown, job: Pick<Job, 'id' | 'kind'>, log: Logger): string {
  const failure = toEnvironmentFailure(error);
  if (failure !== undefined && failure === error) return failure.remoteMessage;
  log.error({ err: error, job: job.id, kind: job.kind }, 'unhandled error in job');
  if (failure) return failure.remoteMessage;
  return `Internal error in job ${job.id}; the log has the details.`;
}
