import type { ServerContext } from '@modelcontextprotocol/server';

/** Often enough for a moving bar, seldom enough that reporting costs nothing. */
const SHORTEST_INTERVAL_MS = 100;

interface ProgressReporter {
  report(done: number, total?: number, message?: string): void;
  /** Everything that was reported is on the wire. */
  settled(): Promise<void>;
}

/**
 * Sends progress only to a client that asked for it, never backwards, at most ten times a second; the first report and
 * the last one always arrive.
 */
export function createProgressReporter(context: ServerContext): ProgressReporter {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { report: () => {}, settled: async () => {} };

  let reached = Number.NEGATIVE_INFINITY;
  let sentAt = Number.NEGATIVE_INFINITY;
  let waiting: { progress: number; total?: number; message?: string } | undefined;
  let sending: Promise<void> = Promise.resolve();

  const send = () => {
    if (!waiting) return;
    const params = { progressToken, ...waiting };
    waiting = undefined;
    sentAt = performance.now();
    // A client that has gone away is told nothing more; its call is being cancelled anyway.
    sending = sending.then(() => context.mcpReq.notify({ method: 'notifications/progress', params })).catch(() => {});
  };
  return {
    report(done, total, message) {
      if (done <= reached) return;
      reached = done;
      waiting = { progress: done, ...(total !== undefined && { total }), ...(message !== undefined && { message }) };
      if (performance.now() - sentAt >= SHORTEST_INTERVAL_MS) send();
    },
    async settled() {
      send();
      await sending;
    },
  };
}
