/** Measures the job queue on PostgreSQL: throughput by number of workers, overhead of a job, recovery after kill -9. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { createJobs } from '../../src/platform/jobs/jobs.ts';
import { openTestStore } from '../../test/support/open-store.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { printTable } from '../table.ts';

const SLOTS = 4;
const WAIT_MS = 500;
const JOBS_PER_SLOT = 10;
const SUBMITTERS = 8;
const workerScript = fileURLToPath(new URL('waiting-worker.ts', import.meta.url));

await using postgres = await startPostgres();
await using store = await openTestStore({ home: '/nowhere', url: postgres.url });
const jobs = createJobs(store);

async function startWorkers(processes: number, workersInEach: number): Promise<ChildProcess[]> {
  const children = Array.from({ length: processes }, () =>
    spawn(process.execPath, [workerScript, postgres.url, `${workersInEach}`, `${SLOTS}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  await Promise.all(children.map((child) => once(child.stdout ?? child, 'data')));
  return children;
}

async function stopWorkers(children: readonly ChildProcess[]): Promise<void> {
  const ended = children.map((child) => once(child, 'close'));
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(ended);
}

/** Each job has its own owner, so that every worker also uses the slot for owners without a running job. */
async function submit(count: number, waitMs: number): Promise<void> {
  let next = 0;
  const submitSome = async () => {
    while (next < count) await jobs.submit('wait', { issuer: 'bench', subject: `${next++}` }, waitMs);
  };
  await Promise.all(Array.from({ length: SUBMITTERS }, submitSome));
}

async function ended(): Promise<{ seconds: number; waited: number }> {
  for (;;) {
    const { rows } = await sql<{ open: number; seconds: number; waited: number }>`select
      count(*) filter (where ended_at is null) as open,
      (max(ended_at) - min(started_at)) / 1000.0 as seconds,
      percentile_cont(0.5) within group (order by ended_at - started_at) as waited from jobs`.execute(store.db);
    const [row] = rows;
    if (row && Number(row.open) === 0) return { seconds: Number(row.seconds), waited: Number(row.waited) };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function measure(processes: number, workersInEach: number, waitMs: number, count: number) {
  await store.db.deleteFrom('jobs').execute();
  const children = await startWorkers(processes, workersInEach);
  await submit(count, waitMs);
  const { seconds, waited } = await ended();
  await stopWorkers(children);
  return { perSecond: count / seconds, overheadMs: waited - waitMs };
}

async function measureRecovery(): Promise<number> {
  await store.db.deleteFrom('jobs').execute();
  const [victim] = await startWorkers(1, 1);
  const owner = { issuer: 'bench', subject: 'x' };
  const { id } = await jobs.submit('wait', owner, 60_000);
  while ((await jobs.get(id, owner))?.state !== 'running') await new Promise((resolve) => setTimeout(resolve, 50));
  const others = await startWorkers(1, 1);
  const killedAt = performance.now();
  victim?.kill('SIGKILL');
  while ((await jobs.get(id, owner))?.attempts !== 2) await new Promise((resolve) => setTimeout(resolve, 50));
  const seconds = (performance.now() - killedAt) / 1000;
  await stopWorkers(others);
  return seconds;
}

const rows: string[][] = [];
let single = 0;
for (const [processes, workersInEach] of [
  [1, 1],
  [2, 1],
  [4, 1],
  [8, 1],
  [2, 25],
] as const) {
  const workers = processes * workersInEach;
  const count = workers * SLOTS * JOBS_PER_SLOT;
  const { perSecond, overheadMs } = await measure(processes, workersInEach, WAIT_MS, count);
  if (workers === 1) single = perSecond;
  const scaling = perSecond / (single * workers);
  rows.push([`${workers}`, perSecond.toFixed(1), scaling.toFixed(2), overheadMs.toFixed(0)]);
}
printTable(
  `jobs of ${WAIT_MS} ms, ${SLOTS} slots for each worker (50 workers are in two processes)`,
  ['workers', 'jobs/s', 'scaling', 'median overhead ms'],
  rows,
  'target: scaling at least 0.9 up to 8 workers',
);
const empty = await measure(2, 1, 0, 1000);
printTable(
  'queue alone',
  ['measure', 'value'],
  [
    ['jobs/s without work, 2 workers', empty.perSecond.toFixed(0)],
    ['seconds until a killed job runs again', (await measureRecovery()).toFixed(1)],
  ],
  'target: recovery within 12 s',
);
