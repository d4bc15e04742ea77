import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { Failure } from '../errors.ts';
import { migrations, type Tables } from './schema.ts';

export interface Store extends AsyncDisposable {
  db: Kysely<Tables>;
  dialect: 'sqlite' | 'postgres';
}

interface Place {
  /** The folder of the SQLite file. */
  home: string;
  /** `postgres://…`; without it the store is a SQLite file. */
  url?: string | undefined;
}

/** Opens the store and brings its tables up to date. Drivers are loaded on first use. */
export async function openStore({ home, url }: Place): Promise<Store> {
  const dialect = url ? 'postgres' : 'sqlite';
  let db: Kysely<Tables> | undefined;
  try {
    db = new Kysely<Tables>({ dialect: url ? await connect(url) : await openFile(home) });
    await migrate(db, dialect);
    const opened = db;
    return { db, dialect, [Symbol.asyncDispose]: () => opened.destroy() };
  } catch (error) {
    await db?.destroy();
    const where = url ? 'the database of ASSAY_DATABASE_URL' : join(home, 'assay.db');
    throw new Failure(
      'configuration',
      'STORE_UNAVAILABLE',
      `Cannot use ${where}: ${reason(error)}.`,
      {},
      { cause: error },
    );
  }
}

/** All or nothing, and by one process at a time. For PostgreSQL the migrator sees to that itself. */
async function migrate(db: Kysely<Tables>, dialect: Store['dialect']): Promise<void> {
  const run = async (on: Kysely<Tables>) => {
    const { error } = await new Migrator({ db: on, provider }).migrateToLatest();
    if (error) throw error;
  };
  const provider = { getMigrations: async () => migrations };
  if (dialect === 'postgres') return run(db);
  const known = await new Migrator({ db, provider }).getMigrations();
  if (known.every(({ executedAt }) => executedAt)) return;
  await db.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection);
    try {
      await run(connection);
      await sql`commit`.execute(connection);
    } catch (error) {
      // When the disk is full it has rolled back by itself, and there is nothing left to roll back.
      await sql`rollback`.execute(connection).catch(() => {});
      throw error;
    }
  });
}

async function connect(url: string) {
  const { postgresDialect } = await import('./postgres.ts');
  return postgresDialect(url);
}

async function openFile(home: string) {
  const { sqliteDialect } = await import('./sqlite.ts');
  await mkdir(home, { recursive: true, mode: 0o700 });
  const file = join(home, 'assay.db');
  const dialect = sqliteDialect(file);
  await chmod(file, 0o600);
  return dialect;
}

/** Connection errors name hosts and users, and may name more: only their kind is repeated. */
function reason(error: unknown): string {
  if (error instanceof AggregateError) return reason(error.errors[0]);
  if (error instanceof Failure) return reason(error.cause);
  // SQLite's own words for the kind: "disk I/O error", "database or disk is full", "unable to open database file".
  if (error instanceof Error && 'errstr' in error) return String(error.errstr);
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  return code ?? (error instanceof Error ? error.name : 'unknown error');
}
