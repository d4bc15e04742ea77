import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { systemCode } from '../errors.ts';
import type { Json } from '../json.ts';
import { databaseClock } from '../store/database-clock.ts';
import { preparedMark } from '../store/prepared-statement.ts';
import type { Tables } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { announce } from './announce.ts';
import { continueAfterPart, countOpenParts, insertParts, type JobPart, WAITS_FOR_PARTS } from './job-parts.ts';
import { type JobRow, jobColumns, lockJob } from './job-rows.ts';
import type { JobState } from './jobs.ts';
import { nextJob } from './next-job.ts';

/** A worker without a heartbeat for this long counts as dead, and another worker may claim its job. */
const LEASE_MS = 10_000;

/** SQLSTATE of a unique index: another worker took the limit slot in the same moment. */
const UNIQUE_VIOLATION = '23505';

interface JobEnd {
  state: JobState;
  result?: Json;
  error?: string | null;
  isDeadLetter?: boolean;
  /** The last progress, if it was not stored yet. */
  progress?: Json | undefined;
}

/** Another worker has claimed the job since, or it was cancelled. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

/** The statements of one worker on the jobs that it holds. A job that another worker has claimed since is never changed. */
export interface JobClaims {
  /** Takes a due job. With `isReserveSlot`, only one of an owner without a running job. */
  claim(claimed: readonly string[], isReserveSlot: boolean): Promise<JobRow | undefined>;
  /** Renews all leases and stores progress, in one statement. Returns the jobs that are still claimed. */
  renew(
    claimed: readonly string[],
    progress: ReadonlyMap<string, Json>,
  ): Promise<Map<string, { isCancelled: boolean }>>;
  end(row: JobRow, end: JobEnd): Promise<void>;
  /** Returns the job to the queue as if this attempt had not been. */
  release(row: JobRow): Promise<void>;
  /** Returns the job to the queue after a failed attempt. */
  retryAfter(row: JobRow, delayMs: number, error: string): Promise<void>;
  /**
   * Throws `ClaimLost` unless this attempt still holds the job, and keeps others from claiming it until the transaction ends. A
   * cancelled job is still held: its handler stores what it has found.
   */
  requireClaim(row: JobRow, transaction: Kysely<Tables>): Promise<void>;
  /** Stores parts, if all earlier ones have ended. Returns the number of parts that have not ended. */
  submitParts(row: JobRow, parts: readonly JobPart[], atATime: number): Promise<number>;
  /** Returns the job to the queue until its parts have ended. */
  waitForParts(row: JobRow): Promise<void>;
  isAnyRunning(): Promise<boolean>;
  /** Deletes jobs that ended longer ago than this, and returns their number. */
  deleteEnded(olderThanMs: number): Promise<number>;
}

