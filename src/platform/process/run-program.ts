import { spawn } from 'node:child_process';
import { killProcessTree } from './process-tree.ts';

export interface ProgramResult {
  code: number | null;
  stdout: Buffer;
  stderr: string;
}

interface RunProgramOptions {
  cwd?: string | undefined;
  env?: NodeJS.ProcessEnv;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  /** Ends the program and rejects when it prints more. */
  maxOutputBytes?: number | undefined;
}

/** A program was ended because it ran for too long or printed too much. */
export class ProgramLimitError extends Error {
  readonly limit: 'time' | 'output';

  constructor(limit: 'time' | 'output', message: string) {
    super(message);
    this.name = 'ProgramLimitError';
    this.limit = limit;
  }
}

/**
 * Runs a program with an argument array (no shell) to its end and returns its output. A non-zero exit code is a result,
 * not an error. Rejects with the system error when the program cannot be started, with `ProgramLimitError` at a limit,
 * and with the signal's reason on cancellation; in the last two cases it ends the whole process tree first.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  options: RunProgramOptions = {},
): Promise<ProgramResult> {
  const { signal, timeoutMs = 30_000, maxOutputBytes = 256 * 1024 * 1024 } = options;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A separate process group, so that the whole tree can be ended.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const out: Buffer[] = [];
    let outBytes = 0;
    let err = '';
    let isEnding = false;
    const timer = setTimeout(
      () => end(new ProgramLimitError('time', `${program} took longer than ${timeoutMs} ms`)),
      timeoutMs,
    );
    const cancel = () => end(signal?.reason);
    signal?.addEventListener('abort', cancel, { once: true });

    function settle(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    }

    function end(reason: unknown): void {
      if (isEnding) return;
      isEnding = true;
      settle();
      child.stdout.destroy();
      child.stderr.destroy();
      const ended = child.pid === undefined ? Promise.resolve() : killProcessTree(child.pid);
      void ended.then(() => reject(reason));
    }

    child.stdout.on('data', (chunk: Buffer) => {
      outBytes += chunk.length;
      if (outBytes <= maxOutputBytes) out.push(chunk);
      else end(new ProgramLimitError('output', `${program} printed more than ${maxOutputBytes} bytes`));
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (err.length < 10_000) err += chunk.toString('utf8');
    });
    child.on('error', (error) => {
      settle();
      reject(error);
    });
    child.on('close', (code) => {
      if (isEnding) return;
      settle();
      resolve({ code, stdout: Buffer.concat(out), stderr: err });
    });
  });
}
