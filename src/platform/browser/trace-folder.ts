import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { makeHomeFolder } from '../files/files.ts';

const DAY_MS = 24 * 60 * 60_000;

/**
 * A new folder for what a browser writes while it is used: traces, for example, which hold all that was entered. It lies in
 * the home folder, where nobody else may look, and not in that for passing things. What a process that was killed has left
 * there is cleared away by the next one.
 */
export async function createTraceFolder(home: string): Promise<string> {
  const all = join(home, 'traces');
  const own = join(all, processFolderName());
  for (const name of await readdir(all).catch(() => []))
    if (await isAbandoned(all, name)) await rm(join(all, name), { recursive: true, force: true });
  await makeHomeFolder(all);
  // Both in one go: whoever removes the last folder of this process removes the one around it, too.
  mkdirSync(own, { recursive: true, mode: 0o700 });
  return mkdtempSync(join(own, 'browser-'));
}

/**
 * With the folder of this process, once nothing else is in it. Where somebody still writes to it, as a browser does that is
 * just being killed, it goes as soon as it can; what stays even so is cleared away by the next process.
 */
export function removeTraceFolder(folder: string | undefined): void {
  if (folder === undefined) return;
  try {
    rmSync(folder, { recursive: true, force: true });
    removeIfEmpty(dirname(folder));
  } catch {
    rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }).then(
      () => removeIfEmpty(dirname(folder)),
      () => {},
    );
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Another browser of this process uses it.
  }
}

/** What a trace of this name has left in the folders of this process: it stays there for as long as its browser does. */
export async function removeTrace(home: string, name: string): Promise<void> {
  const own = join(home, 'traces', processFolderName());
  for (const path of await readdir(own, { recursive: true }).catch(() => []))
    if (basename(path).startsWith(name)) await rm(join(own, path), { force: true });
}

/** Who made it: a number of a process is given to others too, but not with the same beginning. */
function processFolderName(): string {
  return `${hostname()}-${process.pid}-${Math.round(performance.timeOrigin)}`;
}

async function isAbandoned(all: string, name: string): Promise<boolean> {
  if (name === processFolderName()) return false;
  const [, host, pid] = /^(.*)-(\d+)-\d+$/.exec(name) ?? [];
  if (host === hostname()) return Number(pid) === process.pid || !isAlive(Number(pid));
  // Of the processes of another machine nothing is known, but that none uses a browser for so long.
  const changed = await stat(join(all, name)).catch(() => undefined);
  return changed !== undefined && Date.now() - changed.mtimeMs > DAY_MS;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
