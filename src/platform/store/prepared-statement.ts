import { type RawBuilder, sql } from 'kysely';

export const PREPARED_MARK = '/* prepared */';

/**
 * At the end of a statement for PostgreSQL: each connection prepares it, so that the server need not plan every execution. For
 * frequent statements with few texts, whose result columns are named: those of `*` change when a newer version adds a column.
 */
export const preparedMark: RawBuilder<unknown> = sql.raw(PREPARED_MARK);
