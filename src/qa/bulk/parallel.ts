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

/** Processes items in order with several workers. An error stops everything, so callers catch errors that concern one item only. */
export async function runInParallel<Item>(
  items: readonly Item[],
  workers: number,
  signal: AbortSignal,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      signal.throwIfAborted();
      await work(item);
    }
  };
  // Waits for all workers, so that no work is left when this returns.
  const ended = await Promise.allSettled(Array.from({ length: workers }, worker));
  signal.throwIfAborted();
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

/** Groups items of the same turn, which must not be processed at a time, in the order of the first of each group. */
export function groupByTurn<Item>(
  items: readonly Item[],
  turnOf: (item: Item) => string | undefined,
): [Item, ...Item[]][] {
  const groups: [Item, ...Item[]][] = [];
  const byTurn = new Map<string, Item[]>();
  for (const item of items) {
    const turn = turnOf(item);
    const known = turn === undefined ? undefined : byTurn.get(turn);
    if (known) {
      known.push(item);
      continue;
    }
    const group: [Item, ...Item[]] = [item];
    groups.push(group);
    if (turn !== undefined) byTurn.set(turn, group);
  }
  return groups;
}
