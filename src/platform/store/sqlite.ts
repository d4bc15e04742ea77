import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type Dialect, SqliteDialect } from 'kysely';
import {
  accessDenied,
  cannotUseFailure,
  diskError,
  diskFull,
  type EnvironmentProblem,
  homeResource,
  outOfMemory,
  readOnly,
} from '../environment-failure.ts';
import { type Failure, systemCode } from '../errors.ts';
import { storeDamaged, storeNotOpened, storeUnavailable } from './store-failures.ts';

/**
 * A SQLite file that several processes may share: write-ahead log, and a busy timeout while another process writes. Deleted
 * values are overwritten. `synchronous = NORMAL`: a crash of the process loses nothing; a power loss can cost the
 * commits since the last checkpoint, and never damages the file (docs/store.md).
 */
export function sqliteDialect(file: string): Dialect {
  const guarded = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw sqliteFailure(error, file) ?? error;
    }
  };
  const database = guarded(() => new DatabaseSync(file));
  try {
    guarded(() =>
      database.exec(
        'PRAGMA busy_timeout = 2000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON',
      ),
    );
  } catch (error) {
    database.close();
    throw error;
  }
  return new SqliteDialect({
    database: {
      close: () => database.close(),
      prepare(sql) {
        // A transaction that reads first and writes later would fail if another process wrote in between.
        const statement = guarded(() => database.prepare(sql === 'begin' ? 'begin immediate' : sql));
        return {
          reader: statement.columns().length > 0,
          all: (parameters) => guarded(() => statement.all(...values(parameters))),
          run: (parameters) => guarded(() => statement.run(...values(parameters))),
          iterate: (parameters) => statement.iterate(...values(parameters)),
        };
      },
    },
  });
}

/** Primary result codes (https://www.sqlite.org/rescode.html) for errors of the file or the disk, not of the statement. */
const byResultCode: Record<number, EnvironmentProblem> = {
  3: accessDenied, // SQLITE_PERM
  5: storeUnavailable, // SQLITE_BUSY
  6: storeUnavailable, // SQLITE_LOCKED
  7: outOfMemory, // SQLITE_NOMEM
  8: readOnly, // SQLITE_READONLY
  10: diskError, // SQLITE_IOERR
  11: storeDamaged, // SQLITE_CORRUPT
  13: diskFull, // SQLITE_FULL
  14: storeNotOpened, // SQLITE_CANTOPEN
  15: storeUnavailable, // SQLITE_PROTOCOL
  23: accessDenied, // SQLITE_AUTH
  26: storeDamaged, // SQLITE_NOTADB
};
/** The shared-memory file cannot grow: its disk is full. */
const SQLITE_IOERR_SHMSIZE = 4874;

/** Migrations create every table and column that a statement names, so a missing one means that the file was changed. */
const MISSING_PART = /^no such (table|column|index)|has no column named|malformed database schema/;

/** Converts an error of the file or its disk to a typed failure; undefined for a wrong statement. */
function sqliteFailure(error: unknown, file: string): Failure | undefined {
  if (!(error instanceof Error) || systemCode(error) !== 'ERR_SQLITE_ERROR') return undefined;
  const code = Number(Reflect.get(error, 'errcode'));
  const known =
    code === SQLITE_IOERR_SHMSIZE
      ? diskFull
      : (byResultCode[code & 0xff] ?? (MISSING_PART.test(error.message) ? storeDamaged : undefined));
  // "no such table: x" is more specific than the text of its code, "SQL logic error".
  const reason = code === 1 ? error.message : String(Reflect.get(error, 'errstr'));
  return known && cannotUseFailure(homeResource(file), reason, known, error);
}

function values(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map((value) => {
    if (value === null || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string')
      return value;
    if (value instanceof Uint8Array) return value;
    throw new TypeError(`SQLite cannot store a ${typeof value}`);
  });
}
