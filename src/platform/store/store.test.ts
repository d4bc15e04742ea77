import { copyFile, mkdir, open, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { newFolder } from '../../../test/support/folders.ts';
import { openTestStore } from '../../../test/support/open-store.ts';
import { startPostgres } from '../../../test/support/services/postgres.ts';
import { createJobs } from '../jobs/jobs.ts';
import { findStoreDamage, flushStore } from './store.ts';

const postgres = await startPostgres();
afterAll(() => postgres[Symbol.asyncDispose]());
const me = { issuer: 'local', subject: 'me' };

test('rejects a database that a newer version has migrated, without its password', async () => {
  const url = postgres.url.replace('assay@', 'assay:s3cret@');
  {
    await using store = await openTestStore({ home: '/nowhere', url });
    await sql`insert into kysely_migration (name, timestamp) values ('999-later', '2030')`.execute(store.db);
  }
  const message =
    'A newer version of Assay has migrated the database of ASSAY_DATABASE_URL: its newest migration is 999-later, and this version knows migrations up to 008-parts-of-jobs. Upgrade Assay, or set ASSAY_DATABASE_URL to another database.';
  await expect(openTestStore({ home: '/nowhere', url })).rejects.toMatchObject({
    ...{ kind: 'configuration', code: 'STORE_NEWER', message },
    details: { newest: '999-later', known: '008-parts-of-jobs' },
  });
});

test('rejects a file that a newer version has migrated, and names it to local callers only', async () => {
  await using folder = await newFolder();
  {
    await using store = await openTestStore({ home: folder.path });
    await sql`insert into kysely_migration (name, timestamp) values ('999-later', '2030')`.execute(store.db);
  }
  await expect(openTestStore({ home: folder.path })).rejects.toMatchObject({
    code: 'STORE_NEWER',
    message: expect.stringContaining(join(folder.path, 'assay.db')),
    remoteMessage: expect.not.stringContaining(folder.path),
  });
});

test('reports a database whose tables are missing as damaged', async () => {
  const client = await openTestStore({ home: '/nowhere', url: postgres.url }).catch(() => undefined);
  await client?.[Symbol.asyncDispose]();
  const { postgresDialect } = await import('./postgres.ts');
  const { Kysely } = await import('kysely');
  const db = new Kysely<Record<string, never>>({ dialect: postgresDialect(postgres.url) });
  await expect(sql`select * from missing`.execute(db)).rejects.toMatchObject({
    code: 'STORE_DAMAGED',
    message: expect.stringContaining('Cannot use the database of ASSAY_DATABASE_URL: the server answers 42P01.'),
  });
  await db.destroy();
});

test('reports a full disk with the path and the fix', async () => {
  await using folder = await newFolder();
  await using store = await openTestStore({ home: folder.path });
  await sql`pragma max_page_count = 1`.execute(store.db);
  const write = createJobs(store).submit('x', me, 'y'.repeat(100_000));
  await expect(write).rejects.toMatchObject({
    ...{ kind: 'unavailable', code: 'DISK_FULL' },
    message: `Cannot use ${join(folder.path, 'assay.db')}: database or disk is full. Free disk space, then try again. Or set ASSAY_HOME to another folder.`,
    remoteMessage: expect.not.stringContaining(folder.path),
  });
});

test('reports a read-only file with the path and the fix', async () => {
  await using folder = await newFolder();
  await using store = await openTestStore({ home: folder.path });
  await sql`pragma query_only = on`.execute(store.db);
  await expect(createJobs(store).submit('x', me, null)).rejects.toMatchObject({
    ...{ kind: 'configuration', code: 'READ_ONLY' },
    message: expect.stringMatching(/assay\.db: attempt to write a readonly database\. Make the file/),
  });
});

async function overwrite(file: string, position: number, length: number): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(length, 0xa5), 0, length, position);
  await handle.close();
}

test.each([
  ['a file that is no database', (file: string) => overwrite(file, 0, 4096)],
  ['a schema that cannot be read', (file: string) => overwrite(file, 100, 3900)],
])('reports %s as damaged', async (_what, damage) => {
  await using folder = await newFolder();
  await (await openTestStore({ home: folder.path }))[Symbol.asyncDispose]();
  const file = join(folder.path, 'assay.db');
  await damage(file);
  await expect(openTestStore({ home: folder.path })).rejects.toMatchObject({
    ...{ kind: 'configuration', code: 'STORE_DAMAGED' },
    message: expect.stringMatching(/assay\.db: .*\. Restore it from a backup, or move it away .* Or set ASSAY_HOME/),
  });
});

