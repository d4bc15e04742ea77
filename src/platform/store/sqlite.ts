import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type Dialect, SqliteDialect } from 'kysely';

/** A SQLite file that several processes may share: write-ahead log, and patience while another one writes. */
export function sqliteDialect(file: string): Dialect {
  const database = new DatabaseSync(file);
  try {
    database.exec(
      'PRAGMA busy_timeout = 2000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON',
    );
  } catch (error) {
    database.close();
    throw error;
  }
  return new SqliteDialect({
    database: {
      close: () => database.close(),
      prepare(sql) {
        const statement = database.prepare(sql);
        return {
          reader: statement.columns().length > 0,
          all: (parameters) => statement.all(...values(parameters)),
          run: (parameters) => statement.run(...values(parameters)),
          iterate: (parameters) => statement.iterate(...values(parameters)),
        };
      },
    },
  });
}

function values(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map((value) => {
    if (value === null || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string')
      return value;
    if (value instanceof Uint8Array) return value;
    throw new TypeError(`SQLite cannot store a ${typeof value}`);
  });
}
