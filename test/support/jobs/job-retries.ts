import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { waitLimitMs } from '../vitest/limits.ts';

/**
 * Makes each retry of a job in this home folder due at once until it is disposed. A job whose environment fails is tried
 * again after 2, 4, 8 and 16 seconds; `src/platform/jobs/` tests these delays.
 */
export function skipRetryDelays(home: string): Disposable {
  const database = new DatabaseSync(join(home, 'assay.db'), { timeout: waitLimitMs });
  const skip = database.prepare("update jobs set lease_until = 0 where state = 'queued' and attempts > 0");
  const timer = setInterval(() => skip.run(), 100);
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      database.close();
    },
  };
}
