import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { ArtifactStore } from '../platform/artifacts/artifact-store.ts';
import { Failure } from '../platform/errors.ts';
import type { JobContext, JobHandler } from '../platform/jobs/job-worker.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Json } from '../platform/json.ts';
import type { Logger } from '../platform/log.ts';
import type { Owner } from '../platform/principal.ts';
import { retryThroughOutage } from '../platform/retry-through-outage.ts';
import { hasRecordedEnd } from './engine/output/results-folder.ts';
import { type EngineExit, runEngineProcess } from './engine-process.ts';
import { attemptOf } from './job-attempt.ts';
import { createScanArchive } from './scan-archive.ts';
import type { ScanEngine } from './scan-engine.ts';
import { accessibilityScanPayload, scanResult } from './scan-records.ts';
import { openSliceBroker, type SliceBroker } from './slice-broker.ts';
import type { SlicedScan } from './slice-job.ts';
import { configFileName, configPath, findResultsDir, pidPath, removeInputs } from './workspace.ts';

/** What a scan shares with workers on other machines. */
interface ScanFleet {
  artifacts: ArtifactStore;
  jobs(): Promise<Jobs>;
  log: Logger;
}

async function openScanBroker({ artifacts, jobs, log }: ScanFleet, scan: SlicedScan): Promise<SliceBroker | undefined> {
  const snapshots = artifacts.snapshots(scan.owner);
  return snapshots && openSliceBroker({ jobs: await jobs(), snapshots, scan, log });
}

const TAIL_LINES = 20;
const MAX_RESTARTS = 3;

/** Creates the handler of scan jobs. It runs the engine until it exits and resumes a killed engine if the engine supports it. */
export function createScanHandler(chosen: (owner: Owner) => ScanEngine, fleet?: ScanFleet): JobHandler {
  const log = fleet?.log;
  return async (job, context) => {
    const { scanId, owner, inside } = accessibilityScanPayload.parse(job.payload);
    const attempt = attemptOf(job);
    const engine = chosen(owner);
    const archive = fleet && createScanArchive(fleet.artifacts, owner, engine.workspace);
    await archive?.restoreInputs(scanId);
    await archive?.restoreForResume(scanId);
    const publish = async (isFinal: boolean) => archive?.publish(scanId, { attempt, isFinal });
    const publishing = archive && publishAtIntervals(() => publish(false), log);
    const output = watchOutput(context);
    try {
      const openBroker =
        fleet && archive && engine.name === 'native'
          ? () => openScanBroker(fleet, { scanId, attempt, owner, inside })
          : undefined;
      const result = await runUntilFinished(engine, scanId, inside, context.signal, output, openBroker);
      await publishing?.stop();
      await retryThroughOutage(() => publish(true), {
        signal: context.signal,
        onRetry: ({ remoteMessage }) => output.add(`The results cannot be stored yet, trying again: ${remoteMessage}`),
      });
      // Only the worker that has the scan may remove what the next one would need.
      await context.confirm();
      await removeInputs(engine.workspace, scanId);
      await archive?.removeInputs(scanId);
      return result;
    } catch (error) {
      await publishing?.stop();
      // The results so far, for readers and for the next worker.
      await publish(false).catch((cause: unknown) => log?.warn({ err: cause, job: job.id }, 'results not published'));
      if (!isContinued(error, engine, context.signal)) {
        await removeInputs(engine.workspace, scanId);
        await archive?.removeInputs(scanId).catch(() => {});
      }
      throw error;
    }
  };
}

/** Whether this or another worker needs the inputs of the scan again. */
function isContinued(error: unknown, engine: ScanEngine, signal: AbortSignal): boolean {
  // A stopping worker returns the job, and one that lost its lease has a successor.
  if (signal.aborted) return String(signal.reason) !== 'Error: cancelled';
  if (!(error instanceof Failure)) return false;
  // On a full disk the failure itself cannot be stored, so the scan resumes when there is space again.
  if (engine.canResume && /disk is full/.test(error.message)) return true;
  // A failure outside of the scan is retried, and after the last retry an operator can start the job again.
  return error.kind === 'unavailable' || error.code === 'SUPERSEDED';
}

