import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { Failure } from '../errors.ts';
import type { Json } from '../json.ts';
import { currentLogFields } from '../log.ts';
import { type Owner, ownerKey } from '../principal.ts';
import { databaseClock } from '../store/database-clock.ts';
import type { Store } from '../store/store.ts';
import { damagedRowFailure } from '../store/store-failures.ts';
import { announce } from './announce.ts';
import { cancelJob } from './job-cancellation.ts';
import { isWaitingForParts } from './job-parts.ts';
import { type JobRow, newJob } from './job-rows.ts';

export const jobStates = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type JobState = (typeof jobStates)[number];
export const endedStates: readonly JobState[] = ['succeeded', 'failed', 'cancelled'];

/** Work that outlives the call that submitted it and the process that runs it. */
export interface Job {
  id: string;
  kind: string;
  owner: string;
  state: JobState;
  payload: Json;
  /** What the handler last reported. */
  progress: Json;
  result: Json;
  /** Why it failed, or why its last attempt did. */
  error: string | undefined;
  /** How often a worker started it since it was submitted or started again. */
  attempts: number;
  /** It failed after its last retry, for a reason outside of it. `assay jobs redrive` starts it again. */
  isDeadLetter: boolean;
  /** How often an operator started it again after its end. */
  redrives: number;
  /** The job that this one is a part of. */
  parentId: string | undefined;
  /** It is queued until its parts have ended. */
  isWaitingForParts: boolean;
  logFields: Record<string, string>;
  createdAt: number;
  startedAt: number | undefined;
  endedAt: number | undefined;
}

interface SubmitOptions {
  id?: string;
  /** No worker starts it before this time, by the clock of the database. */
  notBefore?: number;
  /** At most `max` jobs with the same key run at a time, over all workers. */
  limit?: { key: string; max: number } | undefined;
}

/** One owner cannot fill the queue. */
const MAX_UNFINISHED_JOBS = 500;

export interface JobStatistics {
  jobs: { kind: string; state: JobState; count: number }[];
  /** How long the oldest job that a worker could start has been waiting. */
  oldestDueSeconds: number;
  deadLetters: number;
}

/** All times of jobs are by the clock of the database. */
export interface Jobs {
  submit(kind: string, owner: Owner, payload: Json, options?: SubmitOptions): Promise<Job>;
  /** Undefined if it does not exist or belongs to another owner. */
  get(id: string, owner: Owner): Promise<Job | undefined>;
  /** The latest first. */
  list(kind: string, owner: Owner, options?: { isUnfinished?: boolean }): Promise<Job[]>;
  /** Ends a queued job, and asks the worker of a running one to stop. False if it had ended. */
  cancel(id: string, owner: Owner): Promise<boolean>;
  /** Ends a job that no worker has started. False if one has, or if it had ended. */
  withdraw(id: string, owner: Owner): Promise<boolean>;
  /** By id; a job that does not exist is missing. */
  outcomes(ids: readonly string[], owner: Owner): Promise<Map<string, { state: JobState; result: Json }>>;
  hasUnfinished(): Promise<boolean>;
  /** The time by the clock of the database, for comparisons with the times of jobs. */
  now(): Promise<number>;
  /** Numbers of the jobs of all owners. */
  statistics(): Promise<JobStatistics>;
}

