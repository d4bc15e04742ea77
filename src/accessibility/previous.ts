import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobState } from '../platform/jobs/jobs.ts';
import { localIssuer } from '../platform/principal.ts';
import { RUN_FILE } from './engine/results-folder.ts';
import type { PreviousScan } from './report/changes.ts';
import { listResults } from './results/list.ts';
import { sitesScanned } from './results/site.ts';
import { SCAN_JOB } from './scan-job.ts';
import type { ScanRoom } from './scans.ts';
import { resultsByScan, resultsRoot } from './workspace.ts';

/** For each site of a scan the caller's latest scan before it that came to its end and saw pages of that site. */
export async function previousScans(room: ScanRoom, resultsDir: string): Promise<PreviousScan[]> {
  const wanted = await sitesScanned(resultsDir);
  const found: PreviousScan[] = [];
  for await (const dir of earlierResults(room, resultsDir)) {
    if (wanted.size === 0) break;
    const sites = (await sitesScanned(dir)).intersection(wanted);
    if (sites.size === 0) continue;
    found.push({ dir, sites });
    for (const site of sites) wanted.delete(site);
  }
  return found;
}

/** The folders of finished scans before this one, the latest first. */
async function* earlierResults({ engine, jobs, principal }: ScanRoom, resultsDir: string): AsyncGenerator<string> {
  const { scans } = await listResults(resultsRoot(engine.workspace));
  const resultsOf = await resultsByScan(engine.workspace);
  const states = new Map((await jobs.list(SCAN_JOB, principal)).map(({ id, state }) => [resultsOf(id), state]));
  const at = scans.findIndex(({ path }) => path === resultsDir);
  const isLocal = principal.issuer === localIssuer;
  for (const { path } of scans.slice(at + 1)) {
    const state = states.get(path);
    if ((state !== undefined || isLocal) && (await isFinished(path, state))) yield path;
  }
}

/** A scan of ours says so itself; of one that was run by hand with CWAC nobody knows better. */
async function isFinished(dir: string, state: JobState | undefined): Promise<boolean> {
  if (state !== undefined) return state === 'succeeded';
  const run = await readFile(join(dir, RUN_FILE), 'utf8').catch(() => undefined);
  return run === undefined || run.includes('"ended"');
}
