import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type GuestBook, startGuestBook } from '../sites/guest-book.ts';
import { cleanPage, serveSite } from '../sites/serve.ts';
import { scanEnvironment } from '../support/accessibility/accessibility.ts';
import { bin, type Connection, connectStdio, type Result } from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';
import { browsersOf, stillRunning } from '../support/processes.ts';
import { addScripts, hold, type KnownScript, pidOf, type Qa, qaOn, welcome } from '../support/qa/qa.ts';
import { inStore } from '../support/qa/qa-results.ts';

let folder: Folder;
let env: Record<string, string>;
let home: string;
let client: Connection;
let qa: Qa;
let site: GuestBook;

const connect = () => connectStdio('modern', { args: ['--toolsets', 'qa'], env });

beforeAll(async () => {
  folder = await newFolder();
  env = await scanEnvironment(folder);
  home = env['ASSAY_HOME'] ?? '';
  site = await startGuestBook();
  client = await connect();
  qa = qaOn(client);
});
afterEach(() => Object.assign(site, { hold: undefined }));
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const welcomes = (number: number): KnownScript[] => Array.from({ length: number }, (_, i) => welcome(`Welcome ${i}`));

async function project(url: string, scripts: readonly KnownScript[]): Promise<{ projectId: string; ids: string[] }> {
  const { projectId } = await qa.call('qa_project_create', { projectName: 'Guest book', url });
  return { projectId, ids: await addScripts(home, projectId, url, scripts) };
}

