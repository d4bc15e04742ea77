import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { ArtifactStore } from '../platform/artifacts/artifact-store.ts';
import { Failure } from '../platform/errors.ts';
import type { JobHandler } from '../platform/jobs/job-worker.ts';
import type { Owner } from '../platform/principal.ts';
import { type ScanSlice, scanSlice, VISITS_FILE } from './engine/slices/slice-protocol.ts';
import { runEngineProcess } from './engine-process.ts';
import { createScanArchive } from './scan-archive.ts';
import type { ScanEngine } from './scan-engine.ts';
import { configFileName, configPath } from './workspace.ts';

/** Part of a scan: pages that any worker with a browser visits. */
export const SLICE_JOB = 'accessibility.slice';

export const slicePayload = z.object({
  scanId: z.string(),
  owner: z.object({ issuer: z.string(), subject: z.string() }),
  inside: z.array(z.string()).nullable(),
  slice: scanSlice,
});

/** The results of a slice in the bucket, until the scan has them. */
export const sliceSnapshot = (jobId: string) => `slices/${jobId}`;

/** Name of the file with the pages, in the folder of the results. */
const SLICE_FILE = 'slice.json';

interface SliceServices {
  artifacts: ArtifactStore;
  engineFor(owner: Owner, root: string): ScanEngine;
}

/** Creates the handler of slices. It works in a folder of its own, which it removes. */
export function createSliceHandler({ artifacts, engineFor }: SliceServices): JobHandler {
  return async (job, { signal }) => {
    const { scanId, owner, inside, slice } = slicePayload.parse(job.payload);
    const root = await mkdtemp(join(tmpdir(), 'assay-slice-'));
    try {
      const archive = createScanArchive(artifacts, owner, { root });
      const snapshots = artifacts.snapshots(owner);
      if (!archive || !snapshots) {
        const message = 'This worker has no bucket, so it cannot visit pages for others. Set ASSAY_S3_BUCKET.';
        throw new Failure('configuration', 'NO_BUCKET', message);
      }
      await archive.restoreInputs(scanId);
      // The scan has ended.
      if (!existsSync(configPath({ root }, scanId))) return { pages: 0 };
      const folder = join(root, 'slice');
      await mkdir(folder);
      await writeFile(join(folder, SLICE_FILE), JSON.stringify(slice));
      const engine = engineFor(owner, root);
      const ended = await runEngineProcess({
        command: engine.command(configFileName(scanId), undefined, inside, folder),
        pidFile: join(root, 'pid'),
        maxSilenceMs: engine.maxSilenceMs,
        signal,
        onLine() {},
      });
      signal.throwIfAborted();
      // Pages that were visited before an error are of use.
      if (ended.code !== 0 && !existsSync(join(folder, VISITS_FILE))) {
        const reason = ended.stderr.trim().split('\n').at(-1) ?? '';
        throw new Failure(
          'unavailable',
          'SLICE_FAILED',
          `The pages could not be visited: ${reason || ended.code}. Run "assay doctor" on the worker.`,
        );
      }
      const published = { path: folder, folder: 'slice' };
      await snapshots.publish(sliceSnapshot(job.id), published, { attempt: job.attempts, isFinal: false });
      // The scan has ended meanwhile, or another worker has the slice.
      if (signal.aborted) await snapshots.remove(sliceSnapshot(job.id));
      return { pages: slice.pages.length };
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  };
}

export async function readSliceFile(folder: string): Promise<ScanSlice> {
  return scanSlice.parse(JSON.parse(await readFile(join(folder, SLICE_FILE), 'utf8')));
}
