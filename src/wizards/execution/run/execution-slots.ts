/** How many executions run at the same time: in this process, and per site to limit its load. */
const MAX_AT_ONCE = 32;
const MAX_PER_HOST = 8;

interface QueuedExecution {
  host: string;
  start(): void;
}

export interface ExecutionSlots {
  /** Waits for a slot. An execution that hangs keeps its own slot until its time limit, and no other. */
  take(host: string, signal: AbortSignal): Promise<Disposable>;
}

export function createExecutionSlots({ atOnce = MAX_AT_ONCE, perHost = MAX_PER_HOST } = {}): ExecutionSlots {
  const working = new Map<string, number>();
  const queue: QueuedExecution[] = [];
  let total = 0;

  const hasCapacity = (host: string) => total < atOnce && (working.get(host) ?? 0) < perHost;

  function begin(host: string): Disposable {
    total++;
    working.set(host, (working.get(host) ?? 0) + 1);
    let ended = false;
    return {
      [Symbol.dispose]() {
        if (ended) return;
        ended = true;
        total--;
        const left = (working.get(host) ?? 1) - 1;
        if (left > 0) working.set(host, left);
        else working.delete(host);
        startNext();
      },
    };
  }

  function startNext(): void {
    const index = queue.findIndex(({ host }) => hasCapacity(host));
    if (index >= 0) queue.splice(index, 1)[0]?.start();
  }

  return {
    async take(host, signal) {
      signal.throwIfAborted();
      if (hasCapacity(host)) return begin(host);
      const { promise, resolve, reject } = Promise.withResolvers<Disposable>();
      const waiting: QueuedExecution = { host, start: () => resolve(begin(host)) };
      const giveUp = () => {
        const index = queue.indexOf(waiting);
        if (index >= 0) queue.splice(index, 1);
        reject(signal.reason);
      };
      queue.push(waiting);
      signal.addEventListener('abort', giveUp, { once: true });
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', giveUp);
      }
    },
  };
}
