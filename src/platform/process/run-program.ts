import { spawn } from 'node:child_process';
import { readProcessMemory } from './process-memory.ts';
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
  /** Ends the program and rejects when it uses more memory. Its children are not counted. Default: no limit. */
  maxMemoryBytes?: number | undefined;
}

type ProgramLimit = 'time' | 'output' | 'memory';

/** How often the memory of a program is read. Git fills about 2 GB per second from an endless file. */
const MEMORY_INTERVAL_MS = 50;

/** A program was ended because it ran for too long, printed too much or used too much memory. */
export class ProgramLimitError extends Error {
  readonly limit: ProgramLimit;

  constructor(limit: ProgramLimit, message: string) {
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
  const { signal, timeoutMs = 30_000, maxOutputBytes = 256 * 1024 * 1024, maxMemoryBytes } = options;
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
    const memoryTimer = maxMemoryBytes === undefined ? undefined : setInterval(checkMemory, MEMORY_INTERVAL_MS);
    const cancel = () => end(signal?.reason);
    signal?.addEventListener('abort', cancel, { once: true });

    function settle(): void {
      clearTimeout(timer);
      clearInterval(memoryTimer);
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

    async function checkMemory(): Promise<void> {
      const bytes = child.pid === undefined ? undefined : await readProcessMemory(child.pid);
      if (bytes === undefined || maxMemoryBytes === undefined || bytes <= maxMemoryBytes) return;
      end(new ProgramLimitError('memory', `${program} used more than ${maxMemoryBytes} bytes of memory`));
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
