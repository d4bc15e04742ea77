import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type Dialect, SqliteDialect } from 'kysely';
import { Failure } from '../errors.ts';

/** A SQLite file that several processes may share: write-ahead log, and patience while another one writes. What is deleted is gone from it. */
export function sqliteDialect(file: string): Dialect {
  const database = new DatabaseSync(file);
  try {
    database.exec(
      'PRAGMA busy_timeout = 2000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON',
    );
  } catch (error) {
    database.close();
    throw error;
  }
  return new SqliteDialect({
    database: {
      close: () => database.close(),
      prepare(sql) {
        // Nobody may write who has read what another process has changed since: whoever begins has the right to write.
        const statement = told(() => database.prepare(sql === 'begin' ? 'begin immediate' : sql));
        return {
          reader: statement.columns().length > 0,
          all: (parameters) => told(() => statement.all(...values(parameters))),
          run: (parameters) => told(() => statement.run(...values(parameters))),
          iterate: (parameters) => statement.iterate(...values(parameters)),
        };
      },
    },
  });
}

/** Primary result codes that speak of the file or the disk, and not of the statement: busy, locked, read-only, I/O, full, no access. */
const TROUBLE = new Set([5, 6, 8, 10, 13, 14]);

/** A store that is locked or full is no defect: whoever asked is told, in SQLite's own words. */
function told<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || !('errcode' in error) || !TROUBLE.has(Number(error.errcode) & 0xff)) throw error;
    const why = 'errstr' in error ? String(error.errstr) : error.message;
    const message = `The store does not answer: ${why}. Try again in a moment.`;
    throw new Failure('unavailable', 'STORE_UNAVAILABLE', message, {}, { cause: error });
  }
}

function values(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map((value) => {
    if (value === null || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string')
      return value;
    if (value instanceof Uint8Array) return value;
    throw new TypeError(`SQLite cannot store a ${typeof value}`);
  });
}
