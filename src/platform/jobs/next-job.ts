import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import { databaseClock } from '../store/database-clock.ts';
import type { Tables } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

interface NextJobOptions {
  store: Store;
  kinds: readonly string[];
  /** Jobs that this worker runs. */
  claimed: readonly string[];
  /** Take only a job of an owner without a running one. */
  isReserveSlot: boolean;
}

/**
 * The id of the job that should start next, as an SQL expression. It is searched in three steps, and each ends at the first
 * job that it finds, because a queue may be long:
 *
 * 1. the oldest job of a worker that died;
 * 2. the oldest job of the owners without a running job;
 * 3. the oldest job of the owner with the fewest running jobs, so that one owner with many does not delay the others.
 *
 * On PostgreSQL the job is locked, and jobs that other workers are claiming are left out.
 */
export function nextJob({ store, kinds, claimed, isReserveSlot }: NextJobOptions): RawBuilder<string | null> {
  const { db } = store;
  const isPostgres = store.dialect === 'postgres';
  // Read once, not for every row.
  const now = sql<number>`(select ${databaseClock(store)})`;

  const busy = db
    .selectFrom('jobs as theirs')
    .where('theirs.state', '=', 'running')
    .where('theirs.lease_until', '>=', now);
  const busyOwners = busy.select('theirs.owner');

  const startable = (state: 'queued' | 'running') =>
    db
      .selectFrom('jobs')
      .select('jobs.id')
      .where('jobs.state', '=', state)
      .where('jobs.kind', 'in', kinds)
      .where('jobs.lease_until', '<', now)
      .where(isWithinLimit)
      .orderBy('jobs.created_at')
      .limit(1)
      .$if(isPostgres, (query) => query.forUpdate('jobs').skipLocked());

  const abandoned = startable('running')
    // After a sleep of the machine the leases of this worker have expired, but its jobs still run.
    .$if(claimed.length > 0, (query) => query.where('jobs.id', 'not in', claimed))
    .$if(isReserveSlot, (query) => query.where('jobs.owner', 'not in', busyOwners));

  const ofIdleOwner = startable('queued').where('jobs.owner', 'not in', busyOwners);
  if (isReserveSlot) return sql`coalesce((${abandoned}), (${ofIdleOwner}))`;

  /** Of two owners with as many running jobs, the one whose last start is longer ago comes first. */
  const inTurn = busy
    .select(({ fn }) => ['theirs.owner', fn.countAll().as('number'), fn.max('theirs.started_at').as('last')])
    .groupBy('theirs.owner')
    .orderBy('number')
    .orderBy('last');
  const ofBusyOwner = isPostgres
    ? db
        .selectFrom(inTurn.as('busy'))
        .innerJoinLateral(startable('queued').whereRef('jobs.owner', '=', sql.ref('busy.owner')).as('oldest'), (join) =>
          join.onTrue(),
        )
        .select('oldest.id')
        .limit(1)
    : startable('queued')
        .innerJoin(inTurn.as('busy'), 'busy.owner', 'jobs.owner')
        .clearOrderBy()
        .orderBy('busy.number')
        .orderBy('busy.last')
        .orderBy('jobs.created_at');
  return sql`coalesce((${abandoned}), (${ofIdleOwner}), (${ofBusyOwner}))`;
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
