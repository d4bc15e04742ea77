import { spawn } from 'node:child_process';
import * as z from 'zod';
import { Failure } from '../platform/errors.ts';
import type { JobContext, JobHandler } from '../platform/jobs/worker.ts';
import type { Json } from '../platform/json.ts';
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
    try {
      return await runToTheEnd(engine, scanId, inside, context);
    } catch (error) {
      // A worker that stops gives the job back, and whoever takes it needs the inputs.
      const isGivenBack = context.signal.aborted && String(context.signal.reason) !== 'Error: cancelled';
      if (!isGivenBack) await removeInputs(engine.workspace, scanId);
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
    const said = ended.stderr.trim() || ended.errors.join('\n') || `The engine ended with ${ended.code}.`;
    throw new Failure('site_failed', 'ENGINE_FAILED', said, {
      exitCode: ended.code,
    });
  }
}

interface Ended {
  /** Null where it was killed. */
  code: number | null;
  stderr: string;
  /** What it said on stdout about its own failure. */
  errors: string[];
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
      resolve({ code, stderr, errors: [...tail, partial].filter((line) => line.startsWith('Error: ')) });
    });
    if (context.signal.aborted) stop();
  });
}
