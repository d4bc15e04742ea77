import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { newFolder } from '../../../test/support/folders.ts';
import { openTestStore } from '../../../test/support/open-store.ts';
import { openStore } from '../store/store.ts';
import { createJobService } from './job-service.ts';
import { createJobs } from './jobs.ts';

const me = { issuer: 'local', subject: 'me' };

test('reports a store that cannot be opened, and opens it on the next call', async () => {
  await using folder = await newFolder();
  await folder.write('home', 'a file instead of the folder');
  const services = createJobService({
    home: join(folder.path, 'home'),
    handlers: new Map([['echo', async ({ payload }) => payload]]),
    runsJobs: true,
    migrations: async () => ({}),
    log: pino({ level: 'silent' }),
    signal: new AbortController().signal,
  });
  await expect(services.jobs()).rejects.toThrow(
    /^Cannot use .*home: a part of the path is not a folder\..* Or set ASSAY_HOME/,
  );
  expect(await services.statistics()).toBeUndefined();
  await rm(join(folder.path, 'home'));
  const jobs = await services.jobs();
  const { id } = await jobs.submit('echo', me, 'heard');
  await expect.poll(async () => (await jobs.get(id, me))?.result).toBe('heard');
  await services.close();
});

test('reports a locked store as unavailable', async () => {
  await using folder = await newFolder();
  await using store = await openTestStore({ home: folder.path });
  const rival = new DatabaseSync(join(folder.path, 'assay.db'));
  rival.exec('begin exclusive');
  await expect(createJobs(store).submit('echo', me, null)).rejects.toMatchObject({
    kind: 'unavailable',
    message: `Cannot use ${join(folder.path, 'assay.db')}: database is locked. Try again in a moment.`,
    remoteMessage: "Cannot use the server's data folder: database is locked. Try again in a moment.",
  });
  rival.close();
});

test('a worker that drains does not start the jobs that its own jobs submit', async () => {
  await using folder = await newFolder();
  const drain = new AbortController();
  const begun: unknown[] = [];
  const services = createJobService({
    home: folder.path,
    handlers: new Map([
      [
        'parent',
        async ({ payload }) => {
          begun.push(payload);
          if (payload !== 'first') return null;
          drain.abort();
          await (await services.jobs()).submit('parent', me, 'second');
          return null;
        },
      ],
    ]),
    runsJobs: true,
    migrations: async () => ({}),
    log: pino({ level: 'silent' }),
    signal: new AbortController().signal,
  });
  await using store = await openStore({ home: folder.path, migrations: {} });
  await createJobs(store).submit('parent', me, 'first');
  await services.work({ drain: drain.signal });
  await services.close();
  expect(begun).toEqual(['first']);
});