describe('bulk replay', () => {
  test('continues in a new browser after its browser is killed', async () => {
    const { projectId, ids } = await project(site.url, welcomes(8));
    const release = hold(site);
    const asked = site.requests.length;
    const started = await qa.startBulk({ projectId, workers: 2 });
    await expect.poll(() => site.requests.length).toBeGreaterThan(asked + 1);
    const browsers = browsersOf(pidOf(client));
    expect(browsers).not.toEqual([]);
    for (const pid of browsers) process.kill(pid, 'SIGKILL');
    release();
    expect(await qa.ended('bulk', started)).toMatchObject({ status: 'succeeded', verdict: 'passed' });
    expect(await qa.summary(started.runBatchId)).toMatchObject({ passed: ids.length, flaky: 0 });
  });

  test('reports a site that dies midway as inconclusive, not failed', async () => {
    const never = Promise.withResolvers<string>();
    let answers = 4;
    const mortal = await serveSite((path) => {
      if (path !== '/') return undefined;
      return answers-- > 0 ? cleanPage('Guest book', '<p>Welcome.</p>') : never.promise;
    });
    const { projectId } = await project(mortal.url, welcomes(10));
    const started = await qa.startBulk({ projectId, workers: 2 });
    await expect.poll(async () => (await qa.summary(started.runBatchId)).passed).toBe(4);
    await mortal[Symbol.asyncDispose]();
    expect(await qa.ended('bulk', started)).toMatchObject({
      status: 'failed',
      verdict: 'inconclusive',
      failureClass: 'infrastructure',
      error: 'Of 10 scripts 6 inconclusive.',
    });
    const seen = await qa.summary(started.runBatchId);
    // Inconclusive scripts change no figure about the tests, in any tool.
    const passedByOracle = { specified: 0, observed: 4 };
    const totals = { passed: 4, failed: 0, inconclusive: 6, passRate: 100, passedByOracle };
    expect(seen).toMatchObject(totals);
    expect(await qa.call('qa_project_test_results_summary_get', { projectId })).toMatchObject(totals);
    expect(await qa.call('qa_report_stats_summary_get', { projectId })).toMatchObject(totals);
    expect(seen.failures.map(({ failureClass }: Result) => failureClass)).toEqual(Array(6).fill('infrastructure'));
  });

  test('reports a script with a deleted secret and replays the others', async () => {
    const on = { name: 'Full name', ladder: [{ by: 'label' as const, value: 'Full name' }] };
    const signed: KnownScript = {
      name: 'Sign',
      secrets: ['VISITOR'],
      steps: [
        { do: 'goto', url: '/write' },
        { do: 'fillSecret', on, secret: 'VISITOR' },
        { do: 'expectText', text: 'Write an entry', oracle: 'observed' },
      ],
    };
    const { projectId, ids } = await project(site.url, [signed, ...welcomes(1)]);
    const { secretId } = await qa.call('qa_secret_create', { projectId, name: 'VISITOR', value: 'Hopper-4711' });
    const before = await qa.startBulk({ projectId });
    expect(await qa.ended('bulk', before)).toMatchObject({ verdict: 'passed' });
    await qa.call('qa_secret_delete', { secretId });
    const started = await qa.startBulk({ projectId });
    expect(await qa.ended('bulk', started)).toMatchObject({ status: 'failed', failureClass: 'infrastructure' });
    const seen = await qa.summary(started.runBatchId);
    expect(seen).toMatchObject({ passed: 1, failed: 0, inconclusive: 1 });
    expect(seen.failures).toMatchObject([{ testScriptId: ids[0], error: expect.stringContaining('VISITOR') }]);
  });

  test('is shared by two servers on one home folder without double replays', async () => {
    await using other = await connect();
    const there = qaOn(other);
    const { projectId, ids } = await project(site.url, welcomes(6));
    const asked = site.requests.length;
    const [one, two] = await Promise.all([qa.startBulk({ projectId }), there.startBulk({ projectId })]);
    // Either may work on either, and each sees both.
    expect(await there.ended('bulk', one)).toMatchObject({ verdict: 'passed' });
    expect(await qa.ended('bulk', two)).toMatchObject({ verdict: 'passed' });
    for (const { runBatchId } of [one, two])
      expect(await there.summary(runBatchId)).toMatchObject({ totalScripts: ids.length, passed: ids.length });
    expect(site.requests.slice(asked).filter((request) => request === 'GET /')).toHaveLength(2 * ids.length);

    const release = hold(site);
    const blocked = await qa.startBulk({ projectId });
    await qa.isRunning(blocked);
    await there.call('qa_workflow_cancel_run', { workflowRunId: blocked.workflowRunId });
    expect(await there.ended('bulk', blocked)).toMatchObject({ status: 'cancelled' });
    release();
    expect(await qa.summary(blocked.runBatchId)).toMatchObject({ cancelled: ids.length });
  });

  test('continues in another server after a kill and leaves no browser behind', async () => {
    const { projectId, ids } = await project(site.url, welcomes(8));
    const release = hold(site);
    const started = await qa.startBulk({ projectId });
    await qa.isRunning(started);
    const server = pidOf(client);
    // A batch counts as running before its browser has started.
    await expect.poll(() => browsersOf(server)).not.toEqual([]);
    const browsers = browsersOf(server);
    process.kill(server, 'SIGKILL');
    await expect.poll(() => stillRunning(browsers)).toEqual([]);
    release();
    client = await connect();
    qa = qaOn(client);
    await qa.ended('bulk', started);
    expect(await qa.summary(started.runBatchId)).toMatchObject({ passed: ids.length, running: 0, pending: 0 });
  });

  test('survives a full disk with consistent counts', async () => {
    const { projectId, ids } = await project(site.url, welcomes(30));
    await client[Symbol.asyncDispose]();
    // As a full disk looks to a program: the file that it writes to cannot grow any more.
    const start = `call qa_workflow_start_test_script_replay_bulk --project-id ${projectId} --wait`;
    const full = spawn('bash', ['-c', `ulimit -f 1500; exec '${process.execPath}' '${bin}' ${start}`], {
      env: { PATH: process.env['PATH'] ?? '', HOME: folder.path, ...env },
    });
    let said = '';
    full.stderr.on('data', (data) => {
      said += data;
    });
    await expect.poll(() => said).toMatch(/disk/);
    full.kill('SIGKILL');
    await once(full, 'exit');
    client = await connect();
    qa = qaOn(client);
    const [runtime] = await inStore(home, ({ runtimes }) => runtimes.list({ projectId }));
    const run = await qa.ended('bulk', { workflowRuntimeId: runtime?.id });
    expect(run.status).toMatch(/succeeded|failed/);
    expect(await qa.summary(run.runBatchId)).toMatchObject({ totalScripts: ids.length, running: 0, pending: 0 });
    const again = await qa.startBulk({ projectId, limit: 3 });
    expect(await qa.ended('bulk', again)).toMatchObject({ verdict: 'passed' });
  });
});