test('reports overwritten pages and missing tables as damage where they are read', async () => {
  await using folder = await newFolder();
  const file = join(folder.path, 'assay.db');
  {
    await using store = await openTestStore({ home: folder.path });
    for (let i = 0; i < 50; i++) await createJobs(store).submit('x', me, 'y'.repeat(2000));
    expect(await findStoreDamage(store)).toBeUndefined();
    await flushStore(store);
  }
  const database = new DatabaseSync(file);
  const { page } = database.prepare("select rootpage as page from sqlite_master where name = 'jobs'").get() ?? {};
  database.exec('drop table calls');
  database.close();
  await overwrite(file, (Number(page) - 1) * 4096, 4096);
  await using store = await openTestStore({ home: folder.path });
  const damaged = { code: 'STORE_DAMAGED', message: expect.stringContaining(file) };
  await expect(createJobs(store).list('x', me)).rejects.toMatchObject(damaged);
  await expect(store.db.selectFrom('calls').selectAll().execute()).rejects.toMatchObject({
    ...damaged,
    message: expect.stringContaining('no such table: calls'),
  });
  expect(await findStoreDamage(store)).toMatch(/Restore it from a backup/);
});

test.each([
  ['all of it', 'delete from kysely_migration'],
  ['one in its middle', "delete from kysely_migration where name = '002-jobs'"],
])('reports a list of migrations that lacks %s as damage', async (_what, damage) => {
  await using folder = await newFolder();
  {
    await using store = await openTestStore({ home: folder.path });
    await sql.raw(damage).execute(store.db);
  }
  await expect(openTestStore({ home: folder.path })).rejects.toMatchObject({
    ...{ kind: 'configuration', code: 'STORE_DAMAGED' },
    message: expect.stringMatching(/assay\.db: its tables do not fit its list of migrations \(.*Restore it/),
    remoteMessage: expect.not.stringContaining(folder.path),
  });
});

test('reports a database whose list of migrations is empty, and missing tables and columns, as damage', async () => {
  await using server = await startPostgres();
  {
    await using store = await openTestStore({ home: '/nowhere', url: server.url });
    expect(await findStoreDamage(store)).toBeUndefined();
    await sql`alter table jobs drop column log_fields`.execute(store.db);
    expect(await findStoreDamage(store)).toMatch(/^the column log_fields of the table jobs is missing\. Restore/);
    await sql`delete from kysely_migration`.execute(store.db);
  }
  await expect(openTestStore({ home: '/nowhere', url: server.url })).rejects.toMatchObject({
    ...{ kind: 'configuration', code: 'STORE_DAMAGED' },
    message: expect.stringContaining('(the server answers 42P07). Restore it'),
  });
});

test('finds tables that are missing in a file', async () => {
  await using folder = await newFolder();
  await using store = await openTestStore({ home: folder.path });
  await sql`drop table calls`.execute(store.db);
  expect(await findStoreDamage(store)).toMatch(/^the table calls is missing\. Restore/);
});

test('does not turn a wrong statement into a typed failure', async () => {
  await using folder = await newFolder();
  await using store = await openTestStore({ home: folder.path });
  await expect(sql`insert into calls (key, at) values (null, 1)`.execute(store.db)).rejects.not.toHaveProperty('kind');
});

test('rejects unusable data folders with the reason', async () => {
  await using folder = await newFolder();
  const file = await folder.write('file', '');
  await mkdir(join(folder.path, 'folder', 'assay.db'), { recursive: true });
  await symlink('loop', join(folder.path, 'loop'));
  const homes: [home: string, code: string, reason: RegExp][] = [
    [file, 'IMPOSSIBLE_PATH', /file: a part of the path is not a folder\./],
    [join(file, 'below'), 'IMPOSSIBLE_PATH', /a part of the path is not a folder\./],
    [join(folder.path, 'x'.repeat(300)), 'IMPOSSIBLE_PATH', /the path is too long\./],
    [join(folder.path, 'loop', 'x'), 'IMPOSSIBLE_PATH', /too many symbolic links\./],
    [`${folder.path}/a\0b`, 'IMPOSSIBLE_PATH', /the path contains a NUL byte\./],
    [join(folder.path, 'folder'), 'STORE_UNAVAILABLE', /assay\.db: unable to open database file\. Check that it is/],
  ];
  for (const [home, code, reason] of homes)
    await expect(openTestStore({ home })).rejects.toMatchObject({
      ...{ kind: 'configuration', code, message: expect.stringMatching(reason) },
      remoteMessage: expect.not.stringContaining(folder.path),
    });
  // The system answers ENOENT to mkdir here, although the parent exists.
  await expect(openTestStore({ home: '/proc/assay-test/home' })).rejects.toMatchObject({
    ...{ kind: 'configuration', code: process.platform === 'linux' ? 'IMPOSSIBLE_PATH' : expect.any(String) },
    message: expect.stringMatching(/^Cannot use \/proc\/assay-test\/home: /),
  });
});

test('writes every commit to the file on flush', async () => {
  await using folder = await newFolder();
  await using store = await openTestStore({ home: folder.path });
  const { id } = await createJobs(store).submit('x', me, null);
  await flushStore(store);
  const alone = join(folder.path, 'alone');
  await mkdir(alone);
  await copyFile(join(folder.path, 'assay.db'), join(alone, 'assay.db'));
  await using copy = await openTestStore({ home: alone });
  expect(await createJobs(copy).get(id, me)).toBeDefined();
  await rm(alone, { recursive: true });
});
