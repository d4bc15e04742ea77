import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, onTestFinished, test } from 'vitest';
import { createJobs } from '../../src/platform/jobs/jobs.ts';
import { localUser } from '../../src/server/auth.ts';
import { siteWithIssues } from '../sites/accessibility-issues.ts';
import { treeSite } from '../sites/scan-traps.ts';
import { type ServedSite, type SiteHandler, serveSite } from '../sites/serve.ts';
import { ended, unhurriedEnvironment, writeUnhurriedConfig } from '../support/accessibility/accessibility.ts';
import { callOn, runAssay } from '../support/assay.ts';
import { newFolder } from '../support/folders.ts';
import { type Fleet, startFleet } from '../support/jobs/fleet.ts';
import { openTestStore } from '../support/open-store.ts';

const handlers: SiteHandler[] = [...Array.from({ length: 7 }, () => treeSite(8)), siteWithIssues];

async function serveSites(): Promise<ServedSite[]> {
  const sites = await Promise.all(handlers.map(serveSite));
  onTestFinished(async () => {
    for (const site of sites) await site[Symbol.asyncDispose]();
  });
  return sites;
}

/** Every table, with sorted rows and without ids and times, which depend on the order of the visits. */
async function tables(dir: string): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const file of await readdir(dir)) {
    if (!file.endsWith('.csv') || file === 'progress.csv') continue;
    const rows = parse<Record<string, string>>(await readFile(join(dir, file), 'utf8'), { bom: true, columns: true });
    found[file] = rows
      .map(({ page_id: _page, audit_id: _audit, load_ms: _load, ...row }) => JSON.stringify(row))
      .toSorted();
  }
  return found;
}

/** The slices of all scans, by state. */
async function sliceJobs(fleet: Fleet) {
  await using folder = await newFolder();
  await using store = await openTestStore({ home: folder.path, url: fleet.postgres.url });
  return await createJobs(store).list('accessibility.slice', localUser);
}

test('a scan by four workers has the same rows as a scan by one process', async () => {
  const sites = await serveSites();
  const urls = sites.map(({ url }) => `${url}/`);
  await using folder = await newFolder();
  const env = await unhurriedEnvironment(folder);
  const wait = ['call', 'cwac_scan', '--json', JSON.stringify({ urls, audit_name: 'alone' }), '--wait'];
  const alone = JSON.parse((await runAssay(wait, { env })).stdout);
  await using fleet = await startFleet({ servers: 1, workers: 4 });
  const [client] = fleet.clients;
  if (!client) throw new Error('no server');
  const call = callOn(client);
  await writeUnhurriedConfig(fleet.homes[0] ?? '');
  const { scan_id } = await call('cwac_scan', { urls, audit_name: 'fleet' });
  const together = await ended(call, scan_id);
  expect(together.status).toBe('complete');
  const jobs = await sliceJobs(fleet);
  expect(jobs.filter(({ state }) => state === 'succeeded').length).toBeGreaterThan(2);
  expect(jobs.filter(({ state }) => state === 'queued' || state === 'running')).toEqual([]);
  const home = together.results_dir.replace('ASSAY_HOME', join(fleet.homes[0] ?? ''));
  expect(await tables(home)).toEqual(await tables(alone.results_dir));
  await expect.poll(() => [...fleet.s3.objects.keys()].filter((key) => key.includes('/slices/'))).toEqual([]);
});

test('a scan continues when two of three workers are killed while they visit its pages', async () => {
  const sites = await serveSites();
  await using fleet = await startFleet({ servers: 1, workers: 3 });
  const [client] = fleet.clients;
  if (!client) throw new Error('no server');
  const call = callOn(client);
  await writeUnhurriedConfig(fleet.homes[0] ?? '');
  const urls = sites.map(({ url }) => `${url}/`);
  const { scan_id } = await call('cwac_scan', { urls, audit_name: 'killed' });
  await expect.poll(async () => (await sliceJobs(fleet)).some(({ state }) => state === 'running')).toBe(true);
  for (const { child } of fleet.workers.slice(0, 2)) child.kill('SIGKILL');
  expect(await ended(call, scan_id)).toMatchObject({ status: 'complete', exit_code: 0 });
  const summary = await call('cwac_get_summary', { scan_id });
  expect(summary.pages).toMatchObject({ scanned: 7 * 8 + 7, failed: 0 });
});
