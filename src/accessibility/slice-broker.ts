import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import type { FolderSnapshots } from '../platform/artifacts/folder-snapshots.ts';
import { Failure } from '../platform/errors.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Logger } from '../platform/log.ts';
import { type SliceAnswer, sliceRequest } from './engine/slices/slice-protocol.ts';
import { removeLeftovers, removeSlices } from './remove-slices.ts';
import { SLICE_JOB, type SlicedScan, type slicePayload, sliceResult } from './slice-job.ts';

interface SliceBrokerOptions {
  jobs: Jobs;
  snapshots: FolderSnapshots;
  scan: SlicedScan;
  log: Logger;
}

/** Between an engine and the workers that visit pages for it. */
export interface SliceBroker {
  onMessage(message: unknown, answer: (message: SliceAnswer) => void): void;
  /** Ends all slices and removes their results. Never throws: what is left is removed when the next scan begins. */
  close(): Promise<void>;
}

interface OpenSlice {
  answer(folder: string | null): void;
  submittedAt: number;
  /** Since when its results cannot be fetched. */
  awaySince?: number;
}

/** One statement for all slices of a scan. */
const LOOK_MS = 1000;
/** A slice that no worker takes in this time returns to the engine. */
const START_LIMIT_MS = 3000;
/** Results that cannot be fetched in this time are given up: their pages are visited again. */
const FETCH_LIMIT_MS = 180_000;

/** Ends the slices of earlier attempts first: they would visit pages for no scan. */
export async function openSliceBroker({ jobs, snapshots, scan, log }: SliceBrokerOptions): Promise<SliceBroker> {
  await removeSlices({ jobs, snapshots, scan });
  await removeLeftovers({ jobs, snapshots, scan });
  const folder = await mkdtemp(join(tmpdir(), 'assay-slices-'));
  const open = new Map<string, OpenSlice>();
  const submissions = new Set<Promise<void>>();
  const end = new AbortController();

  async function submit(slice: z.output<typeof slicePayload>['slice'], answer: OpenSlice['answer']): Promise<void> {
    try {
      end.signal.throwIfAborted();
      const { id } = await jobs.submit(SLICE_JOB, scan.owner, z.json().parse({ ...scan, slice }));
      open.set(id, { answer, submittedAt: performance.now() });
    } catch (error) {
      log.warn({ err: error }, 'slice not submitted');
      answer(null);
    }
  }

  async function look(): Promise<void> {
    // Only the slices that the statement is about: one that is submitted meanwhile has no state here.
    const asked = [...open];
    const outcomes = await jobs.outcomes([...open.keys()], scan.owner);
    for (const [id, slice] of asked) {
      const { state, result } = outcomes.get(id) ?? { state: 'failed', result: null };
      if (state === 'running') continue;
      if (state === 'queued') {
        const isPatient = performance.now() - slice.submittedAt < START_LIMIT_MS;
        if (isPatient || !(await jobs.withdraw(id, scan.owner))) continue;
      }
      const found = state === 'succeeded' ? sliceResult.parse(result).results : null;
      const fetched = found === null ? null : await fetchResults(slice, found, join(folder, id));
      if (fetched === undefined) continue;
      open.delete(id);
      slice.answer(fetched);
    }
  }

  /** Undefined while the bucket is away; null if the results are lost. */
  async function fetchResults(slice: OpenSlice, name: string, path: string): Promise<string | null | undefined> {
    try {
      await snapshots.restore(name, path);
    } catch (error) {
      slice.awaySince ??= performance.now();
      log.warn({ err: error, results: name }, 'cannot fetch the results of a slice');
      const isAway = error instanceof Failure && error.kind === 'unavailable';
      return isAway && performance.now() - slice.awaySince < FETCH_LIMIT_MS ? undefined : null;
    }
    await snapshots.remove(`${name}/`).catch((error: unknown) => {
      log.warn({ err: error, results: name }, 'results of a slice not removed');
    });
    return path;
  }

  const watch = async () => {
    while (!end.signal.aborted) {
      await pause(LOOK_MS, undefined, { signal: end.signal, ref: false }).catch(() => {});
      if (end.signal.aborted) return;
      await look().catch((error: unknown) => log.warn({ err: error }, 'cannot look for slices'));
    }
  };
  const watching = watch();

  return {
    onMessage(message, send) {
      const { number, slice } = sliceRequest.parse(message);
      const submission = submit(slice, (path) => send({ type: 'slice-end', number, folder: path })).finally(() =>
        submissions.delete(submission),
      );
      submissions.add(submission);
    },
    async close() {
      end.abort();
      await Promise.all([watching, ...submissions]);
      const cleanup = [
        removeSlices({ jobs, snapshots, scan }),
        rm(folder, { recursive: true, force: true, maxRetries: 3 }),
      ];
      for (const result of await Promise.allSettled(cleanup))
        if (result.status === 'rejected') log.warn({ err: result.reason, scan: scan.scanId }, 'slices not removed');
    },
  };
}
