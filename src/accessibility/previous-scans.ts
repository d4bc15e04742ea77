import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobState } from '../platform/jobs/jobs.ts';
import { RUN_FILE } from './engine/output/results-folder.ts';
import type { PreviousScan } from './report/scan-comparison.ts';
import { readScannedSites } from './results/scanned-sites.ts';
import { listScans } from './scan-list.ts';
import { SCAN_JOB } from './scan-records.ts';
import type { ScanServices } from './scans.ts';

/** Finds, for each site of a scan, the caller's latest earlier scan that finished and has pages of that site. */
export async function findPreviousScans(services: ScanServices, resultsDir: string): Promise<PreviousScan[]> {
  const wanted = await readScannedSites(resultsDir);
  const found: PreviousScan[] = [];
  for await (const dir of earlierResultsDirs(services, resultsDir)) {
    if (wanted.size === 0) break;
    const sites = (await readScannedSites(dir)).intersection(wanted);
    if (sites.size === 0) continue;
    found.push({ dir, sites });
    for (const site of sites) wanted.delete(site);
  }
  return found;
}

/** Results folders of finished scans before this one, latest first. */
async function* earlierResultsDirs(services: ScanServices, resultsDir: string): AsyncGenerator<string> {
  const { jobs, principal, archive } = services;
  const { scans } = await listScans(services);
  const states = new Map((await jobs.list(SCAN_JOB, principal)).map(({ id, state }) => [id, state]));
  const at = scans.findIndex(({ path }) => path === resultsDir);
  for (const { path, scan_id: id } of scans.slice(at + 1)) {
    const state = id === undefined ? undefined : states.get(id);
    const dir = (id !== undefined && (await archive?.restoreResults(id))) || path;
    if (await isFinished(dir, state)) yield dir;
  }
}

/** Native scans record their end in run.json. Scans that were run by hand with CWAC record nothing and count as finished. */
async function isFinished(dir: string, state: JobState | undefined): Promise<boolean> {
  if (state !== undefined) return state === 'succeeded';
  const run = await readFile(join(dir, RUN_FILE), 'utf8').catch(() => undefined);
  return run === undefined || run.includes('"ended"');
}
