import type { Migration } from 'kysely/migration';
import { createQaTables } from './qa-migration.ts';
import type { QaTables } from './qa-schema.ts';

type JobState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

/** The tables, as the newest migration leaves them. */
export interface Tables extends QaTables {
  /** Calls that were admitted, for rate limits shared by several processes. */
  calls: { key: string; at: number };
  /** Long work, and who is at it. JSON is text, for both dialects. */
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
    /** What the lines logged by its work carry: the trace of whoever asked for it. */
    log_fields: string;
    created_at: number;
    started_at: number | null;
    ended_at: number | null;
  };
}

/** In order, each once; never edited after a release. Written for both dialects: bigint, text, no types of one alone. */
export const migrations: Record<string, Migration> = {
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
  '004-qa': { up: createQaTables },
  '005-jobs-under-way': {
    /** Whoever has the least under way comes first: that is asked for each job that waits. */
    async up(db) {
      await db.schema.createIndex('jobs_by_owner_state').on('jobs').columns(['owner', 'state']).execute();
    },
  },
};
