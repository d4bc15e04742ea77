import { spawn } from 'node:child_process';

export interface Finished {
  code: number | null;
  stdout: Buffer;
  stderr: string;
}

interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  signal?: AbortSignal;
  timeoutMs?: number;
  /** More output than this ends the child and rejects. */
  maxOutputBytes?: number;
}

/**
 * Runs a program with an argument array (no shell) to its end and hands back what it printed. A non-zero exit code is an
 * answer, not an error; not starting, the time limit, too much output and cancellation reject.
 */
export function runProgram(program: string, args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  const { timeoutMs = 30_000, maxOutputBytes = 256 * 1024 * 1024 } = options;
  const limit = AbortSignal.timeout(timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
    });
    const out: Buffer[] = [];
    let outBytes = 0;
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => {
      outBytes += chunk.length;
      if (outBytes > maxOutputBytes) {
        child.kill('SIGKILL');
        reject(new Error(`${program} printed more than ${maxOutputBytes} bytes`));
      } else out.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (err.length < 10_000) err += chunk.toString('utf8');
    });
    child.on('error', (error) => {
      reject(limit.aborted ? new Error(`${program} took longer than ${timeoutMs} ms`, { cause: error }) : error);
    });
    child.on('close', (code) => resolve({ code, stdout: Buffer.concat(out), stderr: err }));
  });
}
