import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure, systemReason } from '../platform/errors.ts';
import { type ProcessTree, trackProcessTree } from '../platform/process/process-tree.ts';
import type { ScanEngine } from './scan-engine.ts';

const STDERR_CHARACTERS = 20_000;
const LINE_CHARACTERS = 4000;
/** Time that an engine gets to stop before it is killed. Its results so far are kept either way. */
export const STOP_GRACE_MS = 1000;
const KILL_GRACE_MS = 500;

type EngineChild = ChildProcessByStdio<Writable, Readable, Readable>;

export interface EngineRun {
  command: ReturnType<ScanEngine['command']>;
  /** File that contains the process id while the engine runs. */
  pidFile: string;
  maxSilenceMs: number;
  signal: AbortSignal;
  onLine(line: string): void;
  /** For an engine that talks to the process that started it. */
  onMessage?(message: unknown, answer: (message: object) => void): void;
}

export interface EngineExit {
  /** Null when the process was killed. */
  code: number | null;
  /** The signal that killed it. */
  signal: NodeJS.Signals | null;
  /** It printed nothing for `maxSilenceMs` and was killed. */
  isHung: boolean;
  stderr: string;
}

/** Runs an engine until it exits, in its own process group. An earlier engine of the same scan is killed first. */
export async function runEngineProcess(run: EngineRun): Promise<EngineExit> {
  const { program, args, cwd, env } = run.command;
  await killPreviousEngine(run.pidFile, args);
  run.signal.throwIfAborted();
  // stdin stays open and unused: the native engine exits when it closes, so it never outlives this process.
  const { onMessage } = run;
  const stdio = onMessage ? (['pipe', 'pipe', 'pipe', 'ipc'] as const) : (['pipe', 'pipe', 'pipe'] as const);
  // The type of `spawn` does not know that a channel leaves the streams as they are.
  const child = spawn(program, args, { cwd, env, stdio: [...stdio], detached: true }) as EngineChild;
  const answer = (message: object) => void (child.connected && child.send(message));
  if (onMessage) child.on('message', (message) => onMessage(message, answer));
  try {
    const ended = waitForExit(child, run);
    if (child.pid !== undefined) await writeFile(run.pidFile, String(child.pid)).catch(abandonEngine(child, ended));
    return await ended;
  } finally {
    // Another worker that took over the scan has written its own process id; that one must stay.
    const noted = await readFile(run.pidFile, 'utf8').catch(() => '');
    if (noted === String(child.pid)) await rm(run.pidFile, { force: true });
  }
}

/** Kills an engine whose process id cannot be stored: a second engine could otherwise start on the same scan. */
function abandonEngine(child: ChildProcess, ended: Promise<EngineExit>): (error: unknown) => Promise<never> {
  return async (error) => {
    signalGroup(child, 'SIGKILL');
    await ended.catch(() => {});
    const message = `Failed to start CWAC process: its process id cannot be stored: ${systemReason(error)}`;
    throw new Failure('unavailable', 'ENGINE_NOT_STARTED', message, {}, { cause: error });
  };
}

function waitForExit(child: EngineChild, run: EngineRun): Promise<EngineExit> {
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
      // Browsers have their own process groups and lose their parent when the engine exits, so they are listed now.
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
      // Kills browsers that the engine has left running.
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
    // The group has no process left.
  }
}

/**
 * Kills an engine that a dead worker, or one presumed dead, has left running on this scan: two engines would scan pages twice.
 * The process id may have been reused, so the command line is checked first.
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
  // The name of the config is unique to the scan.
  const config = args.find((arg) => arg.startsWith('mcp_'));
  return config !== undefined && command.includes(config);
}
