import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure, systemReason } from '../platform/errors.ts';
import { type ProcessTree, trackProcessTree } from '../platform/process/process-tree.ts';
import type { Engine } from './engines.ts';

const STDERR_CHARACTERS = 20_000;
const LINE_CHARACTERS = 4000;
/** An engine that is told to stop has so long to end well. What it has written down by then is kept either way. */
export const ENDS_WITHIN_MS = 1000;
const GONE_WITHIN_MS = 500;

export interface EngineRun {
  command: ReturnType<Engine['command']>;
  /** Where the number of the process is kept while it runs. */
  pidFile: string;
  silentAtMostMs: number;
  signal: AbortSignal;
  heard(line: string): void;
}

export interface Ended {
  /** Null where it was killed. */
  code: number | null;
  /** What it was killed with. */
  signal: NodeJS.Signals | null;
  /** It said nothing for too long, and was ended. */
  hung: boolean;
  stderr: string;
}

/** Runs an engine to its end, as the only one on its scan, with all that it starts in a process group of its own. */
export async function runEngineProcess(run: EngineRun): Promise<Ended> {
  const { program, args, cwd, env } = run.command;
  await endEarlier(run.pidFile, args);
  run.signal.throwIfAborted();
  // Its stdin is held open and never written to: an engine of ours ends when it is closed, so it never outlives us.
  const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  try {
    const ended = attend(child, run);
    if (child.pid !== undefined) await writeFile(run.pidFile, String(child.pid)).catch(giveUp(child, ended));
    return await ended;
  } finally {
    // Whoever took the scan over has written its own.
    const noted = await readFile(run.pidFile, 'utf8').catch(() => '');
    if (noted === String(child.pid)) await rm(run.pidFile, { force: true });
  }
}

/** Without its number written down a second engine could be set on the same scan. */
function giveUp(child: ChildProcess, ended: Promise<Ended>): (error: unknown) => Promise<never> {
  return async (error) => {
    killAll(child, 'SIGKILL');
    await ended.catch(() => {});
    const message = `Failed to start CWAC process: its number cannot be written down: ${systemReason(error)}`;
    throw new Failure('unavailable', 'ENGINE_NOT_STARTED', message, {}, { cause: error });
  };
}

function attend(child: ChildProcessByStdio<Writable, Readable, Readable>, run: EngineRun): Promise<Ended> {
  return new Promise((resolve, reject) => {
    let partial = '';
    let stderr = '';
    let hung = false;
    let patience: NodeJS.Timeout | undefined;
    const family = trackProcessTree(child.pid ?? 0);
    const watchdog = setTimeout(() => {
      hung = true;
      killWith(family, child);
    }, run.silentAtMostMs);
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      watchdog.refresh();
      const lines = (partial + chunk).split(/\r?\n/);
      partial = lines.pop()?.slice(-LINE_CHARACTERS) ?? '';
      for (const line of lines) run.heard(line.slice(-LINE_CHARACTERS));
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr = (stderr + chunk).slice(-STDERR_CHARACTERS);
    });
    const stop = () => {
      // Browsers are in groups of their own, and nobody's children any more once the engine has ended.
      if (child.pid !== undefined) family.refresh();
      killAll(child, 'SIGTERM');
      patience = setTimeout(() => killWith(family, child), ENDS_WITHIN_MS);
    };
    run.signal.addEventListener('abort', stop, { once: true });
    child.on('error', (error) => {
      clearTimeout(watchdog);
      clearTimeout(patience);
      reject(new Failure('unavailable', 'ENGINE_NOT_STARTED', `Failed to start CWAC process: ${error.message}`));
    });
    child.on('close', (code, signal) => {
      clearTimeout(watchdog);
      clearTimeout(patience);
      run.signal.removeEventListener('abort', stop);
      if (partial) run.heard(partial);
      // Browsers that it has left behind go with it.
      killAll(child, 'SIGKILL');
      family.kill();
      void family.waitForExit(GONE_WITHIN_MS).then(() => resolve({ code, signal, hung, stderr }));
    });
    if (run.signal.aborted) stop();
  });
}

function killWith(family: ProcessTree, child: ChildProcess): void {
  if (child.pid !== undefined) family.refresh();
  killAll(child, 'SIGKILL');
  family.kill();
}

function killAll({ pid }: ChildProcess, signal: NodeJS.Signals): void {
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
async function endEarlier(pidFile: string, args: readonly string[]): Promise<void> {
  const pid = Number(await readFile(pidFile, 'utf8').catch(() => ''));
  while (pid > 1 && (await isRunning(pid, args))) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      return;
    }
    await pause(20);
  }
}

async function isRunning(pid: number, args: readonly string[]): Promise<boolean> {
  const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
  // The name of its config is this scan's alone.
  const config = args.find((arg) => arg.startsWith('mcp_'));
  return config !== undefined && command.includes(config);
}
