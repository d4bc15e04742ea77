import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '../log.ts';
import type { Migrations } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import type { JobHandler } from './job-worker.ts';
import type { Jobs } from './jobs.ts';

interface JobServiceOptions {
  home: string;
  databaseUrl?: string | undefined;
  /** Loads the migrations of the toolsets, when the store is first opened. */
  migrations(): Promise<Migrations>;
  handlers: ReadonlyMap<string, JobHandler>;
  /** Jobs run in this process; otherwise `wake` starts a worker for them. */
  runsJobs: boolean;
  wake?: () => void;
  log: Logger;
  signal: AbortSignal;
}

/** Where long work is kept and, if it works here, done. Nothing is opened before it is needed. */
export interface JobService {
  jobs(): Promise<Jobs>;
  store(): Promise<Store>;
  /** How many jobs there are in each state; none before the store was needed. */
  counts(): Promise<Record<string, number>>;
  /** Goes on with what an earlier process has left undone, if there is any. */
  resume(): Promise<void>;
  /** Works until told to stop, or until there is nothing left to do. */
  work(untilIdle: boolean): Promise<void>;
  /** Ends the work; what is under way is put back for whoever comes next. */
  close(): Promise<void>;
}

const JOB_SLOTS = Math.max(2, availableParallelism());

export function createJobService({
  home,
  databaseUrl,
  migrations,
  handlers,
  runsJobs,
  wake,
  log,
  signal,
}: JobServiceOptions): JobService {
  let opened: Promise<{ store: Store; jobs: Jobs }> | undefined;
  let working: Promise<void> | undefined;
  let resuming: Promise<void> | undefined;
  const stop = new AbortController();
  signal.addEventListener('abort', () => stop.abort(signal.reason), { once: true });

  /** A store that was locked or had no room is tried again by whoever comes next. */
  function open() {
    opened ??= openJobs().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  }

  /** SQL and its drivers are loaded here, so that a server that is asked for nothing long starts without them. */
  async function openJobs(): Promise<{ store: Store; jobs: Jobs }> {
    const [{ openStore }, { createJobs: jobsIn }] = await Promise.all([
      import('../store/store.ts'),
      import('./jobs.ts'),
    ]);
    const store = await openStore({ home, url: databaseUrl, migrations: await migrations() });
    const jobs = jobsIn(store);
    return { store, jobs: { ...jobs, submit: (...work) => jobs.submit(...work).finally(() => begin(store)) } };
  }

  async function workOn(store: Store, untilIdle: boolean): Promise<void> {
    const { runJobWorker } = await import('./job-worker.ts');
    await runJobWorker({ store, handlers, places: JOB_SLOTS, log, signal: stop.signal, untilIdle });
  }

  async function lookForWork(): Promise<void> {
    if (!databaseUrl && !existsSync(join(home, 'assay.db'))) return;
    const { store, jobs } = await open();
    if ((await jobs.hasUnfinished()) && !stop.signal.aborted) begin(store);
  }

  function begin(store: Store): void {
    if (!runsJobs) wake?.();
    else working ??= workOn(store, false);
  }

  return {
    jobs: async () => (await open()).jobs,
    store: async () => (await open()).store,
    // Whoever counts wants to know of all the rest too, when the store does not answer.
    counts: async () => (await opened?.then(({ jobs }) => jobs.counts()).catch(() => undefined)) ?? {},
    resume() {
      resuming ??= lookForWork();
      return resuming;
    },
    async work(untilIdle) {
      const { store } = await open();
      await workOn(store, untilIdle);
    },
    async close() {
      stop.abort();
      await resuming?.catch(() => {});
      await working;
      await (await opened?.catch(() => undefined))?.store[Symbol.asyncDispose]();
    },
  };
}
