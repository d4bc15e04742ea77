import { randomUUID } from 'node:crypto';
import { type ExpressionBuilder, sql } from 'kysely';
import { systemCode } from '../errors.ts';
import type { Json } from '../json.ts';
import { databaseClock } from '../store/database-clock.ts';
import type { Tables } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { announce, type JobRow, type JobState } from './jobs.ts';

/** A worker without a heartbeat for this long counts as dead, and another worker may claim its job. */
const LEASE_MS = 10_000;

/** SQLSTATE of a unique index: another worker took the limit slot in the same moment. */
const UNIQUE_VIOLATION = '23505';

interface JobEnd {
  state: JobState;
  result?: Json;
  error?: string | null;
  isDeadLetter?: boolean;
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
  isAnyRunning(): Promise<boolean>;
  /** Deletes jobs that ended longer ago than this, and returns their number. */
  deleteEnded(olderThanMs: number): Promise<number>;
}

export function createJobClaims(store: Store, kinds: readonly string[]): JobClaims {
  const { db } = store;
  const now = databaseClock(store);
  const leaseEnd = sql<number>`${now} + ${sql.lit(LEASE_MS)}`;
  const worker = randomUUID();

  /** Due jobs in the order in which they should run. */
  function dueJobs(claimed: readonly string[], isReserveSlot: boolean) {
    return (
      db
        .selectFrom('jobs')
        .leftJoin(
          (query) =>
            query
              .selectFrom('jobs as theirs')
              .select((columns) => ['theirs.owner', columns.fn.countAll<number>().as('number')])
              .where('theirs.state', '=', 'running')
              .groupBy('theirs.owner')
              .as('busy'),
          (join) => join.onRef('busy.owner', '=', 'jobs.owner'),
        )
        .select('jobs.id')
        .where('jobs.kind', 'in', kinds)
        .where('jobs.state', 'in', ['queued', 'running'])
        .where('jobs.lease_until', '<', now)
        // After a sleep of the machine the leases of this worker have expired, but its jobs still run.
        .$if(claimed.length > 0, (query) => query.where('jobs.id', 'not in', claimed))
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
        .where(isWithinLimit)
        // The owner with the fewest running jobs comes first, so that one owner with many jobs does not delay the others.
        .orderBy(sql`coalesce(busy.number, 0)`)
        .orderBy('jobs.created_at')
        .limit(1)
    );
  }

  const ofThisAttempt = ({ id, attempts }: JobRow) =>
    db
      .updateTable('jobs')
      .where('id', '=', id)
      .where('worker', '=', worker)
      .where('state', '=', 'running')
      .where('attempts', '=', attempts);

  /** The slot of an ended or returned job is free for another. */
  async function announceFreeSlot({ kind, limit_key: key }: JobRow): Promise<void> {
    if (key !== null) await announce(store, 'work', kind);
  }

  return {
    /** One statement, so that no two workers can claim the same job. */
    async claim(claimed, isReserveSlot) {
      const free = dueJobs(claimed, isReserveSlot);
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
        .where('id', '=', store.dialect === 'postgres' ? free.forUpdate('jobs').skipLocked() : free)
        .returningAll();
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

    async end(row, { state, result = null, error = null, isDeadLetter = false }) {
      await ofThisAttempt(row)
        .set({
          ...{ state, error, limit_slot: null, ended_at: now },
          result: JSON.stringify(result),
          dead: isDeadLetter ? 1 : 0,
        })
        .execute();
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

/** A job whose worker died still holds its slot. */
function isWithinLimit({ or, eb, selectFrom, ref }: ExpressionBuilder<Tables, 'jobs'>) {
  const taken = selectFrom('jobs as taken')
    .select((columns) => columns.fn.countAll<number>().as('number'))
    .whereRef('taken.limit_key', '=', 'jobs.limit_key')
    .where('taken.limit_slot', 'is not', null);
  return or([
    eb('jobs.limit_key', 'is', null),
    eb('jobs.limit_slot', 'is not', null),
    eb(taken, '<', ref('jobs.limit_max')),
  ]);
}
