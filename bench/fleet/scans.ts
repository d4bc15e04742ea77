/**
 * Measures scans by several workers on one machine: pages a second for one site and for 100 hosts, the time between page starts on a
 * host as its server sees it, and what a page costs in processor time, in the database and in the bucket. Linux only.
 */
import { spawn } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { defaultConfig } from '../../src/accessibility/engine/input/engine-config.ts';
import { treeSite } from '../../test/sites/scan-traps.ts';
import { type ServedSite, serveSite } from '../../test/sites/serve.ts';
import { testHome } from '../../test/sites/workspace.ts';
import { bin, callOn } from '../../test/support/assay.ts';
import { newFolder } from '../../test/support/folders.ts';
import { startFleet } from '../../test/support/jobs/fleet.ts';
import { openTestStore } from '../../test/support/open-store.ts';
import { printTable } from '../table.ts';
import { createFamilyMeter, secondsOfMachine } from './process-time.ts';

const [hostCount = 100, pagesOfHost = 2] = process.argv.slice(3).map(Number);
const WORKERS = 2;
const POLL_MS = 250;

await using fleet = await startFleet({ servers: 1, workers: 0 });
await using store = await openTestStore({ home: '/nowhere', url: fleet.postgres.url });
const [client] = fleet.clients;
if (!client) throw new Error('no server');
const call = callOn(client);
const configFolder = join(fleet.homes[0] ?? '', 'accessibility/config');
await mkdir(configFolder, { recursive: true });
const config = { ...defaultConfig, page_load_timeout: 120, script_timeout: 120 };
await writeFile(join(configFolder, 'config_default.json'), JSON.stringify(config));

await using folder = await newFolder();
const workers = await Promise.all(
  Array.from({ length: WORKERS }, async (_, index) => {
    const home = join(folder.path, `worker-${index}`);
    await mkdir(home);
    await symlink(join(testHome, 'browser'), join(home, 'browser'));
    const { PATH, HOME } = process.env;
    return spawn(process.execPath, [bin, 'worker'], {
      env: { PATH, HOME, ...fleet.env, ASSAY_HOME: home },
      stdio: 'ignore',
    });
  }),
);
const stopWorkers = () => {
  for (const worker of workers) worker.kill('SIGTERM');
};
process.once('exit', stopWorkers);

/** A site that notes when a page is first asked for: the start of its visit. */
async function servePolitely(pages: number): Promise<{ site: ServedSite; starts: number[] }> {
  const starts: number[] = [];
  const seen = new Set<string>();
  const tree = treeSite(pages);
  const site = await serveSite(async (path, request) => {
    const page = path.replace(/\/$/, '');
    if (/^(?:\/page-\d+)?$/.test(page) && !seen.has(page)) {
      seen.add(page);
      starts.push(performance.now());
    }
    return tree(path, request);
  });
  return { site, starts };
}

async function readDatabase(): Promise<{ rows: number; bytes: number }> {
  const { rows } = await sql<{ rows: number; bytes: number }>`select (select count(*) from jobs) as rows,
    (select sum(pg_column_size(jobs)) from jobs) as bytes`.execute(store.db);
  return { rows: Number(rows[0]?.rows), bytes: Number(rows[0]?.bytes ?? 0) };
}

const readBucket = () => ({
  objects: fleet.s3.objects.size,
  bytes: [...fleet.s3.objects.values()].reduce((sum, { length }) => sum + length, 0),
  requests: fleet.s3.log.length,
});

const processors = createFamilyMeter(workers.map(({ pid = 0 }) => pid));
const readProcessors = () => ({
  workers: processors.read(),
  machine: secondsOfMachine(),
});

async function measure(hosts: number, pages: number): Promise<string[]> {
  const served = await Promise.all(Array.from({ length: hosts }, () => servePolitely(pages)));
  const before = { database: await readDatabase(), bucket: readBucket(), processors: readProcessors() };
  const urls = served.map(({ site }) => `${site.url}/`);
  const { scan_id } = await call('cwac_scan', { urls, audit_name: `${hosts} hosts`, max_links_per_domain: pages });
  const begun = performance.now();
  while ((await call('cwac_scan_status', { scan_id })).status === 'running') {
    processors.read();
    await pause(POLL_MS);
  }
  const seconds = (performance.now() - begun) / 1000;
  const after = { database: await readDatabase(), bucket: readBucket(), processors: readProcessors() };
  const visited = served.reduce((sum, { starts }) => sum + starts.length, 0);
  const gaps = served.flatMap(({ starts }) => starts.slice(1).map((start, index) => start - (starts[index] ?? 0)));
  for (const { site } of served) await site[Symbol.asyncDispose]();
  const perPage = (value: number) => (value / visited).toFixed(2);
  return [
    ...[`${hosts}`, `${visited}`, (visited / seconds).toFixed(2)],
    perPage(after.processors.workers - before.processors.workers),
    ((after.processors.machine - before.processors.machine) / seconds).toFixed(2),
    ...[Math.min(...gaps).toFixed(0), perPage(after.database.rows - before.database.rows)],
    ...[perPage(after.database.bytes - before.database.bytes), perPage(after.bucket.objects - before.bucket.objects)],
    ...[perPage(after.bucket.bytes - before.bucket.bytes), perPage(after.bucket.requests - before.bucket.requests)],
  ];
}

for (const [hosts, pages] of [
  [1, pagesOfHost * 10],
  [hostCount, pagesOfHost],
] as const)
  printTable(
    `scans by ${WORKERS} workers that share this machine, ${defaultConfig.delay_between_page_loads} s between page starts on a host`,
    [
      ...['hosts', 'pages', 'pages/s', 'processor s/page', 'cores busy', 'least gap ms', 'rows/page'],
      ...['bytes of rows/page', 'objects/page', 'bytes in the bucket/page', 'requests to the bucket/page'],
    ],
    [await measure(hosts, pages)],
    'target: the least gap is the delay between page starts, less what the network varies',
  );
stopWorkers();
