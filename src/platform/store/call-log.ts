import { type Kysely, sql } from 'kysely';
import type { Tables } from './schema.ts';
import type { Store } from './store.ts';

/** Counts calls. `take` admits one more if fewer than `limit` are within the window before `now`. */
export interface CallLog {
  take(key: string, request: CallRequest): Promise<CallAdmission>;
}

interface CallRequest {
  limit: number;
  windowMs: number;
  now: number;
}

type CallAdmission =
  | { admitted: true }
  | { admitted: false /** When the oldest call leaves the window. */; freeAt: number };

/** Counts calls for all processes that share the store: no two of them can both take the last slot. */
export function createStoredCallLog({ db, dialect }: Store): CallLog {
  let nextSweep = 0;
  return {
    async take(key, request) {
      if (request.now >= nextSweep) {
        // Removes old calls of callers who did not return.
        nextSweep = request.now + request.windowMs;
        await db
          .deleteFrom('calls')
          .where('at', '<=', request.now - request.windowMs)
          .execute();
      }
      if (dialect === 'sqlite') return takeCall(db, key, request);
      return db.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(transaction);
        return takeCall(transaction, key, request);
      });
    },
  };
}

/** Counts and adds in one statement, so that on SQLite, with its single writer, no other call comes in between. */
async function takeCall(
  db: Kysely<Tables>,
  key: string,
  { limit, windowMs, now }: CallRequest,
): Promise<CallAdmission> {
  const since = now - windowMs;
  await db.deleteFrom('calls').where('key', '=', key).where('at', '<=', since).execute();
  const { numAffectedRows } = await sql`
    insert into calls (key, at) select ${key}, cast(${now} as bigint)
    where (select count(*) from calls where key = ${key} and at > ${since}) < ${limit}`.execute(db);
  if (numAffectedRows === 1n) return { admitted: true };
  const { oldest } = await db
    .selectFrom('calls')
    .select((columns) => columns.fn.min('at').as('oldest'))
    .where('key', '=', key)
    .where('at', '>', since)
    .executeTakeFirstOrThrow();
  return { admitted: false, freeAt: (oldest ?? now) + windowMs };
}
