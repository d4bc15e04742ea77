import { type RawBuilder, sql } from 'kysely';
import type { Store } from './store.ts';

/**
 * The time by the clock of the database in milliseconds since 1970, as an SQL expression. Processes on several machines
 * compare times by this clock alone, since their own clocks differ.
 */
export function databaseClock({ dialect }: Pick<Store, 'dialect'>): RawBuilder<number> {
  return dialect === 'sqlite'
    ? sql<number>`cast(round(unixepoch('subsec') * 1000) as integer)`
    : sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;
}
