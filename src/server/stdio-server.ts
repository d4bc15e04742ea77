import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import type { Logger } from '../platform/log.ts';
import { createLineTransport } from './line-transport.ts';

/** Fits a QA document of 10 MiB as base64. */
const LARGEST_OVER_STDIO = 16 * 1024 * 1024;

export interface RunningStdioServer {
  /** Resolves when the client disconnects or `close` is called. */
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
  // The SDK has set `onclose`, so this handler wraps it.
  const sdkOnClose = transport.onclose;
  transport.onclose = () => {
    sdkOnClose?.();
    resolve();
  };
  return { closed, close: () => started.close() };
}
