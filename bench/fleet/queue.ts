/**
 * Measures the job queue on PostgreSQL: throughput and cost by number of workers, beside as many bare transactions; cost of
 * idle workers; recovery after kill -9. Processor time is read from /proc, so it needs Linux.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { createJobs } from '../../src/platform/jobs/jobs.ts';
import { openTestStore } from '../../test/support/open-store.ts';
import { startPostgres } from '../../test/support/services/postgres.ts';
import { printTable } from '../table.ts';
import { createQueueMeter, ofTheBench } from './queue-meter.ts';

const SLOTS = 4;
const WAIT_MS = 500;
const JOBS_PER_SLOT = 20;
const SUBMITTERS = 8;
/** An idle connection of a pool is closed after 10 s. */
const SETTLE_MS = 12_000;
const IDLE_MS = 10_000;
const TRICKLED_JOBS = 200;
const TRICKLE_MS = 50;

await using postgres = await startPostgres(['shared_preload_libraries=pg_stat_statements', 'max_connections=600']);
await using store = await openTestStore({ home: '/nowhere', url: postgres.url });
const jobs = createJobs(store);
const meter = await createQueueMeter(store.db);

/** Processes that are ready, and start to work on `go`. */
async function startProcesses(script: string, argumentsOfEach: readonly string[][]) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const children = argumentsOfEach.map((args) =>
    spawn(process.execPath, [path, postgres.url, ...args], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  await Promise.all(children.map((child) => once(child.stdout, 'data')));
  return {
    pids: children.map(({ pid = 0 }) => pid),
    children: children as readonly ChildProcess[],
    go() {
      for (const child of children) child.stdin.write('go\n');
    },
    nextLines: () => Promise.all(children.map((child) => once(child.stdout, 'data'))),
    async stop() {
      const ended = children.map((child) => once(child, 'close'));
      for (const child of children) child.kill('SIGTERM');
      await Promise.all(ended);
    },
  };
}

const startWorkers = (processes: number, workersInEach: number) =>
  startProcesses(
    'waiting-worker.ts',
    Array.from({ length: processes }, () => [`${workersInEach}`, `${SLOTS}`]),
  );

/** Each job has its own owner, so that every worker also uses the slot for owners without a running job. */
async function submit(count: number, waitMs: number): Promise<void> {
  let next = 0;
  const submitSome = async () => {
    while (next < count) await jobs.submit('wait', { issuer: 'bench', subject: `${next++}` }, waitMs);
  };
  await Promise.all(Array.from({ length: SUBMITTERS }, submitSome));
  // As the server does by itself within a minute.
  await sql`analyze jobs`.execute(store.db);
}

async function allEnded(): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ open: number }>`select ${ofTheBench} count(*) as open from jobs
      where state in ('queued', 'running')`.execute(store.db);
    if (Number(rows[0]?.open) === 0) return;
    await pause(100);
  }
}

async function readTimes(): Promise<{ seconds: number; medianMs: number }> {
  const { rows } = await sql<{ seconds: number; median: number }>`select ${ofTheBench}
    (max(ended_at) - min(started_at)) / 1000.0 as seconds,
    percentile_cont(0.5) within group (order by ended_at - started_at) as median from jobs`.execute(store.db);
  return { seconds: Number(rows[0]?.seconds), medianMs: Number(rows[0]?.median) };
}

/** All jobs wait in the queue before the workers start. */
async function measure(processes: number, workersInEach: number, waitMs: number, count: number) {
  await store.db.deleteFrom('jobs').execute();
  await submit(count, waitMs);
  const workers = await startWorkers(processes, workersInEach);
  const read = await meter.start(workers.pids);
  workers.go();
  await allEnded();
  const cost = await read();
  await workers.stop();
  const { seconds, medianMs } = await readTimes();
  return { perSecond: count / seconds, overheadMs: medianMs - waitMs, cost };
}

async function measureBare(processes: number, connectionsInEach: number, count: number) {
  await sql`create table bare as select n as id, 'queued' as state, 0 as attempts, '' as result
    from generate_series(0, ${sql.lit(count - 1)}) as n`.execute(store.db);
  await sql`alter table bare add primary key (id)`.execute(store.db);
  const share = count / processes;
  const clients = await startProcesses(
    'bare-transactions.ts',
    Array.from({ length: processes }, (_, i) => [`${connectionsInEach}`, `${i * share}`, `${(i + 1) * share}`]),
  );
  const read = await meter.start(clients.pids);
  const done = clients.nextLines();
  clients.go();
  await done;
  const cost = await read();
  await clients.stop();
  return { perSecond: count / cost.wallSeconds, cost };
}

