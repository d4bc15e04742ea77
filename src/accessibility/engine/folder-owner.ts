import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Makes this process the only engine on a results folder. An engine that is still at it belongs to a worker that was taken
 * for dead and lost its job, so it is ended: two of them would scan pages twice.
 */
export async function ownFolder(dir: string): Promise<void> {
  const path = join(dir, 'engine.pid');
  const other = Number(await readFile(path, 'utf8').catch(() => ''));
  while (other > 0 && other !== process.pid && (await isEngine(other))) {
    process.kill(other, 'SIGKILL');
    await pause(20);
  }
  await writeFile(path, String(process.pid));
}

/** A number may have been given to another program since; only where the system tells what it is, it is believed. */
async function isEngine(pid: number): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.split('\0').includes('scan-engine');
}
