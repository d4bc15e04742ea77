import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { Failure } from '../platform/errors.ts';
import type { JobContext, JobHandler } from '../platform/jobs/job-worker.ts';
import type { Job } from '../platform/jobs/jobs.ts';
import type { Json } from '../platform/json.ts';
import type { Logger } from '../platform/log.ts';
import { localIssuer, type Owner } from '../platform/principal.ts';
import { hasRecordedEnd } from './engine/output/results-folder.ts';
import { type EngineExit, runEngineProcess } from './engine-process.ts';
import type { ScanArchive } from './scan-archive.ts';
import type { ScanEngine } from './scan-engine.ts';
import { configFileName, configPath, findResultsDir, pidPath, removeInputs, type Workspace } from './workspace.ts';

/** Payload of a scan job in the store. `scanProgress` is its progress and `scanResult` its result. */
export const accessibilityScanPayload = z.object({
  scanId: z.string(),
  /** Owner of the workspace. Jobs of earlier versions have no owner and belong to the local user. */
  owner: z.object({ issuer: z.string(), subject: z.string() }).default({ issuer: localIssuer, subject: '' }),
  auditName: z.string(),
  warnings: z.array(z.string()),
  /** Private addresses that may be visited; null allows all. */
  inside: z.array(z.string()).nullable(),
});
export const scanProgress = z.object({
  tail: z.array(z.string()),
  /** Exit code of the engine after a failure. */
  exitCode: z.number().optional(),
});
export const scanResult = z.object({ resultsDir: z.string(), exitCode: z.number() });

export const SCAN_JOB = 'accessibility.scan';

const TAIL_LINES = 20;
const MAX_RESTARTS = 3;

/** Creates the handler of scan jobs. It runs the engine until it exits and resumes a killed engine if the engine supports it. */
export function createScanHandler(
  chosen: (owner: Owner) => ScanEngine,
  archiveOf: (owner: Owner, workspace: Workspace) => ScanArchive | undefined = () => undefined,
  log?: Logger,
): JobHandler {
  return async (job, context) => {
    const { scanId, owner, inside } = accessibilityScanPayload.parse(job.payload);
    const engine = chosen(owner);
    const archive = archiveOf(owner, engine.workspace);
    await archive?.restoreInputs(scanId);
    await archive?.restoreForResume(scanId);
    const publish = async (isFinal: boolean) => archive?.publish(scanId, { attempt: attemptOf(job), isFinal });
    const publishing = archive && publishAtIntervals(() => publish(false), log);
    try {
      const result = await runUntilFinished(engine, scanId, inside, context);
      await publishing?.stop();
      await publish(true);
      await removeInputs(engine.workspace, scanId);
      await archive?.removeInputs(scanId);
      return result;
    } catch (error) {
      await publishing?.stop();
      // The results so far, for readers and for the next worker.
      await publish(false).catch((cause: unknown) => log?.warn({ err: cause, job: job.id }, 'results not published'));
      // A stopping worker returns the job, and the next worker needs the inputs.
      const isGivenBack = context.signal.aborted && String(context.signal.reason) !== 'Error: cancelled';
      // On a full disk the failure itself cannot be stored, so the scan resumes when there is space again.
      const canResumeLater = engine.canResume && error instanceof Failure && /disk is full/.test(error.message);
      // A failure outside of the scan is retried, and after the last retry an operator can start the job again.
      const isUnavailable = error instanceof Failure && error.kind === 'unavailable';
      if (!isGivenBack && !canResumeLater && !isUnavailable) {
        await removeInputs(engine.workspace, scanId);
        await archive?.removeInputs(scanId).catch(() => {});
      }
      throw error;
    }
  };
}

/** Later attempts have higher numbers, also after an operator started the job again. */
const attemptOf = ({ redrives, attempts }: Job) => redrives * 1000 + attempts;

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
  context: JobContext,
): Promise<Json> {
  for (let restarts = 0; ; restarts++) {
    const earlier = await findResultsDir(engine.workspace, scanId);
    // A worker saw the scan end and removed its inputs, but was stopped before it could store the result.
    if (earlier && !existsSync(configPath(engine.workspace, scanId)) && (await hasRecordedEnd(earlier)))
      return scanResult.parse({ resultsDir: earlier, exitCode: 0 });
    const resume = engine.canResume ? earlier : undefined;
    const tail: string[] = [];
    const ended = await runEngineProcess({
      command: engine.command(configFileName(scanId), resume, inside),
      pidFile: pidPath(engine.workspace, scanId),
      maxSilenceMs: engine.maxSilenceMs,
      signal: context.signal,
      onLine(line) {
        tail.push(line);
        tail.splice(0, tail.length - TAIL_LINES);
        context.progress({ tail: [...tail] });
      },
    });
    context.signal.throwIfAborted();
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
    const errors = tail.filter((line) => line.startsWith('Error: ')).join('\n');
    const hung =
      ended.isHung && `The scan engine printed nothing for ${engine.maxSilenceMs / 60_000} minutes and was stopped.`;
    const said = hung || ended.stderr.trim() || errors || `The scan engine exited with ${ended.signal ?? ended.code}.`;
    context.progress({ tail: [...tail], exitCode: toExitCode(ended) });
    throw new Failure('site_failed', 'ENGINE_FAILED', said);
  }
}

/** Follows Python's `poll()`: the negative signal number when the process was killed. */
function toExitCode({ code, signal }: EngineExit): number {
  return code ?? -(signal === null ? 0 : constants.signals[signal]);
}