interface EngineOutput {
  /** Shows the line to callers that read the job. */
  add(line: string): void;
  tail(): string[];
  /** The engine has failed with this code, by the convention of Python. */
  fail(exitCode: number): void;
  /** The engine is started again. */
  clear(): void;
}

function watchOutput(context: JobContext): EngineOutput {
  const tail: string[] = [];
  return {
    add(line) {
      tail.push(line);
      tail.splice(0, tail.length - TAIL_LINES);
      context.progress({ tail: [...tail] });
    },
    tail: () => tail,
    fail: (exitCode) => context.progress({ tail: [...tail], exitCode }),
    clear: () => void tail.splice(0),
  };
}

const PUBLISH_MS = 10_000;
/** Publishing takes at most this part of the time. */
const PUBLISH_SHARE = 20;

/** Publishes while the engine writes, so that another worker loses little when this one dies. */
function publishAtIntervals(publish: () => Promise<unknown>, log: Logger | undefined): { stop(): Promise<void> } {
  const end = new AbortController();
  const loop = async () => {
    for (let wait = PUBLISH_MS; !end.signal.aborted; ) {
      await pause(wait, undefined, { signal: end.signal, ref: false }).catch(() => {});
      if (end.signal.aborted) return;
      const begun = performance.now();
      // The last publication reports an error that stays.
      await publish().catch((error: unknown) => log?.warn({ err: error }, 'results not published'));
      wait = Math.max(PUBLISH_MS, PUBLISH_SHARE * (performance.now() - begun));
    }
  };
  const running = loop();
  return {
    async stop() {
      end.abort();
      await running;
    },
  };
}

async function runUntilFinished(
  engine: ScanEngine,
  scanId: string,
  inside: string[] | null,
  signal: AbortSignal,
  output: EngineOutput,
  openBroker?: () => Promise<SliceBroker | undefined>,
): Promise<Json> {
  for (let restarts = 0; ; restarts++) {
    const earlier = await findResultsDir(engine.workspace, scanId);
    // A worker saw the scan end and removed its inputs, but was stopped before it could store the result.
    if (earlier && !existsSync(configPath(engine.workspace, scanId)) && (await hasRecordedEnd(earlier)))
      return scanResult.parse({ resultsDir: earlier, exitCode: 0 });
    const resume = engine.canResume ? earlier : undefined;
    output.clear();
    const broker = await openBroker?.();
    const ended = await runEngineProcess({
      command: engine.command(configFileName(scanId), resume, inside),
      pidFile: pidPath(engine.workspace, scanId),
      maxSilenceMs: engine.maxSilenceMs,
      signal,
      onLine: output.add,
      ...(broker && { onMessage: broker.onMessage }),
    }).finally(() => broker?.close());
    signal.throwIfAborted();
    if (ended.code === 0) {
      const resultsDir = await findResultsDir(engine.workspace, scanId);
      if (!resultsDir)
        throw new Failure(
          'internal',
          'NO_RESULTS',
          'The scan engine exited with code 0 but wrote no results folder. Start the scan again with cwac_scan.',
        );
      return scanResult.parse({ resultsDir, exitCode: 0 });
    }
    // No exit code means that the engine was killed from outside, which is not its own failure.
    if (ended.code === null && engine.canResume && restarts < MAX_RESTARTS) continue;
    const errors = output
      .tail()
      .filter((line) => line.startsWith('Error: '))
      .join('\n');
    const hung =
      ended.isHung && `The scan engine printed nothing for ${engine.maxSilenceMs / 60_000} minutes and was stopped.`;
    const said = hung || ended.stderr.trim() || errors || `The scan engine exited with ${ended.signal ?? ended.code}.`;
    output.fail(toExitCode(ended));
    throw new Failure('site_failed', 'ENGINE_FAILED', said);
  }
}

/** Follows Python's `poll()`: the negative signal number when the process was killed. */
function toExitCode({ code, signal }: EngineExit): number {
  return code ?? -(signal === null ? 0 : constants.signals[signal]);
}
