import type { Kysely, Selectable } from 'kysely';
import type { Json } from '../json.ts';
import type { Tables } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

export type JobRow = Selectable<Tables['jobs']>;

/** All columns, by name: an older version may run after a newer one has added some. */
export const jobColumns = [
  ...(['id', 'kind', 'owner', 'state', 'payload', 'progress', 'result', 'error', 'attempts', 'worker'] as const),
  ...(['lease_until', 'cancel', 'dead', 'redrives', 'parent_id', 'limit_key', 'limit_max', 'limit_slot'] as const),
  ...(['log_fields', 'created_at', 'started_at', 'ended_at'] as const),
] satisfies readonly (keyof JobRow)[];

/** The columns of a job that has not started, without its times, limit and log fields. */
export function newJob({ payload, ...columns }: Pick<JobRow, 'id' | 'kind' | 'owner'> & { payload: Json }) {
  return {
    ...columns,
    ...{ state: 'queued' as const, attempts: 0, worker: null, cancel: 0, dead: 0, redrives: 0, parent_id: null },
    ...{ payload: JSON.stringify(payload), progress: 'null', result: 'null', error: null },
    ...{ limit_slot: null, started_at: null, ended_at: null },
  };
}

/**
 * Reads a job in a transaction and keeps others from changing it until the end of that. On SQLite there is one writer at a
 * time. A job is locked before its parts.
 */
export async function lockJob(
  transaction: Kysely<Tables>,
  { dialect }: Pick<Store, 'dialect'>,
  id: string,
): Promise<JobRow | undefined> {
  return transaction
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', id)
    .$if(dialect === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();
}
