import { type Kysely, sql } from 'kysely';
import type { Json } from '../json.ts';
import { databaseClock } from '../store/database-clock.ts';
import type { Tables } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { type JobRow, newJob } from './job-rows.ts';

/**
 * The lease of a job that waits for its parts, and of a part that waits for an earlier one: later than any time by a clock, so
 * that no worker claims it.
 */
export const WAITS_FOR_PARTS = 8_640_000_000_000_000;

/** Whether a job starts again when its parts have ended. */
export function isWaitingForParts({ state, parent_id: parent, lease_until: until }: JobRow): boolean {
  return state === 'queued' && parent === null && until === WAITS_FOR_PARTS;
}

/** A handler returns it after it has submitted parts: the job starts again when the last of them has ended. */
export const awaitsParts = Symbol('awaits parts');

/** A piece of a job, which any worker runs as a job of its own. */
export interface JobPart {
  /** The same in every attempt of the parent. */
  id: string;
  kind: string;
  payload: Json;
}

const MAX_ROWS_PER_STATEMENT = 500;

/**
 * Stores the parts of a job in the order in which they start, at most `atATime` of them due at a time. They have the owner, the
 * limit and the log fields of the job. Parts with a known id are left out. Does nothing while earlier parts are unfinished.
 */
export async function insertParts(
  transaction: Kysely<Tables>,
  store: Store,
  parent: JobRow,
  parts: readonly JobPart[],
  atATime: number,
): Promise<void> {
  if (parent.parent_id !== null) throw new Error('a part of a job cannot have parts');
  if (await countOpenParts(transaction, parent.id)) return;
  const { owner, limit_key, limit_max, log_fields } = parent;
  const rows = parts.map(({ id, kind, payload }, position) => ({
    ...newJob({ id, kind, owner, payload }),
    ...{ parent_id: parent.id, limit_key, limit_max, log_fields },
    lease_until: position < atATime ? 0 : WAITS_FOR_PARTS,
    // Workers take the oldest first.
    created_at: sql<number>`${databaseClock(store)} + ${sql.lit(position)}`,
  }));
  for (let at = 0; at < rows.length; at += MAX_ROWS_PER_STATEMENT)
    await transaction
      .insertInto('jobs')
      .values(rows.slice(at, at + MAX_ROWS_PER_STATEMENT))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
}

export async function countOpenParts(db: Kysely<Tables>, parentId: string): Promise<number> {
  const { number } = await db
    .selectFrom('jobs')
    .select((columns) => columns.fn.countAll<number>().as('number'))
    .where('parent_id', '=', parentId)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirstOrThrow();
  return Number(number);
}

/**
 * After the end of a part, in the same transaction: makes the next part due or, after the last one, the job itself. The job must
 * be locked, so that of two parts that end at a time the later one sees the end of the other. Returns the kind of job that
 * became due.
 */
export async function continueAfterPart(transaction: Kysely<Tables>, parentId: string): Promise<string | undefined> {
  const next = transaction
    .selectFrom('jobs')
    .select('id')
    .where('parent_id', '=', parentId)
    .where('state', '=', 'queued')
    .where('lease_until', '=', WAITS_FOR_PARTS)
    .orderBy('created_at')
    .limit(1);
  const part = await makeDue(transaction).where('id', '=', next).returning('kind').executeTakeFirst();
  if (part) return part.kind;
  if (await countOpenParts(transaction, parentId)) return undefined;
  const parent = await makeDue(transaction)
    .where('id', '=', parentId)
    .where('state', '=', 'queued')
    .where('lease_until', '=', WAITS_FOR_PARTS)
    .returning('kind')
    .executeTakeFirst();
  return parent?.kind;
}

function makeDue(transaction: Kysely<Tables>) {
  return transaction.updateTable('jobs').set({ lease_until: 0 });
}
