import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '../log.ts';
import { ownerKey } from '../principal.ts';
import type { Migrations } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import type { JobHandler } from './job-worker.ts';
import type { JobState, JobStatistics, Jobs } from './jobs.ts';

interface JobServiceOptions {
  home: string;
  databaseUrl?: string | undefined;
  /** Loads the migrations of the toolsets, when the store is first opened. */
  migrations(): Promise<Migrations>;
  handlers: ReadonlyMap<string, JobHandler>;
  /** Jobs run in this process; otherwise `wake` starts a worker for them. */
  runsJobs: boolean;
  wake?: () => void;
  /** Jobs of one owner that run at a time, over all workers; undefined is no limit. */
  jobsPerOwner?: number | undefined;
  /** Ended jobs are deleted after this time. */
  retentionMs?: number | undefined;
  /** Called when an attempt ended here. */
  onEnd?(kind: string, outcome: JobState | 'retried'): void;
  log: Logger;
  signal: AbortSignal;
}

/** Stores jobs and, with `runsJobs`, runs them. The store is opened on first use. */
export interface JobService {
  jobs(): Promise<Jobs>;
  store(): Promise<Store>;
  /** Undefined before the store is opened, and while it is unavailable. */
  statistics(): Promise<JobStatistics | undefined>;
  /** Starts a worker if an earlier process left unfinished jobs. */
  resume(): Promise<void>;
  /**
   * Runs jobs until the service is closed or, with `untilIdle`, until none is left. After `drain` it claims no more and ends
   * with its running jobs.
   */
  work(options: WorkOptions): Promise<void>;
  /** Stops the worker and releases its unfinished jobs. */
  close(): Promise<void>;
}

interface WorkOptions {
  untilIdle?: boolean;
  drain?: AbortSignal;
}

const JOB_SLOTS = Math.max(2, availableParallelism());

export function createJobService({
  home,
  databaseUrl,
  migrations,
  handlers,
  runsJobs,
  wake,
  jobsPerOwner,
  retentionMs,
  onEnd,
  log,
  signal,
}: JobServiceOptions): JobService {
  let opened: Promise<{ store: Store; jobs: Jobs }> | undefined;
  let working: Promise<void> | undefined;
  let resuming: Promise<void> | undefined;
  const stop = new AbortController();
  signal.addEventListener('abort', () => stop.abort(signal.reason), { once: true });

  /** A store that could not be opened is tried again on the next call. */
  function open() {
    opened ??= openJobs().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  }

  /** Loads SQL and its drivers here, so that a server without jobs starts without them. */
  async function openJobs(): Promise<{ store: Store; jobs: Jobs }> {
    const [{ openStore }, { createJobs }] = await Promise.all([import('../store/store.ts'), import('./jobs.ts')]);
    const store = await openStore({ home, url: databaseUrl, migrations: await migrations() });
    const jobs = createJobs(store);
    const submit: Jobs['submit'] = (kind, owner, payload, options) => {
      const limit = jobsPerOwner === undefined ? undefined : { key: `owner ${ownerKey(owner)}`, max: jobsPerOwner };
      return jobs.submit(kind, owner, payload, { limit, ...options }).finally(() => begin(store));
    };
    return { store, jobs: { ...jobs, submit } };
  }

  async function workOn(store: Store, options: WorkOptions): Promise<void> {
    const { runJobWorker } = await import('./job-worker.ts');
    const { signal: end } = stop;
    await runJobWorker({
      store,
      handlers,
      slots: JOB_SLOTS,
      log,
      signal: end,
      retentionMs,
      ...options,
      ...(onEnd && { onEnd }),
    });
  }

  async function lookForWork(): Promise<void> {
    if (!databaseUrl && !existsSync(join(home, 'assay.db'))) return;
    const { store, jobs } = await open();
    if ((await jobs.hasUnfinished()) && !stop.signal.aborted) begin(store);
  }

  function begin(store: Store): void {
    if (!runsJobs) wake?.();
    else working ??= workOn(store, {});
  }

  return {
    jobs: async () => (await open()).jobs,
    store: async () => (await open()).store,
    // Metrics show their other values when the store is unavailable.
    statistics: async () => opened?.then(({ jobs }) => jobs.statistics()).catch(() => undefined),
    resume() {
      resuming ??= lookForWork();
      return resuming;
    },
    async work(options) {
      const { store } = await open();
      // A job that submits another one must not start a second worker, which would not drain.
      const running = workOn(store, options);
      working = running.catch(() => {});
      await running;
    },
    async close() {
      stop.abort();
      await resuming?.catch(() => {});
      await working;
      await (await opened?.catch(() => undefined))?.store[Symbol.asyncDispose]();
    },
  };
}
