import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { createJobs } from '../../src/platform/jobs/jobs.ts';
import { localUser } from '../../src/server/auth.ts';
import { startGuestBook } from '../sites/guest-book.ts';
import { scanEnvironment } from '../support/accessibility/accessibility.ts';
import { bin, connectStdio } from '../support/assay.ts';
import { newFolder } from '../support/folders.ts';
import { openTestStore } from '../support/open-store.ts';
import { addScripts, hold, qaOn, welcome } from '../support/qa/qa.ts';
import { startPostgres } from '../support/services/postgres.ts';

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    await ended;
  }
});

function start(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [bin, ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', (line) => lines.push(line));
  /** The first address that it prints. */
  const address = async () => {
    const printed = () => lines.map((line) => /http:\/\/[\d.:]+/.exec(line)?.[0]).find(Boolean);
    await expect.poll(() => printed() ?? lines.join('\n')).toMatch(/^http:\/\/[\d.:]+$/);
    return printed() ?? '';
  };
  return { child, lines, address };
}

const status = (url: string) =>
  fetch(url).then(
    (response) => response.status,
    () => 0,
  );

async function run(args: string[], env: Record<string, string>) {
  const { child, lines } = start(args, env);
  const [code] = await once(child, 'close');
  return { code, text: lines.join('\n') };
}

test('two servers and four workers start at once on an empty database, and survive its restart', async () => {
  await using postgres = await startPostgres();
  await using folder = await newFolder();
  const env = { ASSAY_DATABASE_URL: postgres.url, ASSAY_HOME: folder.path, ASSAY_BROWSER: process.execPath };
  const workers = Array.from({ length: 4 }, () => start(['worker', '--health-port', '0'], env));
  const serve = ['serve', '--http', '--no-auth', '--port', '0', '--toolsets', 'qa', '--shared-limits'];
  const servers = Array.from({ length: 2 }, () => start(serve, env));
  const addresses = await Promise.all([...workers, ...servers].map(({ address }) => address()));
  const readiness = () => Promise.all(addresses.map((url) => status(`${url}/readyz`)));
  await expect.poll(readiness).toEqual([200, 200, 200, 200, 200, 200]);
  await postgres.stop();
  await expect.poll(async () => (await readiness()).slice(0, 4)).toEqual([503, 503, 503, 503]);
  expect(await status(`${addresses[0]}/healthz`)).toBe(200);
  await postgres.start();
  await expect.poll(readiness).toEqual([200, 200, 200, 200, 200, 200]);
  const metrics = await (await fetch(`${addresses[0]}/metrics`)).text();
  expect(metrics).toContain('assay_jobs_oldest_due_seconds 0');
  for (const { child } of workers) child.kill('SIGTERM');
  await expect.poll(() => workers.map(({ child }) => child.exitCode)).toEqual([0, 0, 0, 0]);
});

test('a worker without a browser leaves jobs that need one to others', async () => {
  await using postgres = await startPostgres();
  await using folder = await newFolder();
  const env = { ASSAY_DATABASE_URL: postgres.url, ASSAY_HOME: folder.path, ASSAY_BROWSER: '/no/browser' };
  const refused = await run(['worker', '--kinds', 'qa.replay,accessibility.scan'], env);
  expect(refused).toMatchObject({
    code: 2,
    text: expect.stringContaining('This machine has no browser, and jobs of the'),
  });
  await using store = await openTestStore({ home: folder.path, url: postgres.url });
  const jobs = createJobs(store);
  const scan = await jobs.submit('qa.scan', localUser, { runId: 'none', issuer: 'local', subject: 'x' });
  const detection = await jobs.submit('qa.detection', localUser, { runId: 'none', issuer: 'local', subject: 'x' });
  start(['worker'], env);
  await expect.poll(async () => (await jobs.get(detection.id, localUser))?.state).toBe('failed');
  expect(await jobs.get(scan.id, localUser)).toMatchObject({ state: 'queued', attempts: 0 });
});

test('a worker releases its job when the time to drain is over, and ends at once on a second signal', async () => {
  await using folder = await newFolder();
  await using site = await startGuestBook();
  const env: Record<string, string> = { ...(await scanEnvironment(folder)), ASSAY_LOG_LEVEL: 'info' };
  const home = env['ASSAY_HOME'] ?? '';
  await using client = await connectStdio('modern', { args: ['--toolsets', 'qa', '--no-jobs'], env });
  const qa = qaOn(client);
  const { projectId } = await qa.call('qa_project_create', { projectName: 'Guest book', url: site.url });
  await addScripts(home, projectId, site.url, [welcome('Welcome')]);
  const release = hold(site);
  const started = await qa.startBulk({ projectId });
  await using store = await openTestStore({ home });
  const job = () => store.db.selectFrom('jobs').select(['state', 'attempts']).executeTakeFirstOrThrow();
  const first = start(['worker', '--drain-seconds', '1'], env);
  await expect.poll(job).toEqual({ state: 'running', attempts: 1 });
  first.child.kill('SIGTERM');
  await expect.poll(() => first.child.exitCode).toBe(0);
  expect(await job()).toEqual({ state: 'queued', attempts: 0 });
  const second = start(['worker', '--drain-seconds', '600'], env);
  await expect.poll(job).toEqual({ state: 'running', attempts: 1 });
  second.child.kill('SIGTERM');
  await expect.poll(() => second.lines.join('\n')).toContain('worker is draining');
  second.child.kill('SIGTERM');
  await expect.poll(() => second.child.exitCode).toBe(130);
  expect(await job()).toEqual({ state: 'running', attempts: 1 });
  release();
  start(['worker', '--until-idle'], env);
  expect(await qa.ended('bulk', started)).toMatchObject({ verdict: 'passed' });
  expect(await job()).toMatchObject({ attempts: 2 });
});

test('jobs can be listed, shown, cancelled, retried and redriven on the command line', async () => {
  await using folder = await newFolder();
  const env = { ASSAY_HOME: folder.path };
  await using store = await openTestStore({ home: folder.path });
  const jobs = createJobs(store);
  const mine = await jobs.submit('qa.report', localUser, { runId: 'a' });
  const dead = await jobs.submit('qa.report', localUser, { runId: 'b' });
  const foreign = await jobs.submit('qa.report', { issuer: 'https://issuer.example', subject: 'x' }, {});
  await store.db
    .updateTable('jobs')
    .set({ state: 'failed', dead: 1, attempts: 5, error: 'The browser ended.', ended_at: 1 })
    .where('id', '=', dead.id)
    .execute();
  const ids = async (...args: string[]) => {
    const { text } = await run(['jobs', 'list', '--json', ...args], env);
    return JSON.parse(text).map((job: { id: string }) => job.id);
  };
  expect((await ids()).toSorted()).toEqual([mine.id, dead.id].toSorted());
  expect(await ids('--all-owners')).toHaveLength(3);
  expect(await ids('--dead')).toEqual([dead.id]);
  expect((await run(['jobs', 'list'], env)).text).toMatch(/dead letter .* attempts 5 {2}The browser ended\./);
  expect(JSON.parse((await run(['jobs', 'show', mine.id], env)).text)).toMatchObject({ payload: { runId: 'a' } });
  expect(await run(['jobs', 'cancel', foreign.id], env)).toMatchObject({
    code: 2,
    text: expect.stringContaining('no job'),
  });
  expect(await run(['jobs', 'cancel', mine.id], env)).toMatchObject({ code: 0 });
  expect(await run(['jobs', 'cancel', mine.id], env)).toMatchObject({
    code: 2,
    text: expect.stringContaining('ended'),
  });
  expect(await run(['jobs', 'retry', mine.id], env)).toMatchObject({ code: 0 });
  expect(await jobs.get(mine.id, localUser)).toMatchObject({ state: 'queued', attempts: 0, redrives: 1 });
  expect(await run(['jobs', 'retry', mine.id], env)).toMatchObject({
    code: 2,
    text: expect.stringContaining('is queued. Only failed and cancelled'),
  });
  expect(JSON.parse((await run(['jobs', 'redrive', '--json'], env)).text)).toEqual({ ids: [dead.id] });
  expect(await jobs.get(dead.id, localUser)).toMatchObject({ state: 'queued', isDeadLetter: false, error: undefined });
  expect(await run(['jobs', 'remove'], env)).toMatchObject({ code: 2, text: expect.stringContaining('redrive') });
});
