import type { Migration } from 'kysely/migration';

type JobState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

/** Migrations by name. They run in the order of their names, so each name starts with the next free number. */
export type Migrations = Readonly<Record<string, Migration>>;

/** The tables of the platform, as the newest migration leaves them. Toolsets bring their own tables. */
export interface Tables {
  /** Admitted calls, for rate limits that several processes share. */
  calls: { key: string; at: number };
  /** Jobs with the lease of the worker that runs them. JSON is stored as text, for both dialects. */
  jobs: {
    id: string;
    kind: string;
    owner: string;
    state: JobState;
    payload: string;
    progress: string;
    result: string;
    error: string | null;
    attempts: number;
    worker: string | null;
    lease_until: number;
    cancel: number;
    /** 1: a dead letter, which failed after its last retry and can be started again. */
    dead: number;
    /** How often an operator started it again after its end. */
    redrives: number;
    /** The job that this one is a part of. */
    parent_id: string | null;
    /** At most `limit_max` jobs with this key run at a time. */
    limit_key: string | null;
    limit_max: number | null;
    /** Number from 0 of the place that a running job with a limit holds. No two jobs of a key hold the same. */
    limit_slot: number | null;
    /** Fields of every log line of the job: the trace of the call that submitted it. */
    log_fields: string;
    created_at: number;
    started_at: number | null;
    ended_at: number | null;
  };
}

/** Never edited after a release. Column types are those that both dialects have: bigint, integer, text. */
export const platformMigrations: Migrations = {
  '001-calls': {
    async up(db) {
      await db.schema
        .createTable('calls')
        .addColumn('key', 'text', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('calls_by_key').on('calls').columns(['key', 'at']).execute();
    },
  },
  '002-jobs': {
    async up(db) {
      await db.schema
        .createTable('jobs')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('payload', 'text', (column) => column.notNull())
        .addColumn('progress', 'text', (column) => column.notNull())
        .addColumn('result', 'text', (column) => column.notNull())
        .addColumn('error', 'text')
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('worker', 'text')
        .addColumn('lease_until', 'bigint', (column) => column.notNull())
        .addColumn('cancel', 'integer', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('started_at', 'bigint')
        .addColumn('ended_at', 'bigint')
        .execute();
      await db.schema.createIndex('jobs_by_state').on('jobs').columns(['state', 'kind', 'created_at']).execute();
      await db.schema.createIndex('jobs_by_owner').on('jobs').columns(['owner', 'kind', 'created_at']).execute();
    },
  },
  '003-job-log-fields': {
    async up(db) {
      await db.schema
        .alterTable('jobs')
        .addColumn('log_fields', 'text', (column) => column.notNull().defaultTo('{}'))
        .execute();
    },
  },
  '005-jobs-under-way': {
    /** Claiming a job counts the running jobs of each owner, because the owner with the fewest comes first. */
    async up(db) {
      await db.schema.createIndex('jobs_by_owner_state').on('jobs').columns(['owner', 'state']).execute();
    },
  },
  '006-job-retries-and-limits': {
    async up(db) {
      for (const column of ['dead', 'redrives'])
        await db.schema
          .alterTable('jobs')
          .addColumn(column, 'integer', (definition) => definition.notNull().defaultTo(0))
          .execute();
      await db.schema.alterTable('jobs').addColumn('limit_key', 'text').execute();
      await db.schema.alterTable('jobs').addColumn('limit_max', 'integer').execute();
      await db.schema.alterTable('jobs').addColumn('limit_slot', 'integer').execute();
      // Makes limits strict without a lock: of two workers that take the same slot, one gets an error and tries again.
      await db.schema
        .createIndex('jobs_by_limit_slot')
        .unique()
        .on('jobs')
        .columns(['limit_key', 'limit_slot'])
        .where('limit_slot', 'is not', null)
        .execute();
      await db.schema.createIndex('jobs_by_end').on('jobs').column('ended_at').execute();
    },
  },
  '007-jobs-by-age': {
    /** Claiming a job reads the queued ones of all kinds in the order of their age, and stops at the first that may start. */
    async up(db) {
      await db.schema.dropIndex('jobs_by_state').execute();
      await db.schema.createIndex('jobs_by_state').on('jobs').columns(['state', 'created_at']).execute();
    },
  },
  '008-parts-of-jobs': {
    async up(db) {
      await db.schema.alterTable('jobs').addColumn('parent_id', 'text').execute();
      await db.schema
        .createIndex('jobs_by_parent')
        .on('jobs')
        .columns(['parent_id', 'state'])
        .where('parent_id', 'is not', null)
        .execute();
    },
  },
};
