import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import type { Logger } from '../platform/log.ts';
import { createLineTransport } from './line-transport.ts';

/** A document of 10 MiB for the QA toolset fits, as base64. The client at the other end is the user of this machine. */
const LARGEST_OVER_STDIO = 16 * 1024 * 1024;

export interface RunningStdioServer {
  /** Resolves when the client has gone, or `close` was called. */
  closed: Promise<void>;
  close(): Promise<void>;
}

/** Serves one client over this process's stdin and stdout. */
export function serveStdio(
  createServer: () => McpServer,
  log: Logger,
  largestMessageBytes = LARGEST_OVER_STDIO,
): RunningStdioServer {
  const transport = createLineTransport(process.stdin, process.stdout, largestMessageBytes);
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const started = serve(createServer, {
    transport,
    onerror: (error) => log.warn({ err: error }, 'protocol error'),
  });
  // The entry has taken `onclose` for itself by now, so ours goes around it.
  const theirs = transport.onclose;
  transport.onclose = () => {
    theirs?.();
    resolve();
  };
  return { closed, close: () => started.close() };
}
