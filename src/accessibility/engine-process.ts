import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure, systemReason } from '../platform/errors.ts';
import { type ProcessTree, trackProcessTree } from '../platform/process/process-tree.ts';
import type { ScanEngine } from './scan-engine.ts';

const STDERR_CHARACTERS = 20_000;
const LINE_CHARACTERS = 4000;
/** An engine that is told to stop has so long to end well. What it has written down by then is kept either way. */
export const STOP_GRACE_MS = 1000;
const KILL_GRACE_MS = 500;

export interface EngineRun {
  command: ReturnType<ScanEngine['command']>;
  /** Where the number of the process is kept while it runs. */
  pidFile: string;
  maxSilenceMs: number;
  signal: AbortSignal;
  onLine(line: string): void;
}

export interface EngineExit {
  /** Null where it was killed. */
  code: number | null;
  /** What it was killed with. */
  signal: NodeJS.Signals | null;
  /** It said nothing for too long, and was ended. */
  isHung: boolean;
  stderr: string;
}

/** Runs an engine to its end, as the only one on its scan, with all that it starts in a process group of its own. */
export async function runEngineProcess(run: EngineRun): Promise<EngineExit> {
  const { program, args, cwd, env } = run.command;
  await killPreviousEngine(run.pidFile, args);
  run.signal.throwIfAborted();
  // Its stdin is held open and never written to: an engine of ours ends when it is closed, so it never outlives us.
  const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  try {
    const ended = waitForExit(child, run);
    if (child.pid !== undefined) await writeFile(run.pidFile, String(child.pid)).catch(abandonEngine(child, ended));
    return await ended;
  } finally {
    // Whoever took the scan over has written its own.
    const noted = await readFile(run.pidFile, 'utf8').catch(() => '');
    if (noted === String(child.pid)) await rm(run.pidFile, { force: true });
  }
}

/** Without its number written down a second engine could be set on the same scan. */
function abandonEngine(child: ChildProcess, ended: Promise<EngineExit>): (error: unknown) => Promise<never> {
  return async (error) => {
    signalGroup(child, 'SIGKILL');
    await ended.catch(() => {});
    const message = `Failed to start CWAC process: its number cannot be written down: ${systemReason(error)}`;
    throw new Failure('unavailable', 'ENGINE_NOT_STARTED', message, {}, { cause: error });
  };
}

function waitForExit(child: ChildProcessByStdio<Writable, Readable, Readable>, run: EngineRun): Promise<EngineExit> {
  return new Promise((resolve, reject) => {
    let partial = '';
    let stderr = '';
    let isHung = false;
    let killTimer: NodeJS.Timeout | undefined;
    const family = trackProcessTree(child.pid ?? 0);
    const watchdog = setTimeout(() => {
      isHung = true;
      killFamily(family, child);
    }, run.maxSilenceMs);
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      watchdog.refresh();
      const lines = (partial + chunk).split(/\r?\n/);
      partial = lines.pop()?.slice(-LINE_CHARACTERS) ?? '';
      for (const line of lines) run.onLine(line.slice(-LINE_CHARACTERS));
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr = (stderr + chunk).slice(-STDERR_CHARACTERS);
    });
    const stop = () => {
      // Browsers are in groups of their own, and nobody's children any more once the engine has ended.
      if (child.pid !== undefined) family.refresh();
      signalGroup(child, 'SIGTERM');
      killTimer = setTimeout(() => killFamily(family, child), STOP_GRACE_MS);
    };
    run.signal.addEventListener('abort', stop, { once: true });
    child.on('error', (error) => {
      clearTimeout(watchdog);
      clearTimeout(killTimer);
      reject(new Failure('unavailable', 'ENGINE_NOT_STARTED', `Failed to start CWAC process: ${error.message}`));
    });
    child.on('close', (code, signal) => {
      clearTimeout(watchdog);
      clearTimeout(killTimer);
      run.signal.removeEventListener('abort', stop);
      if (partial) run.onLine(partial);
      // Browsers that it has left behind go with it.
      signalGroup(child, 'SIGKILL');
      family.kill();
      void family.waitForExit(KILL_GRACE_MS).then(() => resolve({ code, signal, isHung, stderr }));
    });
    if (run.signal.aborted) stop();
  });
}

function killFamily(family: ProcessTree, child: ChildProcess): void {
  if (child.pid !== undefined) family.refresh();
  signalGroup(child, 'SIGKILL');
  family.kill();
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody of the group is left.
  }
}

/**
 * An engine that is still at this scan belongs to a worker that died or was taken for dead, and lost its job: two of them
 * would scan pages twice. Its number may have been given to another program since, so what runs under it is looked at.
 */
async function killPreviousEngine(pidFile: string, args: readonly string[]): Promise<void> {
  const pid = Number(await readFile(pidFile, 'utf8').catch(() => ''));
  while (pid > 1 && (await isEngineOfScan(pid, args))) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      return;
    }
    await pause(20);
  }
}

async function isEngineOfScan(pid: number, args: readonly string[]): Promise<boolean> {
  const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
  // The name of its config is this scan's alone.
  const config = args.find((arg) => arg.startsWith('mcp_'));
  return config !== undefined && command.includes(config);
}
