import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type * as z from 'zod';
import type { FolderSnapshots } from '../platform/artifacts/folder-snapshots.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Logger } from '../platform/log.ts';
import type { Owner } from '../platform/principal.ts';
import { type SliceAnswer, sliceRequest } from './engine/slices/slice-protocol.ts';
import { SLICE_JOB, slicePayload, sliceSnapshot } from './slice-job.ts';

interface SliceBrokerOptions {
  jobs: Jobs;
  snapshots: FolderSnapshots;
  scan: Omit<z.output<typeof slicePayload>, 'slice'>;
  /** Where results are put for the engine. */
  folder: string;
  signal: AbortSignal;
  log: Logger | undefined;
}

/** Between an engine and the workers that visit pages for it. */
export interface SliceBroker {
  onMessage(message: unknown, answer: (message: SliceAnswer) => void): void;
  /** Cancels the slices that the engine no longer waits for. */
  close(): Promise<void>;
}

/** One statement for all slices of a scan. */
const LOOK_MS = 1000;
/** A slice that no worker takes in this time returns to the engine. */
const START_LIMIT_MS = 3000;

export async function openSliceBroker({
  jobs,
  snapshots,
  scan,
  folder,
  signal,
  log,
}: SliceBrokerOptions): Promise<SliceBroker> {
  const open = new Map<string, { answer: (folder: string | null) => void; submittedAt: number }>();
  const end = new AbortController();
  await removeLeftovers(jobs, snapshots, scan.owner, scan.scanId);

  async function submit(slice: z.output<typeof slicePayload>['slice'], answer: (folder: string | null) => void) {
    const { id } = await jobs.submit(SLICE_JOB, scan.owner, { ...scan, slice });
    open.set(id, { answer, submittedAt: performance.now() });
  }

  async function look(): Promise<void> {
    if (open.size === 0) return;
    const states = await jobs.states([...open.keys()], scan.owner);
    for (const [id, { answer, submittedAt }] of open) {
      const state = states.get(id);
      if (state === 'running') continue;
      if (state === 'queued') {
        if (performance.now() - submittedAt < START_LIMIT_MS || !(await jobs.withdraw(id, scan.owner))) continue;
      }
      open.delete(id);
      answer(state === 'succeeded' ? await fetchResults(id) : null);
    }
  }

  async function fetchResults(id: string): Promise<string | null> {
    const path = join(folder, id);
    try {
      await snapshots.restore(sliceSnapshot(id), path);
      await snapshots.remove(sliceSnapshot(id));
      return path;
    } catch (error) {
      log?.warn({ err: error, job: id }, 'results of a slice are missing');
      return null;
    }
  }

  const watch = async () => {
    for (;;) {
      await pause(LOOK_MS, undefined, { signal: end.signal, ref: false }).catch(() => {});
      if (end.signal.aborted || signal.aborted) return;
      await look().catch((error: unknown) => log?.warn({ err: error }, 'cannot look for slices'));
    }
  };
  const watching = watch();

  return {
    onMessage(message, send) {
      const { number, slice } = sliceRequest.parse(message);
      const answer = (path: string | null) => send({ type: 'slice-end', number, folder: path });
      submit(slice, answer).catch((error: unknown) => {
        log?.warn({ err: error }, 'slice not submitted');
        answer(null);
      });
    },
    async close() {
      end.abort();
      await watching;
      for (const id of open.keys()) {
        await jobs.cancel(id, scan.owner).catch(() => {});
        await snapshots.remove(sliceSnapshot(id)).catch(() => {});
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Slices of a worker that died would be visited for no scan. */
async function removeLeftovers(jobs: Jobs, snapshots: FolderSnapshots, owner: Owner, scanId: string): Promise<void> {
  for (const { id, payload } of await jobs.list(SLICE_JOB, owner)) {
    if (slicePayload.safeParse(payload).data?.scanId !== scanId) continue;
    await jobs.cancel(id, owner);
    await snapshots.remove(sliceSnapshot(id));
  }
}
