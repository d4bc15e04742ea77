import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { type AffectedResource, cannotUseFailure, homeResource, toHomeFailure } from '../environment-failure.ts';
import { Failure, systemCode } from '../errors.ts';
import { makeHomeFolder } from '../files/files.ts';
import { createLocalNotices, NOTICE_CHANNEL, type Notices } from './notices.ts';
import { type Migrations, platformMigrations, type Tables } from './schema.ts';
import { configuredDatabase, storeDamaged } from './store-failures.ts';

export interface Store extends AsyncDisposable {
  db: Kysely<Tables>;
  dialect: 'sqlite' | 'postgres';
  /** Tells other users of the store of changes. */
  notices: Notices;
  /** All migrations of this version: platform and toolsets. */
  migrations: Migrations;
}

interface StoreOptions {
  /** The folder of the SQLite file. */
  home: string;
  /** `postgres://…`; without it the store is a SQLite file. */
  url?: string | undefined;
  /** The migrations of the toolsets; those of the platform are added. */
  migrations: Migrations;
}

export function storeFile(home: string): string {
  return join(home, 'assay.db');
}

/**
 * Opens the store and migrates its tables. Drivers are loaded on first use. Throws a typed failure that names the store if
 * it cannot be used or was migrated by a newer version of Assay.
 */
export async function openStore({ home, url, migrations: toolsetMigrations }: StoreOptions): Promise<Store> {
  const migrations = { ...platformMigrations, ...toolsetMigrations };
  const dialect = url ? 'postgres' : 'sqlite';
  let db: Kysely<Tables> | undefined;
  try {
    db = new Kysely<Tables>({ dialect: url ? await connect(url) : await openFile(home) });
    const where = url ? configuredDatabase : homeResource(storeFile(home));
    await rejectNewerSchema(db, dialect, migrations, where);
    await migrate(db, dialect, migrations).catch((error: unknown) => {
      throw migrationFailure(error, where);
    });
    const opened = db;
    const notices = url ? await connectNotices(url, opened) : createLocalNotices();
    return {
      ...{ db, dialect, notices, migrations },
      async [Symbol.asyncDispose]() {
        await notices.close();
        await opened.destroy();
      },
    };
  } catch (error) {
    await db?.destroy();
    throw error;
  }
}

/** An older version must not write to tables that it does not know. */
async function rejectNewerSchema(
  db: Kysely<Tables>,
  dialect: Store['dialect'],
  migrations: Migrations,
  where: AffectedResource,
): Promise<void> {
  const isMigrated =
    dialect === 'sqlite'
      ? sql<{ found: unknown }>`select name as found from sqlite_master where name = 'kysely_migration'`
      : sql<{ found: unknown }>`select to_regclass('kysely_migration') as found`;
  if (!(await isMigrated.execute(db)).rows[0]?.found) return;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  const unknown = rows.map(({ name }) => name).filter((name) => !Object.hasOwn(migrations, name));
  const [newest, known] = [unknown.at(-1), Object.keys(migrations).toSorted().at(-1)];
  if (newest === undefined) return;
  const messageFor = (store: string) =>
    `A newer version of Assay has migrated ${store}: its newest migration is ${newest}, and this version knows migrations up to ${known}. Upgrade Assay, or ${dialect === 'sqlite' ? 'set ASSAY_HOME to another folder' : 'set ASSAY_DATABASE_URL to another database'}.`;
  const options = { remoteMessage: messageFor(where.remoteName) };
  throw new Failure('configuration', 'STORE_NEWER', messageFor(where.name), { newest, known }, options);
}

/** Describes missing tables or columns and damaged pages of the SQLite file; undefined for an intact store. */
export async function findStoreDamage({ db, dialect, migrations }: Store): Promise<string | undefined> {
  const missing = await findMissingPart(db, migrations);
  if (missing) return `${missing} is missing. ${storeDamaged.fix}`;
  // PostgreSQL checks its pages itself.
  if (dialect === 'postgres') return undefined;
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db);
  const found = rows[0]?.quick_check;
  return found === 'ok' ? undefined : `${found}. ${storeDamaged.fix}`;
}

