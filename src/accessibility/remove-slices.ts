import type { FolderSnapshots } from '../platform/artifacts/folder-snapshots.ts';
import { endedStates, type Jobs } from '../platform/jobs/jobs.ts';
import { SLICE_JOB, SLICES, type SlicedScan, slicePayload } from './slice-job.ts';

interface SliceStore {
  jobs: Jobs;
  snapshots: FolderSnapshots;
  scan: SlicedScan;
}

/**
 * Ends the slices of a scan and removes their results. Those of a later attempt stay: this may be the end of a worker that has lost
 * the scan. The order is part of the agreement with workers, which look for a cancellation after they have stored results.
 */
export async function removeSlices({ jobs, snapshots, scan }: SliceStore): Promise<void> {
  for (const { id, payload } of await jobs.list(SLICE_JOB, scan.owner, { isUnfinished: true })) {
    const { data } = slicePayload.safeParse(payload);
    if (data?.scanId === scan.scanId && data.attempt <= scan.attempt) await jobs.cancel(id, scan.owner);
  }
  const ofScan = `${SLICES}${scan.scanId}/`;
  for (const attempt of await nextParts(snapshots, ofScan))
    if (Number(attempt) <= scan.attempt) await snapshots.remove(`${ofScan}${attempt}/`);
}

/** Removes results of scans that have ended: their worker, or one of a slice, was killed in the moment of the end. */
export async function removeLeftovers({ jobs, snapshots, scan }: SliceStore): Promise<void> {
  const scanIds = await nextParts(snapshots, SLICES);
  const outcomes = await jobs.outcomes(scanIds, scan.owner);
  for (const scanId of scanIds) {
    const state = outcomes.get(scanId)?.state;
    if (state === undefined || endedStates.includes(state)) await snapshots.remove(`${SLICES}${scanId}/`);
  }
}

/** What follows the prefix in the paths of all objects, up to the next slash. */
async function nextParts(snapshots: FolderSnapshots, prefix: string): Promise<string[]> {
  const found = new Set<string>();
  for await (const path of snapshots.paths(prefix)) found.add(path.slice(prefix.length).split('/')[0] ?? '');
  return [...found];
}
