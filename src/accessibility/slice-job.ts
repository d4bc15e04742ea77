import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { ArtifactStore } from '../platform/artifacts/artifact-store.ts';
import { Failure } from '../platform/errors.ts';
import type { JobHandler } from '../platform/jobs/job-worker.ts';
import type { Job } from '../platform/jobs/jobs.ts';
import type { Logger } from '../platform/log.ts';
import type { Owner } from '../platform/principal.ts';
import { retryThroughOutage } from '../platform/retry-through-outage.ts';
import { type ScanSlice, scanSlice, VISITS_FILE } from './engine/slices/slice-protocol.ts';
import { runEngineProcess } from './engine-process.ts';
import { attemptOf } from './job-attempt.ts';
import { createScanArchive } from './scan-archive.ts';
import type { ScanEngine } from './scan-engine.ts';
import { configFileName, configPath } from './workspace.ts';

/** Part of a scan: pages that any worker with a browser visits. */
export const SLICE_JOB = 'accessibility.slice';

/** The scan, in the attempt that wants the slice. */
const slicedScan = z.object({
  scanId: z.string(),
  attempt: z.number(),
  owner: z.object({ issuer: z.string(), subject: z.string() }),
  inside: z.array(z.string()).nullable(),
});
export type SlicedScan = z.output<typeof slicedScan>;
export const slicePayload = slicedScan.extend({ slice: scanSlice });

/** The snapshot with the results; null if the scan had ended. */
export const sliceResult = z.object({ results: z.string().nullable() });

/** All results of slices in the bucket: `slices/<scan>/<attempt of the scan>/<slice>/<attempt of the slice>/`. */
export const SLICES = 'slices/';

/**
 * Each attempt has results of its own, so that a worker that lost its lease cannot touch those of the next one, which end with the
 * job in one statement.
 */
const resultsOf = ({ scanId, attempt }: SlicedScan, job: Job) =>
  `${SLICES}${scanId}/${attempt}/${job.id}/${attemptOf(job)}`;

/** Name of the file with the pages, in the folder of the results. */
const SLICE_FILE = 'slice.json';

interface SliceServices {
  artifacts: ArtifactStore;
  engineFor(owner: Owner, root: string): ScanEngine;
  log: Logger;
}

/** Creates the handler of slices. It works in a folder of its own, which it removes. */
export function createSliceHandler({ artifacts, engineFor, log }: SliceServices): JobHandler {
  return async (job, context) => {
    const { slice, ...scan } = slicePayload.parse(job.payload);
    const snapshots = artifacts.snapshots(scan.owner);
    if (!snapshots) {
      const message = 'This worker has no bucket, so it cannot visit pages for others. Set ASSAY_S3_BUCKET.';
      throw new Failure('configuration', 'NO_BUCKET', message);
    }
    const results = resultsOf(scan, job);
    const root = await mkdtemp(join(tmpdir(), 'assay-slice-'));
    try {
      await createScanArchive(artifacts, scan.owner, { root })?.restoreInputs(scan.scanId);
      // The scan has ended.
      if (!existsSync(configPath({ root }, scan.scanId))) return { results: null };
      const folder = await visitPages(engineFor(scan.owner, root), root, scan, slice, context.signal);
      const publish = () =>
        snapshots.publish(results, { path: folder, folder: 'slice' }, { attempt: attemptOf(job), isFinal: false });
      await retryThroughOutage(publish, {
        signal: context.signal,
        onRetry: (failure) => log.warn({ err: failure, job: job.id }, 'results of a slice not stored yet'),
      });
      // A scan cancels its slices and then removes their results. This looks at the first after it has made the second.
      await context.confirm();
      return { results };
    } catch (error) {
      await snapshots.remove(`${results}/`).catch((cause: unknown) => {
        log.warn({ err: cause, job: job.id }, 'results of a slice not removed');
      });
      throw error;
    } finally {
      await rm(root, { recursive: true, force: true, maxRetries: 3 }).catch((error: unknown) => {
        log.warn({ err: error, job: job.id }, 'folder of a slice not removed');
      });
    }
  };
}

async function visitPages(
  engine: ScanEngine,
  root: string,
  { scanId, inside }: SlicedScan,
  slice: ScanSlice,
  signal: AbortSignal,
): Promise<string> {
  const folder = join(root, 'slice');
  await mkdir(folder);
  await writeFile(join(folder, SLICE_FILE), JSON.stringify(slice));
  const ended = await runEngineProcess({
    command: engine.command(configFileName(scanId), undefined, inside, folder),
    pidFile: join(root, 'pid'),
    maxSilenceMs: engine.maxSilenceMs,
    signal,
    onLine() {},
  });
  signal.throwIfAborted();
  // Pages that were visited before an error are of use.
  if (ended.code === 0 || existsSync(join(folder, VISITS_FILE))) return folder;
  const reason = ended.stderr.trim().split('\n').at(-1) ?? '';
  throw new Failure(
    'unavailable',
    'SLICE_FAILED',
    `The pages could not be visited: ${reason || ended.code}. Run "assay doctor" on the worker.`,
  );
}

export async function readSliceFile(folder: string): Promise<ScanSlice> {
  return scanSlice.parse(JSON.parse(await readFile(join(folder, SLICE_FILE), 'utf8')));
}
