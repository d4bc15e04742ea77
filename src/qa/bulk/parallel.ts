import { availableParallelism } from 'node:os';

/** What a context with its page takes, generously. */
const BYTES_PER_WORKER = 300 * 1024 * 1024;
const MAX_WORKERS = 16;

/** As many as there are cores, as far as the memory goes, and no more than there is to do. */
export function chooseWorkerCount(work: number, wanted?: number): number {
  const byMemory = Math.max(1, Math.floor(process.availableMemory() / BYTES_PER_WORKER));
  const most = Math.min(wanted ?? availableParallelism(), byMemory, MAX_WORKERS);
  return Math.max(1, Math.min(most, work));
}

/**
 * Does the work in order, several at a time; where two have the same turn, one after the other. What one throws stops it
 * all: workers catch what concerns only them.
 */
export async function runInParallel<Item>(
  items: readonly Item[],
  workers: number,
  signal: AbortSignal,
  work: (item: Item) => Promise<void>,
  turnOf: (item: Item) => string | undefined = () => undefined,
): Promise<void> {
  const waiting = [...items];
  const underWay = new Map<string, Promise<void>>();
  const worker = async () => {
    while (waiting.length > 0) {
      signal.throwIfAborted();
      const free = waiting.findIndex((item) => !underWay.has(turnOf(item) ?? ''));
      const [item] = free < 0 ? [] : waiting.splice(free, 1);
      if (item === undefined) {
        await Promise.allSettled([Promise.race(underWay.values())]);
        continue;
      }
      const turn = turnOf(item);
      const done = work(item);
      if (turn !== undefined) underWay.set(turn, done);
      try {
        await done;
      } finally {
        if (turn !== undefined) underWay.delete(turn);
      }
    }
  };
  // All are waited for, so that nothing is under way any more when this ends.
  const ended = await Promise.allSettled(Array.from({ length: workers }, worker));
  signal.throwIfAborted();
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}
