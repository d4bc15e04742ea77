import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely } from 'kysely';
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
  const db = new Kysely<Tables>({ dialect: url ? await connect(url) : await openFile(home) });
  const provider = { getMigrations: async () => migrations };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error) {
    await db.destroy();
    const where = url ? 'the database of ASSAY_DATABASE_URL' : join(home, 'assay.db');
    throw new Failure(
      'configuration',
      'STORE_UNAVAILABLE',
      `Cannot use ${where}: ${reason(error)}.`,
      {},
      { cause: error },
    );
  }
  return { db, dialect, [Symbol.asyncDispose]: () => db.destroy() };
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
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  return code ?? (error instanceof Error ? error.name : 'unknown error');
}
