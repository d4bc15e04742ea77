import { availableParallelism } from 'node:os';

/** Memory of one browser context with its page, rounded up. */
const BYTES_PER_WORKER = 300 * 1024 * 1024;
const MAX_WORKERS = 16;

/** Number of workers: limited by cores, memory and the amount of work. */
export function chooseWorkerCount(work: number, wanted?: number): number {
  const byMemory = Math.max(1, Math.floor(process.availableMemory() / BYTES_PER_WORKER));
  const most = Math.min(wanted ?? availableParallelism(), byMemory, MAX_WORKERS);
  return Math.max(1, Math.min(most, work));
}

/**
 * Processes items in order with several workers; items with the same turn never overlap. An error stops
 * everything, so callers catch errors that concern one item only.
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
  // Waits for all workers, so that no work is left when this returns.
  const ended = await Promise.allSettled(Array.from({ length: workers }, worker));
  signal.throwIfAborted();
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}
