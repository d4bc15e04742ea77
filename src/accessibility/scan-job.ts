import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import * as z from 'zod';
import { Failure } from '../platform/errors.ts';
import type { JobContext, JobHandler } from '../platform/jobs/job-worker.ts';
import type { Json } from '../platform/json.ts';
import { localIssuer, type Owner } from '../platform/principal.ts';
import { hasEnded } from './engine/results-folder.ts';
import { type Ended, runEngineProcess } from './engine-process.ts';
import type { Engine } from './engines.ts';
import { configFile, configPath, findResults, pidPath, removeInputs } from './workspace.ts';

/** What a scan job is told, reports and leaves, as it stands in the store. */
export const scanPayload = z.object({
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
const MOST_RESTARTS = 3;

/** Runs the engine to its end. An engine that was killed goes on where it was, if it can. */
export function scanHandler(chosen: (owner: Owner) => Engine): JobHandler {
  return async (job, context) => {
    const { scanId, owner, inside } = scanPayload.parse(job.payload);
    const engine = chosen(owner);
    try {
      return await runToTheEnd(engine, scanId, inside, context);
    } catch (error) {
      // A worker that stops gives the job back, and whoever takes it needs the inputs.
      const isGivenBack = context.signal.aborted && String(context.signal.reason) !== 'Error: cancelled';
      // Nor can a disk that is full take down that the scan has failed: when there is room again, it goes on.
      const mayGoOn = engine.resumes && error instanceof Failure && /disk is full/.test(error.message);
      if (!isGivenBack && !mayGoOn) await removeInputs(engine.workspace, scanId);
      throw error;
    }
  };
}

async function runToTheEnd(
  engine: Engine,
  scanId: string,
  inside: string[] | null,
  context: JobContext,
): Promise<Json> {
  for (let restarts = 0; ; restarts++) {
    const earlier = await findResults(engine.workspace, scanId);
    // Whoever saw it end has taken its inputs away, and could not write down any more that it had.
    if (earlier && !existsSync(configPath(engine.workspace, scanId)) && (await hasEnded(earlier)))
      return scanResult.parse({ resultsDir: earlier, exitCode: 0 });
    const resume = engine.resumes ? earlier : undefined;
    const tail: string[] = [];
    const ended = await runEngineProcess({
      command: engine.command(configFile(scanId), resume, inside),
      pidFile: pidPath(engine.workspace, scanId),
      silentAtMostMs: engine.silentAtMostMs,
      signal: context.signal,
      heard(line) {
        tail.push(line);
        tail.splice(0, tail.length - TAIL_LINES);
        context.progress({ tail: [...tail] });
      },
    });
    context.signal.throwIfAborted();
    if (ended.code === 0) {
      const resultsDir = await findResults(engine.workspace, scanId);
      if (!resultsDir) throw new Failure('internal', 'NO_RESULTS', 'The engine ended well, but left no results.');
      await removeInputs(engine.workspace, scanId);
      return scanResult.parse({ resultsDir, exitCode: 0 });
    }
    // Killed from outside: not its own failure.
    if (ended.code === null && engine.resumes && restarts < MOST_RESTARTS) continue;
    const errors = tail.filter((line) => line.startsWith('Error: ')).join('\n');
    const hung = ended.hung && `The engine was silent for ${engine.silentAtMostMs / 60_000} minutes, and was ended.`;
    const said = hung || ended.stderr.trim() || errors || `The engine ended with ${ended.signal ?? ended.code}.`;
    context.progress({ tail: [...tail], exitCode: exitCodeOf(ended) });
    throw new Failure('site_failed', 'ENGINE_FAILED', said);
  }
}

/** As Python's `poll()` says it: the signal, negative, where it was killed. */
function exitCodeOf({ code, signal }: Ended): number {
  return code ?? -(signal === null ? 0 : constants.signals[signal]);
}
