import { spawn } from 'node:child_process';
import * as z from 'zod';
import { Failure } from '../platform/errors.ts';
import type { JobContext, JobHandler } from '../platform/jobs/worker.ts';
import type { Engine } from './engines.ts';
import { configFile, findResults, removeInputs } from './workspace.ts';

/** What a scan job is told, reports and leaves, as it stands in the store. */
export const scanPayload = z.object({
  scanId: z.string(),
  auditName: z.string(),
  warnings: z.array(z.string()),
  /** The addresses of the inside that may be visited; null for all. */
  inside: z.array(z.string()).nullable(),
});
export const scanProgress = z.object({ tail: z.array(z.string()) });
export const scanResult = z.object({ resultsDir: z.string(), exitCode: z.number() });

export const SCAN_JOB = 'accessibility.scan';

const TAIL_LINES = 20;
const STDERR_CHARACTERS = 20_000;
const ENDS_WITHIN_MS = 1500;
const MOST_RESTARTS = 3;

/** Runs the engine to its end. An engine that was killed goes on where it was, if it can. */
export function scanHandler(chosen: () => Engine): JobHandler {
  return async (job, context) => {
    const engine = chosen();
    const { scanId, inside } = scanPayload.parse(job.payload);
    for (let restarts = 0; ; restarts++) {
      const resume = engine.resumes ? await findResults(engine.workspace, scanId) : undefined;
      const ended = await runEngine(engine.command(configFile(scanId), resume, inside), context);
      context.signal.throwIfAborted();
      if (ended.code === 0) {
        const resultsDir = await findResults(engine.workspace, scanId);
        if (!resultsDir) throw new Failure('internal', 'NO_RESULTS', 'The engine ended well, but left no results.');
        await removeInputs(engine.workspace, scanId);
        return scanResult.parse({ resultsDir, exitCode: 0 });
      }
      // Killed from outside: not its own failure.
      if (ended.code === null && engine.resumes && restarts < MOST_RESTARTS) continue;
      throw new Failure('site_failed', 'ENGINE_FAILED', ended.stderr.trim() || `The engine ended with ${ended.code}.`, {
        exitCode: ended.code,
      });
    }
  };
}

interface Ended {
  /** Null where it was killed. */
  code: number | null;
  stderr: string;
}

function runEngine({ program, args, cwd, env }: ReturnType<Engine['command']>, context: JobContext): Promise<Ended> {
  return new Promise((resolve, reject) => {
    // Its stdin is held open and never written to: an engine of ours ends when it is closed, so it never outlives us.
    const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    const tail: string[] = [];
    let partial = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      const lines = (partial + chunk.toString('utf8')).split(/\r?\n/);
      partial = lines.pop() ?? '';
      tail.push(...lines);
      tail.splice(0, tail.length - TAIL_LINES);
      context.progress({ tail: [...tail] });
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString('utf8')).slice(-STDERR_CHARACTERS);
    });
    const stop = () => {
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN_MS).unref();
    };
    context.signal.addEventListener('abort', stop, { once: true });
    child.on('error', (error) =>
      reject(new Failure('unavailable', 'ENGINE_NOT_STARTED', `Failed to start CWAC process: ${error.message}`)),
    );
    child.on('close', (code) => {
      context.signal.removeEventListener('abort', stop);
      resolve({ code, stderr });
    });
    if (context.signal.aborted) stop();
  });
}
