import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { Failure } from '../errors.ts';
import type { Json } from '../json.ts';
import { currentLogFields } from '../log.ts';
import { ownerKey, type Principal } from '../principal.ts';
import { databaseClock } from '../store/database-clock.ts';
import type { Tables } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { damagedRowFailure } from '../store/store-failures.ts';

export type JobState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
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
  error: string | undefined;
  /** How often a worker started it. */
  attempts: number;
  logFields: Record<string, string>;
  createdAt: number;
  startedAt: number | undefined;
  endedAt: number | undefined;
}

type JobOwner = Pick<Principal, 'issuer' | 'subject'>;

/** One owner cannot fill the queue. */
const MAX_UNFINISHED_JOBS = 500;

export interface Jobs {
  /** No worker starts it before `notBefore`. All times of jobs are by the clock of the database. */
  submit(kind: string, owner: JobOwner, payload: Json, id?: string, notBefore?: number): Promise<Job>;
  /** Undefined if it does not exist or belongs to another owner. */
  get(id: string, owner: JobOwner): Promise<Job | undefined>;
  list(kind: string, owner: JobOwner): Promise<Job[]>;
  /** Ends a queued job, and asks the worker of a running one to stop. False if it had ended. */
  cancel(id: string, owner: JobOwner): Promise<boolean>;
  hasUnfinished(): Promise<boolean>;
  /** Number of jobs of all owners by state. */
  counts(): Promise<Record<string, number>>;
}

export function createJobs(store: Store): Jobs {
  const { db } = store;
  const now = databaseClock(store);

  async function refuseTooMany(owner: JobOwner): Promise<void> {
    const { number } = await db
      .selectFrom('jobs')
      .select((columns) => columns.fn.countAll<number>().as('number'))
      .where('owner', '=', ownerKey(owner))
      .where('state', 'in', ['queued', 'running'])
      .executeTakeFirstOrThrow();
    if (Number(number) < MAX_UNFINISHED_JOBS) return;
    const message = `There are ${MAX_UNFINISHED_JOBS} unfinished jobs of yours. Wait for some to end, or cancel them.`;
    throw new Failure('unavailable', 'TOO_MANY_JOBS', message);
  }

  return {
    async submit(kind, owner, payload, id = randomUUID(), notBefore = 0) {
      await refuseTooMany(owner);
      const row = await db
        .insertInto('jobs')
        .values({
          id,
          kind,
          owner: ownerKey(owner),
          state: 'queued',
          payload: JSON.stringify(payload),
          progress: 'null',
          result: 'null',
          error: null,
          attempts: 0,
          worker: null,
          // Workers claim jobs with an expired lease, so this delays the start.
          lease_until: notBefore,
          cancel: 0,
          log_fields: JSON.stringify(currentLogFields()),
          created_at: now,
          started_at: null,
          ended_at: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
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

    async list(kind, owner) {
      const rows = await db
        .selectFrom('jobs')
        .selectAll()
        .where('kind', '=', kind)
        .where('owner', '=', ownerKey(owner))
        .orderBy('created_at', 'desc')
        .limit(1000)
        .execute();
      return rows.map(jobFromRow);
    },

    async cancel(id, owner) {
      const mine = db.updateTable('jobs').where('id', '=', id).where('owner', '=', ownerKey(owner));
      const waiting = await mine
        .where('state', '=', 'queued')
        .set({ state: 'cancelled', cancel: 1, ended_at: now })
        .executeTakeFirst();
      if (waiting.numUpdatedRows > 0n) return true;
      const running = await mine.where('state', '=', 'running').set({ cancel: 1 }).executeTakeFirst();
      return running.numUpdatedRows > 0n;
    },

    async counts() {
      const rows = await db
        .selectFrom('jobs')
        .select((columns) => ['state', columns.fn.countAll<number>().as('number')])
        .groupBy('state')
        .execute();
      return Object.fromEntries(rows.map(({ state, number }) => [state, Number(number)]));
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

export type JobRow = Selectable<Tables['jobs']>;

/** Throws `STORE_DAMAGED` if the JSON of the row does not parse. */
export function jobFromRow(row: JobRow): Job {
  const parse = (column: 'payload' | 'progress' | 'result' | 'log_fields') => {
    try {
      return JSON.parse(row[column]);
    } catch (error) {
      throw damagedRowFailure('jobs', row.id, column, error);
    }
  };
  return {
    id: row.id,
    kind: row.kind,
    owner: row.owner,
    state: row.state,
    payload: parse('payload'),
    progress: parse('progress'),
    result: parse('result'),
    error: row.error ?? undefined,
    attempts: row.attempts,
    logFields: parse('log_fields'),
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
  };
}
