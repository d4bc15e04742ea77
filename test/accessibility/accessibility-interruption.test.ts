import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { STOP_GRACE_MS } from '../../src/accessibility/engine-process.ts';
import { intervals } from '../../src/platform/jobs/job-worker.ts';
import { siteWithIssues } from '../sites/accessibility-issues.ts';
import { gatedTree, trapSite } from '../sites/scan-traps.ts';
import { type ServedSite, serveSite } from '../sites/serve.ts';
import { ended, scanEnvironment, unhurriedEnvironment } from '../support/accessibility/accessibility.ts';
import { bin, type Connection, callOn, connectHttp, connectStdio, runAssay, startHttp } from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';
import { listProcesses, processTree, stillRunning } from '../support/processes.ts';

let folder: Folder;
let env: Record<string, string>;
let site: ServedSite;
let client: Connection;
let call: ReturnType<typeof callOn>;
beforeAll(async () => {
  folder = await newFolder();
  env = await unhurriedEnvironment(folder);
  site = await serveSite(siteWithIssues);
  client = await connectStdio('modern', { env });
  call = callOn(client);
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** The processes of a scan: its engine and its browser. */
const processesOf = (scanId: string): number[] =>
  listProcesses()
    .filter(({ args }) => args.join(' ').includes(`mcp_${scanId.slice(0, 8)}.json`))
    .map(({ pid }) => pid);

const pagesIn = (resultsDir: string): string[] =>
  readFileSync(join(resultsDir, 'crawl_audit.csv'), 'utf8')
    .split('\r\n')
    .filter((line) => line.includes('http'))
    .map((line) => line.split(',')[4] ?? '');

describe('an interrupted scan', () => {
  /** Waits until the scan has visited the pages that the site serves without delay. */
  const begun = (on: typeof call, scan_id: string, pages: number) =>
    expect.poll(async () => (await on('cwac_scan_status', { scan_id })).stdout_tail).toContain(`[${pages}/`);
  test('stops on cwac_cancel_scan, keeps its results, and leaves no process', async () => {
    const tree = gatedTree(12, 2);
    await using slow = await serveSite(tree.site);
    const { scan_id } = await call('cwac_scan', { urls: [`${slow.url}/`] });
    await begun(call, scan_id, 2);
    const { pages_done, pages_found } = await call('cwac_scan_status', { scan_id });
    expect([pages_done, pages_found > 2]).toEqual([2, true]);
    for (const tool of ['cwac_get_results', 'cwac_get_summary', 'cwac_generate_report'])
      await expect(call(tool, { scan_id })).rejects.toThrow('Error: Scan is still running. Check status first.');
    const all = processTree(processesOf(scan_id)).map(({ pid }) => pid);
    expect(all.length).toBeGreaterThan(1);
    expect(await call('cwac_cancel_scan', { scan_id })).toEqual({ scan_id, status: 'cancelling' });
    expect(await ended(call, scan_id)).toMatchObject({ status: 'cancelled', results_dir: expect.any(String) });
    // When the status says that the scan has ended, neither the engine nor its browser runs.
    expect(stillRunning(all)).toEqual([]);
    expect(await call('cwac_cancel_scan', { scan_id })).toEqual({ scan_id, status: 'ended' });
    const note = expect.stringContaining('cancelled before it finished');
    expect(await call('cwac_get_summary', { scan_id })).toMatchObject({ note });
    expect(await call('cwac_get_results', { scan_id })).toMatchObject({ note });
    expect(await call('cwac_generate_report', { scan_id })).toMatchObject({ verdict: note });
  });

  test('stops its browser on cwac_cancel_scan while a page hangs', async () => {
    await using traps = await serveSite(trapSite);
    const { scan_id } = await call('cwac_scan', { urls: [`${traps.url}/hang`], max_links_per_domain: 1 });
    // The browser has opened the page, which blocks it forever.
    await expect.poll(() => traps.requests.includes('GET /hang')).toBe(true);
    const all = processTree(processesOf(scan_id)).map(({ pid }) => pid);
    await call('cwac_cancel_scan', { scan_id });
    expect((await ended(call, scan_id)).status).toBe('cancelled');
    expect(stillRunning(all)).toEqual([]);
  });

  test('is cancelled by Ctrl+C of the command that waits for it', async () => {
    const tree = gatedTree(12, 2);
    await using slow = await serveSite(tree.site);
    const child = spawn(process.execPath, [bin, 'call', 'cwac_scan', '--urls', `${slow.url}/`, '--wait'], {
      env: { ...process.env, ...env },
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await expect.poll(() => slow.requests.includes('HEAD /page-2')).toBe(true);
    const closed = once(child, 'close');
    child.kill('SIGINT');
    expect(await closed).toEqual([1, null]);
    const scan_id = /Interrupted: .*--scan-id ([0-9a-f-]{36})/.exec(said)?.[1] ?? '';
    // The scan may run in the other process on this home.
    expect(await ended(call, scan_id)).toMatchObject({ status: 'cancelled' });
    // The first page was stored before the interruption.
    expect((await call('cwac_get_summary', { scan_id })).pages.scanned).toBeGreaterThan(0);
  });

  test('stops within two seconds, including the time to notice the cancellation and to kill the engine', () => {
    expect(intervals.sqlite.heartbeatMs + STOP_GRACE_MS).toBeLessThanOrEqual(1500);
  });

  test('resumes after its engine was killed and scans no page twice', async () => {
    const tree = gatedTree(12, 3);
    await using slow = await serveSite(tree.site);
    const { scan_id } = await call('cwac_scan', { urls: [`${slow.url}/`] });
    await begun(call, scan_id, 3);
    for (const pid of processesOf(scan_id)) process.kill(pid, 'SIGKILL');
    tree.release();
    const { status, results_dir } = await ended(call, scan_id);
    expect(status).toBe('complete');
    const pages = pagesIn(results_dir);
    expect(new Set(pages).size).toBe(pages.length);
    expect((await call('cwac_get_summary', { scan_id })).pages.scanned).toBe(12);
  });

  test('resumes with the next server after the server was killed', async () => {
    const tree = gatedTree(12, 2);
    await using slow = await serveSite(tree.site);
    await using own = await newFolder();
    const ownEnv = await unhurriedEnvironment(own);
    const first = await connectStdio('modern', { env: ownEnv });
    const { scan_id } = await callOn(first)('cwac_scan', { urls: [`${slow.url}/`] });
    await begun(callOn(first), scan_id, 2);
    const engine = processesOf(scan_id)[0];
    const server = listProcesses().find(({ pid }) => pid === engine)?.parent;
    process.kill(Number(server), 'SIGKILL');
    await expect.poll(() => processesOf(scan_id)).toEqual([]);
    tree.release();
    await first.close().catch(() => {});
    await using second = await connectStdio('modern', { env: ownEnv });
    const status = await ended(callOn(second), scan_id);
    expect(status.status).toBe('complete');
    expect((await callOn(second)('cwac_get_summary', { scan_id })).pages.scanned).toBe(12);
    const pages = pagesIn(status.results_dir);
    expect(new Set(pages).size).toBe(pages.length);
  });
});

test('moves the scan of a hanging server to a peer on the same home and kills its engine', async () => {
  const tree = gatedTree(12, 2);
  await using slow = await serveSite(tree.site);
  await using own = await newFolder();
  const ownEnv = await unhurriedEnvironment(own);
  await using hanging = await startHttp({
    args: ['--toolsets', 'accessibility', '--allow-addresses', '127.0.0.1', '--no-auth'],
    env: ownEnv,
  });
  const asked = await connectHttp('modern', hanging);
  const { scan_id } = await callOn(asked)('cwac_scan', { urls: [`${slow.url}/`] });
  await expect.poll(() => processesOf(scan_id).length).toBeGreaterThan(0);
  const [first] = processesOf(scan_id);
  // The peer starts after the scan, so that it cannot take the scan first.
  await using _peer = await connectStdio('modern', { env: ownEnv });
  hanging.child.kill('SIGSTOP');
  try {
    await expect.poll(() => processesOf(scan_id).some((pid) => pid !== first), { interval: 500 }).toBe(true);
    expect(processesOf(scan_id)).not.toContain(first);
  } finally {
    hanging.child.kill('SIGCONT');
  }
  tree.release();
  const { results_dir } = await ended(callOn(asked), scan_id);
  expect((await callOn(asked)('cwac_get_summary', { scan_id })).pages.scanned).toBe(12);
  const pages = pagesIn(results_dir);
  expect([pages.length, new Set(pages).size]).toEqual([12, 12]);
  await asked.close();
});

test('reports a full disk, and the next scan works', async () => {
  await using own = await newFolder();
  const ownEnv = await scanEnvironment(own);
  const scan = `'${process.execPath}' '${bin}' call cwac_scan --urls '${site.url}/' --wait`;
  // A file size limit has the same effect as a full disk: the file cannot grow.
  const full = spawnSync('bash', ['-c', `ulimit -f 300; exec ${scan}`], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', HOME: own.path, ...ownEnv },
  });
  expect(`${full.stdout}${full.stderr}`).toMatch(/assay\.db: (disk I\/O error|database or disk is full)/);
  const free = await runAssay(['call', 'cwac_scan', '--urls', `${site.url}/clean`, '--wait'], { env: ownEnv });
  expect(JSON.parse(free.stdout)).toMatchObject({ status: 'complete' });
});
