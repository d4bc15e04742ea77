import type { ServerContext } from '@modelcontextprotocol/server';

/** Frequent enough for a progress bar, and rare enough to cost nothing. */
const SHORTEST_INTERVAL_MS = 100;
/**
 * The clients of SDK 1 and 2 drop a notification that they read in one chunk with the response: they remove the listener of a
 * call before they deliver what came in front of its response. No event tells that a notification was read, and a later turn
 * of the event loop is not enough (docs/decisions/11-own-stdio-transport.md).
 */
const GAP_BEFORE_RESPONSE_MS = 10;

interface ProgressReporter {
  report(done: number, total?: number, message?: string): void;
  /** Resolves when all reports are sent, and the response may follow. */
  settled(): Promise<void>;
}

/**
 * Sends progress to a client with a progress token, never backwards, at most ten times a second. The first and the last
 * report are always sent.
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
    // A disconnected client gets nothing more; its call is being cancelled anyway.
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
      const gap = sentAt + GAP_BEFORE_RESPONSE_MS - performance.now();
      if (gap > 0) await new Promise((resolve) => setTimeout(resolve, gap));
    },
  };
}