/** The first table or column that an empty store has and this one lacks. */
async function findMissingPart(db: Kysely<Tables>, migrations: Migrations): Promise<string | undefined> {
  const { sqliteDialect } = await import('./sqlite.ts');
  const empty = new Kysely<Tables>({ dialect: sqliteDialect(':memory:') });
  try {
    await migrate(empty, 'sqlite', migrations);
    const found = new Map((await db.introspection.getTables()).map((table) => [table.name, table.columns]));
    for (const { name, columns } of await empty.introspection.getTables()) {
      const present = found.get(name);
      if (!present) return `the table ${name}`;
      const lacks = columns.find((column) => !present.some((each) => each.name === column.name));
      if (lacks) return `the column ${lacks.name} of the table ${name}`;
    }
    return undefined;
  } finally {
    await empty.destroy();
  }
}

/** Writes every commit to the disk, so that it survives a power loss. */
export async function flushStore({ db, dialect }: Store): Promise<void> {
  if (dialect === 'postgres') return;
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(full)`.execute(db);
  if (rows[0]?.busy !== 0)
    throw new Failure('unavailable', 'STORE_UNAVAILABLE', 'Another process uses the store. Try again in a moment.');
}

/** Runs all missing migrations or none, in one process at a time. For PostgreSQL the migrator itself guarantees that. */
async function migrate(db: Kysely<Tables>, dialect: Store['dialect'], migrations: Migrations): Promise<void> {
  const run = async (on: Kysely<Tables>) => {
    const { error } = await new Migrator({ db: on, provider }).migrateToLatest();
    if (error) throw error;
  };
  const provider = { getMigrations: async () => ({ ...migrations }) };
  if (dialect === 'postgres') return run(db);
  const known = await new Migrator({ db, provider }).getMigrations();
  if (known.every(({ executedAt }) => executedAt)) return;
  await db.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection);
    try {
      await run(connection);
      await sql`commit`.execute(connection);
    } catch (error) {
      // SQLite rolls back by itself when the disk is full; a second rollback then fails.
      await sql`rollback`.execute(connection).catch(() => {});
      throw error;
    }
  });
}

/**
 * Turns a failed migration statement into a damage failure: migrations never change, so a statement fails only if the
 * tables differ from what earlier migrations made. Returns any other error unchanged.
 */
function migrationFailure(error: unknown, where: AffectedResource): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const code = systemCode(error);
  const isOfSqlite = code === 'ERR_SQLITE_ERROR';
  // Class 42 of SQLSTATE: duplicate or undefined tables, columns and indexes. The text of the server is not repeated.
  const isOfPostgres = code?.startsWith('42') === true;
  if (!isOfSqlite && !isOfPostgres && !error.message.startsWith('corrupted migrations')) return error;
  const detail = isOfPostgres ? `the server answers ${code}` : error.message;
  return cannotUseFailure(where, `its tables do not fit its list of migrations (${detail})`, storeDamaged, error);
}

async function connect(url: string) {
  const { postgresDialect } = await import('./postgres.ts');
  return postgresDialect(url);
}

async function connectNotices(url: string, db: Kysely<Tables>): Promise<Notices> {
  const { createPostgresNotices } = await import('./postgres-notices.ts');
  return createPostgresNotices(url, (text) => sql`select pg_notify(${NOTICE_CHANNEL}, ${text})`.execute(db));
}

async function openFile(home: string) {
  const { sqliteDialect } = await import('./sqlite.ts');
  await makeHomeFolder(home);
  const file = storeFile(home);
  const dialect = sqliteDialect(file);
  await chmod(file, 0o600).catch((error: unknown) => {
    throw toHomeFailure(error, file);
  });
  return dialect;
}
