import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { makeHomeFolder } from '../files/files.ts';

const DAY_MS = 24 * 60 * 60_000;

/**
 * Creates a folder for files that a browser writes, such as traces, which contain every value that was entered. It is in the
 * data folder, which only its owner can read, and not in the temporary folder. Folders of killed processes are removed here.
 */
export async function createTraceFolder(home: string): Promise<string> {
  const all = join(home, 'traces');
  const own = join(all, processFolderName());
  for (const name of await readdir(all).catch(() => []))
    if (await isAbandoned(all, name)) await rm(join(all, name), { recursive: true, force: true });
  await makeHomeFolder(all);
  // Synchronous, because removing the last folder of this process also removes its parent.
  mkdirSync(own, { recursive: true, mode: 0o700 });
  return mkdtempSync(join(own, 'browser-'));
}

/**
 * Removes a trace folder, and the folder of this process once that is empty. A browser that is being killed may still write
 * to it; then removal is retried in the background, and the next process removes what is left.
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

/** Removes the files of one trace, which would otherwise stay as long as their browser runs. */
export async function removeTrace(home: string, name: string): Promise<void> {
  const own = join(home, 'traces', processFolderName());
  for (const path of await readdir(own, { recursive: true }).catch(() => []))
    if (basename(path).startsWith(name)) await rm(join(own, path), { force: true });
}

/** Names this process. Process ids are reused, but not with the same start time. */
function processFolderName(): string {
  return `${hostname()}-${process.pid}-${Math.round(performance.timeOrigin)}`;
}

async function isAbandoned(all: string, name: string): Promise<boolean> {
  if (name === processFolderName()) return false;
  const [, host, pid] = /^(.*)-(\d+)-\d+$/.exec(name) ?? [];
  if (host === hostname()) return Number(pid) === process.pid || !isAlive(Number(pid));
  // Processes of another machine cannot be checked, but none uses a browser for this long.
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
