import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../errors.ts';

/**
 * Holds a lock file for as long as the result is not disposed of. The lock is the operating system's, through SQLite, so
 * that it ends with the process that held it: no lock is ever left behind to be judged by its age. `what` names the thing
 * that is locked, for the error after `patienceMs`.
 */
export async function acquireFileLock(
  file: string,
  what: string,
  { signal, patienceMs = 10_000 }: { signal?: AbortSignal; patienceMs?: number } = {},
): Promise<Disposable> {
  const until = Date.now() + patienceMs;
  for (let wait = 2; ; wait = Math.min(wait * 2, 50)) {
    signal?.throwIfAborted();
    const held = tryLock(file);
    if (held) return held;
    if (Date.now() > until)
      throw new Failure('unavailable', 'ETIMEDOUT', `Another process has been writing ${what} for too long; try again`);
    await pause(wait, undefined, signal && { signal });
  }
}

function tryLock(file: string): Disposable | undefined {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    return { [Symbol.dispose]: () => database.close() };
  } catch (error) {
    database.close();
    if (error instanceof Error && /locked|busy/.test(error.message)) return undefined;
    throw error;
  }
}