export function createJobClaims(store: Store, kinds: readonly string[]): JobClaims {
  const { db } = store;
  const now = databaseClock(store);
  const leaseEnd = sql<number>`${now} + ${sql.lit(LEASE_MS)}`;
  const worker = randomUUID();

  const ofThisAttempt = ({ id, attempts }: JobRow, within: Kysely<Tables> = db) =>
    within
      .updateTable('jobs')
      .where('id', '=', id)
      .where('worker', '=', worker)
      .where('state', '=', 'running')
      .where('attempts', '=', attempts);

  async function announceKinds(parts: readonly JobPart[]): Promise<void> {
    for (const kind of new Set(parts.map((part) => part.kind))) await announce(store, 'work', kind);
  }

  /** The slot of an ended or returned job is free for another. */
  async function announceFreeSlot({ kind, limit_key: key }: JobRow): Promise<void> {
    if (key !== null) await announce(store, 'work', kind);
  }

  /** The job, locked until the transaction ends. */
  async function lockClaimed({ id, attempts }: JobRow, transaction: Kysely<Tables>): Promise<JobRow> {
    const now = await lockJob(transaction, store, id);
    const isClaimed = now?.state === 'running' && now.worker === worker && now.attempts === attempts;
    if (!isClaimed) throw new ClaimLost('lease lost');
    return now;
  }

  return {
    async requireClaim(row, transaction) {
      await lockClaimed(row, transaction);
    },

    submitParts: (row, parts, atATime) =>
      db
        .transaction()
        .execute(async (transaction) => {
          const { cancel } = await lockClaimed(row, transaction);
          if (cancel === 1) throw new ClaimLost('cancelled');
          await insertParts(transaction, store, row, parts, atATime);
          return countOpenParts(transaction, row.id);
        })
        .finally(() => announceKinds(parts)),

    async waitForParts(row) {
      const isOver = await db.transaction().execute(async (transaction) => {
        await lockJob(transaction, store, row.id);
        const open = await countOpenParts(transaction, row.id);
        await ofThisAttempt(row, transaction)
          .set({
            ...{ state: 'queued', worker: null, limit_slot: null, attempts: row.attempts - 1 },
            lease_until: open === 0 ? 0 : WAITS_FOR_PARTS,
          })
          .execute();
        return open === 0;
      });
      if (isOver) await announce(store, 'work', row.kind);
      else await announceFreeSlot(row);
    },

    /** One statement, so that no two workers can claim the same job. */
    async claim(claimed, isReserveSlot) {
      const update = db
        .updateTable('jobs')
        .set({
          state: 'running',
          worker,
          lease_until: leaseEnd,
          attempts: sql<number>`attempts + 1`,
          started_at: sql<number>`coalesce(started_at, ${now})`,
          limit_slot: sql<number | null>`case when limit_key is null then null else coalesce(limit_slot, (
            select min(slot) from (
              select 0 as slot
              union all select taken.limit_slot + 1 from jobs as taken
              where taken.limit_key = jobs.limit_key and taken.limit_slot is not null
            ) as slots where slot not in (
              select taken.limit_slot from jobs as taken
              where taken.limit_key = jobs.limit_key and taken.limit_slot is not null
            )
          )) end`,
        })
        .where('id', '=', nextJob({ store, kinds, claimed, isReserveSlot }))
        .returning(jobColumns)
        // Its plan costs the server more than its execution.
        .$if(store.dialect === 'postgres', (query) => query.modifyEnd(preparedMark));
      for (;;) {
        try {
          return await update.executeTakeFirst();
        } catch (error) {
          if (systemCode(error) !== UNIQUE_VIOLATION) throw error;
        }
      }
    },

    async renew(claimed, progress) {
      const changed = [...progress].map(([id, value]) => sql`when ${id} then ${JSON.stringify(value)}`);
      const rows = await db
        .updateTable('jobs')
        .set({
          lease_until: leaseEnd,
          ...(changed.length > 0 && {
            progress: sql<string>`case id ${sql.join(changed, sql` `)} else progress end`,
          }),
        })
        .where('id', 'in', claimed)
        .where('worker', '=', worker)
        .where('state', '=', 'running')
        .returning(['id', 'cancel'])
        .execute();
      return new Map(rows.map(({ id, cancel }) => [id, { isCancelled: cancel === 1 }]));
    },

    async end(row, { state, result = null, error = null, isDeadLetter = false, progress }) {
      const columns = {
        ...{ state, error, limit_slot: null, ended_at: now },
        result: JSON.stringify(result),
        dead: isDeadLetter ? 1 : 0,
        ...(progress !== undefined && { progress: JSON.stringify(progress) }),
      };
      const { parent_id: parent } = row;
      if (parent === null) await ofThisAttempt(row).set(columns).execute();
      else {
        const due = await db.transaction().execute(async (transaction) => {
          await lockJob(transaction, store, parent);
          await ofThisAttempt(row, transaction).set(columns).execute();
          return continueAfterPart(transaction, parent);
        });
        if (due !== undefined) await announce(store, 'work', due);
      }
      await announceFreeSlot(row);
    },

    async release(row) {
      await ofThisAttempt(row)
        .set({ state: 'queued', worker: null, lease_until: 0, limit_slot: null, attempts: row.attempts - 1 })
        .execute();
      await announce(store, 'work', row.kind);
    },

    async retryAfter(row, delayMs, error) {
      await ofThisAttempt(row)
        .set({
          ...{ state: 'queued', worker: null, limit_slot: null, error },
          lease_until: sql<number>`${now} + ${delayMs}`,
        })
        .execute();
      await announceFreeSlot(row);
    },

    async isAnyRunning() {
      const row = await db
        .selectFrom('jobs')
        .select('id')
        .where('kind', 'in', kinds)
        .where('state', '=', 'running')
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    async deleteEnded(olderThanMs) {
      const { numDeletedRows } = await db
        .deleteFrom('jobs')
        .where('ended_at', '<', sql<number>`${now} - ${olderThanMs}`)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
