import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import * as z from 'zod';
import { Failure } from '../platform/errors.ts';
import type { JobContext, JobHandler } from '../platform/jobs/job-worker.ts';
import type { Json } from '../platform/json.ts';
import { localIssuer, type Owner } from '../platform/principal.ts';
import { hasRecordedEnd } from './engine/output/results-folder.ts';
import { type EngineExit, runEngineProcess } from './engine-process.ts';
import type { ScanEngine } from './scan-engine.ts';
import { configFileName, configPath, findResultsDir, pidPath, removeInputs } from './workspace.ts';

/** What a scan job is told, reports and leaves, as it stands in the store. */
export const accessibilityScanPayload = z.object({
  scanId: z.string(),
  /** Whose workspace it is in. Scans that an earlier version submitted are all in that of the local user. */
  owner: z.object({ issuer: z.string(), subject: z.string() }).default({ issuer: localIssuer, subject: '' }),
  auditName: z.string(),
  warnings: z.array(z.string()),
  /** The addresses of the inside that may be visited; null for all. */
  inside: z.array(z.string()).nullable(),
});
export const scanProgress = z.object({
  tail: z.array(z.string()),
  /** How the engine ended, where it did not end well. */
  exitCode: z.number().optional(),
});
export const scanResult = z.object({ resultsDir: z.string(), exitCode: z.number() });

export const SCAN_JOB = 'accessibility.scan';

const TAIL_LINES = 20;
const MAX_RESTARTS = 3;

/** Runs the engine to its end. An engine that was killed goes on where it was, if it can. */
export function createScanHandler(chosen: (owner: Owner) => ScanEngine): JobHandler {
  return async (job, context) => {
    const { scanId, owner, inside } = accessibilityScanPayload.parse(job.payload);
    const engine = chosen(owner);
    try {
      return await runUntilFinished(engine, scanId, inside, context);
    } catch (error) {
      // A worker that stops gives the job back, and whoever takes it needs the inputs.
      const isGivenBack = context.signal.aborted && String(context.signal.reason) !== 'Error: cancelled';
      // Nor can a disk that is full take down that the scan has failed: when there is room again, it goes on.
      const canResumeLater = engine.canResume && error instanceof Failure && /disk is full/.test(error.message);
      if (!isGivenBack && !canResumeLater) await removeInputs(engine.workspace, scanId);
      throw error;
    }
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
    // Whoever saw it end has taken its inputs away, and could not write down any more that it had.
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
      if (!resultsDir) throw new Failure('internal', 'NO_RESULTS', 'The engine ended well, but left no results.');
      await removeInputs(engine.workspace, scanId);
      return scanResult.parse({ resultsDir, exitCode: 0 });
    }
    // Killed from outside: not its own failure.
    if (ended.code === null && engine.canResume && restarts < MAX_RESTARTS) continue;
    const errors = tail.filter((line) => line.startsWith('Error: ')).join('\n');
    const hung = ended.isHung && `The engine was silent for ${engine.maxSilenceMs / 60_000} minutes, and was ended.`;
    const said = hung || ended.stderr.trim() || errors || `The engine ended with ${ended.signal ?? ended.code}.`;
    context.progress({ tail: [...tail], exitCode: toExitCode(ended) });
    throw new Failure('site_failed', 'ENGINE_FAILED', said);
  }
}

/** As Python's `poll()` says it: the signal, negative, where it was killed. */
function toExitCode({ code, signal }: EngineExit): number {
  return code ?? -(signal === null ? 0 : constants.signals[signal]);
}
