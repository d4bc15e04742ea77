import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../errors.ts';

/**
 * Locks a file until the result is disposed. The lock belongs to the operating system (through SQLite), so it ends with the
 * process and never becomes stale. `what` names the locked thing in the error that is thrown after `patienceMs`.
 */
export async function acquireFileLock(
  file: string,
  what: string,
  { signal, patienceMs = 10_000 }: { signal?: AbortSignal; patienceMs?: number } = {},
): Promise<Disposable> {
  const until = Date.now() + patienceMs;
  for (let wait = 2; ; wait = Math.min(wait * 2, 50)) {
    signal?.throwIfAborted();
    const lock = tryLock(file);
    if (lock) return lock;
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
