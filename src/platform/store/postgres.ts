import { type Dialect, PostgresDialect } from 'kysely';
import pg from 'pg';

/** PostgreSQL, for several machines. Big integers are numbers here: nothing that we count is beyond them. */
export function postgresDialect(url: string): Dialect {
  const types: pg.CustomTypesConfig = {
    getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
  };
  const pool = new pg.Pool({ connectionString: url, max: 10, types });
  // A connection that breaks while nobody waits for it, or while it is being closed, tells nobody but these two. Whoever
  // uses it next gets the error or a new connection; without a listener it would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return new PostgresDialect({ pool });
}