export function createJobs(store: Store): Jobs {
  const { db } = store;
  const now = databaseClock(store);

  async function refuseTooMany(owner: Owner): Promise<void> {
    const { number } = await db
      .selectFrom('jobs')
      .select((columns) => columns.fn.countAll<number>().as('number'))
      .where('owner', '=', ownerKey(owner))
      .where('state', 'in', ['queued', 'running'])
      .where('parent_id', 'is', null)
      .executeTakeFirstOrThrow();
    if (Number(number) < MAX_UNFINISHED_JOBS) return;
    const message = `There are ${MAX_UNFINISHED_JOBS} unfinished jobs of yours. Wait for some to end, or cancel them.`;
    throw new Failure('unavailable', 'TOO_MANY_JOBS', message);
  }

  return {
    async submit(kind, owner, payload, { id = randomUUID(), notBefore = 0, limit } = {}) {
      await refuseTooMany(owner);
      const row = await db
        .insertInto('jobs')
        .values({
          ...newJob({ id, kind, owner: ownerKey(owner), payload }),
          // Workers claim jobs with an expired lease, so this delays the start.
          lease_until: notBefore,
          limit_key: limit?.key ?? null,
          limit_max: limit?.max ?? null,
          log_fields: JSON.stringify(currentLogFields()),
          created_at: now,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await announce(store, 'work', kind);
      return jobFromRow(row);
    },

    async get(id, owner) {
      const row = await db
        .selectFrom('jobs')
        .selectAll()
        .where('id', '=', id)
        .where('owner', '=', ownerKey(owner))
        .executeTakeFirst();
      return row && jobFromRow(row);
    },

    async list(kind, owner, { isUnfinished = false } = {}) {
      const rows = await db
        .selectFrom('jobs')
        .selectAll()
        .where('kind', '=', kind)
        .where('owner', '=', ownerKey(owner))
        .$if(isUnfinished, (query) => query.where('state', 'in', ['queued', 'running']))
        .orderBy('created_at', 'desc')
        .limit(1000)
        .execute();
      return rows.map(jobFromRow);
    },

    cancel: (id, owner) => cancelJob(store, id, ownerKey(owner)),

    async withdraw(id, owner) {
      const { numUpdatedRows } = await db
        .updateTable('jobs')
        .where('id', '=', id)
        .where('owner', '=', ownerKey(owner))
        .where('state', '=', 'queued')
        .set({ state: 'cancelled', cancel: 1, ended_at: now })
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async outcomes(ids, owner) {
      if (ids.length === 0) return new Map();
      const rows = await db
        .selectFrom('jobs')
        .select(['id', 'state', 'result'])
        .where('id', 'in', ids)
        .where('owner', '=', ownerKey(owner))
        .execute();
      return new Map(rows.map((row) => [row.id, { state: row.state, result: parseColumn(row, 'result') }]));
    },

    async statistics() {
      const rows = await db
        .selectFrom('jobs')
        .select((columns) => [
          'kind',
          'state',
          columns.fn.countAll<number>().as('count'),
          columns.fn.sum<number>('dead').as('dead'),
          sql<number | null>`min(case when state = 'queued' and lease_until <= ${now} then created_at end)`.as(
            'oldest',
          ),
          sql<number>`max(${now})`.as('now'),
        ])
        .groupBy(['kind', 'state'])
        .execute();
      const waiting = rows.flatMap(({ oldest, now: read }) => (oldest === null ? [] : [(read - oldest) / 1000]));
      return {
        jobs: rows.map(({ kind, state, count }) => ({ kind, state, count: Number(count) })),
        oldestDueSeconds: Math.max(0, ...waiting),
        deadLetters: rows.reduce((sum, { dead }) => sum + Number(dead), 0),
      };
    },

    async now() {
      const { time } = await db.selectNoFrom(now.as('time')).executeTakeFirstOrThrow();
      return time;
    },

    async hasUnfinished() {
      const row = await db
        .selectFrom('jobs')
        .select('id')
        .where('state', 'in', ['queued', 'running'])
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

type JsonColumn = 'payload' | 'progress' | 'result' | 'log_fields';

function parseColumn<Column extends JsonColumn>(row: Pick<JobRow, 'id' | Column>, column: Column) {
  try {
    return JSON.parse(row[column]);
  } catch (error) {
    throw damagedRowFailure('jobs', row.id, column, error);
  }
}

/** Throws `STORE_DAMAGED` if the JSON of the row does not parse. */
export function jobFromRow(row: JobRow): Job {
  return {
    id: row.id,
    kind: row.kind,
    owner: row.owner,
    state: row.state,
    payload: parseColumn(row, 'payload'),
    progress: parseColumn(row, 'progress'),
    result: parseColumn(row, 'result'),
    error: row.error ?? undefined,
    attempts: row.attempts,
    isDeadLetter: row.dead === 1,
    redrives: row.redrives,
    parentId: row.parent_id ?? undefined,
    isWaitingForParts: isWaitingForParts(row),
    logFields: parseColumn(row, 'log_fields'),
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
  };
}