async function measureIdle(processes: number, workersInEach: number) {
  await store.db.deleteFrom('jobs').execute();
  const workers = await startWorkers(processes, workersInEach);
  workers.go();
  await pause(SETTLE_MS);
  const read = await meter.start(workers.pids);
  await pause(IDLE_MS);
  const idle = await read();
  const readTrickle = await meter.start(workers.pids);
  for (let i = 0; i < TRICKLED_JOBS; i++) {
    await jobs.submit('wait', { issuer: 'bench', subject: `${i}` }, 0);
    await pause(TRICKLE_MS);
  }
  await allEnded();
  const trickle = await readTrickle();
  const { rows } = await sql<{ delay: number }>`select ${ofTheBench}
    percentile_cont(0.5) within group (order by started_at - created_at) as delay from jobs`.execute(store.db);
  await workers.stop();
  return { idle, trickle, delayMs: Number(rows[0]?.delay) };
}

async function measureRecovery(): Promise<number> {
  await store.db.deleteFrom('jobs').execute();
  const first = await startWorkers(1, 1);
  first.go();
  const owner = { issuer: 'bench', subject: 'x' };
  const { id } = await jobs.submit('wait', owner, 60_000);
  while ((await jobs.get(id, owner))?.state !== 'running') await pause(50);
  const others = await startWorkers(1, 1);
  others.go();
  const killedAt = performance.now();
  for (const child of first.children) child.kill('SIGKILL');
  while ((await jobs.get(id, owner))?.attempts !== 2) await pause(50);
  const seconds = (performance.now() - killedAt) / 1000;
  await others.stop();
  return seconds;
}

type Measured = Awaited<ReturnType<typeof measureBare>>;
function costCells({ cost }: Measured, count: number): string[] {
  const perJob = (seconds: number) => ((seconds / count) * 1000).toFixed(2);
  const cores = (cost.serverSeconds + cost.clientSeconds) / cost.wallSeconds;
  const statements = (cost.statements / count).toFixed(2);
  const busy = (cost.machineSeconds / cost.wallSeconds).toFixed(2);
  return [statements, perJob(cost.serverSeconds), perJob(cost.clientSeconds), cores.toFixed(2), busy];
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
  const measured = await measure(processes, workersInEach, WAIT_MS, count);
  if (workers === 1) single = measured.perSecond;
  const scaling = measured.perSecond / (single * workers);
  const speed = [measured.perSecond.toFixed(1), scaling.toFixed(2), measured.overheadMs.toFixed(0)];
  rows.push([`${workers}`, ...speed, ...costCells(measured, count)]);
}
printTable(
  `jobs of ${WAIT_MS} ms, ${SLOTS} slots for each worker (50 workers are in two processes)`,
  [
    'workers',
    'jobs/s',
    'scaling',
    'overhead ms',
    'statements/job',
    'server ms/job',
    'worker ms/job',
    'cores used',
    'cores busy',
  ],
  rows,
  'target: scaling at least 0.9 while the cores of the machine are not busy, with other programs too; processor time counts starts of connections',
);

const ALONE = 4000;
const [queue, bare] = [await measure(2, 25, 0, ALONE), await measureBare(2, 25, ALONE)];
printTable(
  '50 workers or connections in two processes, jobs without work',
  ['what', 'jobs/s', 'statements/job', 'server ms/job', 'client ms/job', 'cores used', 'cores busy'],
  [
    ['queue', queue.perSecond.toFixed(0), ...costCells(queue, ALONE)],
    ['two bare transactions a job', bare.perSecond.toFixed(0), ...costCells(bare, ALONE)],
  ],
  'the second line is the limit of this machine',
);

const { idle, trickle, delayMs } = await measureIdle(2, 25);
const perWorker = (seconds: number) => ((seconds * 1000) / idle.wallSeconds / 50).toFixed(2);
printTable(
  '50 workers without work, and with 20 jobs a second',
  ['measure', 'value'],
  [
    ['statements a second for each idle worker', (idle.statements / idle.wallSeconds / 50).toFixed(2)],
    ['server ms a second for each idle worker', perWorker(idle.serverSeconds)],
    ['worker ms a second for each idle worker', perWorker(idle.clientSeconds)],
    ['claims for each job', (trickle.claims / TRICKLED_JOBS).toFixed(1)],
    ['statements for each job', (trickle.statements / TRICKLED_JOBS).toFixed(1)],
    ['median ms from submission to start', delayMs.toFixed(0)],
    ['seconds until a killed job runs again', (await measureRecovery()).toFixed(1)],
  ],
  'target: recovery within 12 s',
);
