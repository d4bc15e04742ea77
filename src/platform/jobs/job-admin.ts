import { databaseClock } from '../store/database-clock.ts';
import type { Store } from '../store/store.ts';
import { announce } from './announce.ts';
import { cancelJob } from './job-cancellation.ts';
import { type Job, type JobState, jobFromRow } from './jobs.ts';

interface JobFilter {
  /** Key of the owner; undefined for all owners. */
  owner?: string | undefined;
  kind?: string | undefined;
  state?: JobState | undefined;
  isDeadLetter?: boolean;
  /** Parts of this job. Without it, parts are left out unless a kind or dead letters are asked for. */
  parentId?: string | undefined;
  limit?: number;
}

/** What an operator does with jobs. Every function takes the owner whose jobs it may touch; undefined for all owners. */
export interface JobAdmin {
  /** Newest first. */
  list(filter: JobFilter): Promise<Job[]>;
  get(id: string, owner: string | undefined): Promise<Job | undefined>;
  cancel(id: string, owner: string | undefined): Promise<boolean>;
  /** Queues a failed or cancelled job again, with all its attempts. False if it does not exist or is in another state. */
  retry(id: string, owner: string | undefined): Promise<boolean>;
  /** Queues dead letters again and returns their ids. */
  redrive(filter: Pick<JobFilter, 'owner' | 'kind'>): Promise<string[]>;
}

const MAX_LISTED = 1000;

export function createJobAdmin(store: Store): JobAdmin {
  const { db } = store;

  function requeue() {
    return db.updateTable('jobs').set(({ eb, ref }) => ({
      ...{ state: 'queued' as const, worker: null, lease_until: 0, attempts: 0, cancel: 0, dead: 0 },
      ...{ limit_slot: null, error: null, result: 'null', started_at: null, ended_at: null },
      redrives: eb(ref('redrives'), '+', 1),
      // Its place in the queue is the last.
      created_at: databaseClock(store),
    }));
  }

  return {
    async list({ owner, kind, state, isDeadLetter, parentId, limit = MAX_LISTED }) {
      let query = db.selectFrom('jobs').selectAll().orderBy('created_at', 'desc').limit(limit);
      if (owner !== undefined) query = query.where('owner', '=', owner);
      if (kind !== undefined) query = query.where('kind', '=', kind);
      if (state !== undefined) query = query.where('state', '=', state);
      if (parentId !== undefined) query = query.where('parent_id', '=', parentId);
      else if (kind === undefined && !isDeadLetter) query = query.where('parent_id', 'is', null);
      if (isDeadLetter) query = query.where('dead', '=', 1);
      return (await query.execute()).map(jobFromRow);
    },

    async get(id, owner) {
      const query = db.selectFrom('jobs').selectAll().where('id', '=', id);
      const row = await (owner === undefined ? query : query.where('owner', '=', owner)).executeTakeFirst();
      return row && jobFromRow(row);
    },

    cancel: (id, owner) => cancelJob(store, id, owner),

    async retry(id, owner) {
      const update = requeue().where('id', '=', id).where('state', 'in', ['failed', 'cancelled']);
      const row = await (owner === undefined ? update : update.where('owner', '=', owner))
        .returning('kind')
        .executeTakeFirst();
      if (row) await announce(store, 'work', row.kind);
      return row !== undefined;
    },

    async redrive({ owner, kind }) {
      let update = requeue().where('state', '=', 'failed').where('dead', '=', 1);
      if (owner !== undefined) update = update.where('owner', '=', owner);
      if (kind !== undefined) update = update.where('kind', '=', kind);
      const rows = await update.returning(['id', 'kind']).execute();
      for (const each of new Set(rows.map((row) => row.kind))) await announce(store, 'work', each);
      return rows.map(({ id }) => id);
    },
  };
}
