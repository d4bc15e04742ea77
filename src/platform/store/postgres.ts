import { type Dialect, PostgresDialect } from 'kysely';
import pg from 'pg';

/** PostgreSQL, for several machines. Big integers are numbers here: nothing that we count is beyond them. */
export function postgresDialect(url: string): Dialect {
  const types: pg.CustomTypesConfig = {
    getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
  };
  return new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 10, types }) });
}
