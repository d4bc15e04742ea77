import { isUtf8 } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import {
  INVALID_REQUEST,
  type JSONRPCMessage,
  PARSE_ERROR,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { checkMessageLengths } from './message-lengths.ts';
import { createMessageScanner } from './message-scanner.ts';

const KEPT_OF_A_REFUSED_MESSAGE = 1024;
const ANSWERS_WITHIN_MS = 30_000;
const NEWLINE = 0x0a;

/**
 * Transports JSON-RPC messages, one per line, over a pair of streams. The SDK's transport drops a line that is not JSON
 * without an answer, and closes the connection on a line that is too long; this one answers both and continues. It refuses
 * messages that are too long, too deep or have too many values before parsing.
 */
export function createLineTransport(input: Readable, output: Writable, largestMessageBytes: number): Transport {
  let parts: Buffer[] = [];
  let partsBytes = 0;
  let scanner = createMessageScanner();
  let refused: { head: Buffer; tail: Buffer; bytes: number; limit: string } | undefined;
  let closed = false;
  /** Requests that are not answered yet. */
  const pending = new Set<unknown>();
  let whenAnswered: (() => void) | undefined;

  const transport: Transport = {
    async start() {
      input.on('data', read);
      input.on('error', fail);
      input.on('end', finish);
      input.on('close', finish);
      output.on('error', fail);
      if (input.readableEnded || input.destroyed) setImmediate(finish);
    },
    async send(message) {
      await write(message);
      if ('id' in message && !('method' in message)) pending.delete(message.id);
      if (pending.size === 0) whenAnswered?.();
    },
    async close() {
      close();
    },
  };

  function read(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      take(chunk.subarray(from, end));
      finishLine();
      from = end + 1;
    }
    if (from < chunk.length) take(chunk.subarray(from));
  }

  function take(part: Buffer): void {
    if (refused) {
      refused.bytes += part.length;
      refused.tail = Buffer.concat([refused.tail, part.subarray(-KEPT_OF_A_REFUSED_MESSAGE)]).subarray(
        -KEPT_OF_A_REFUSED_MESSAGE,
      );
      return;
    }
    parts.push(part);
    partsBytes += part.length;
    const limit =
      partsBytes > largestMessageBytes
        ? `a message may have at most ${largestMessageBytes} bytes (--max-message-bytes)`
        : scanner.scan(part);
    if (limit === undefined) return;
    const line = Buffer.concat(parts);
    refused = {
      head: Buffer.from(line.subarray(0, KEPT_OF_A_REFUSED_MESSAGE)),
      tail: Buffer.from(line.subarray(-KEPT_OF_A_REFUSED_MESSAGE)),
      bytes: partsBytes,
      limit,
    };
    parts = [];
    partsBytes = 0;
  }

  function finishLine(): void {
    scanner = createMessageScanner();
    if (refused) {
      const { head, tail, bytes, limit } = refused;
      refused = undefined;
      const problem = `Invalid Request: ${limit}; this one has ${bytes} bytes.`;
      answerError(refusedMessageId(head.toString('latin1'), tail.toString('latin1')), INVALID_REQUEST, problem);
      return;
    }
    const line = parts.length === 1 ? parts[0] : Buffer.concat(parts);
    parts = [];
    partsBytes = 0;
    // Decoding invalid UTF-8 is slow, and the protocol requires UTF-8.
    if (line && !isUtf8(line)) {
      answerError(null, PARSE_ERROR, 'Parse error: a line must be one JSON-RPC message in UTF-8.');
      return;
    }
    const text = line?.toString('utf8').trim();
    if (text) receive(text);
  }

  function receive(text: string): void {
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch (error) {
      const reason = error instanceof Error ? error.message : '';
      answerError(null, PARSE_ERROR, `Parse error: a line must be one JSON-RPC message. ${reason}`.slice(0, 300));
      return;
    }
    const exceeded = checkMessageLengths(json);
    if (exceeded) {
      const id = exceeded.startsWith('id ') ? null : messageId(json);
      answerError(id, INVALID_REQUEST, `Invalid Request: ${exceeded}.`);
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(json);
    } catch {
      const problem = Array.isArray(json) ? 'batches are not supported' : 'not a JSON-RPC 2.0 request or notification';
      answerError(messageId(json), INVALID_REQUEST, `Invalid Request: ${problem}.`);
      return;
    }
    if ('method' in message && 'id' in message) pending.add(message.id);
    if ('method' in message && message.method === 'notifications/cancelled')
      pending.delete(message.params?.['requestId']);
    transport.onmessage?.(message);
  }

  function answerError(id: string | number | null, code: number, message: string): void {
    write({ jsonrpc: '2.0', id, error: { code, message } }).catch(fail);
  }

  function write(message: unknown): Promise<void> {
    if (closed) return Promise.reject(new Error('the connection is closed'));
    return new Promise((resolve, reject) => {
      output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  function fail(error: Error): void {
    transport.onerror?.(error);
    close();
  }

  /** The input has ended; pending requests are still answered within a time limit. */
  function finish(): void {
    whenAnswered = close;
    if (pending.size === 0) close();
    else setTimeout(close, ANSWERS_WITHIN_MS).unref();
  }

  function close(): void {
    if (closed) return;
    closed = true;
    input.off('data', read);
    input.pause();
    // Late stream errors have no listener any more and must not crash the process.
    input.on('error', () => {});
    output.on('error', () => {});
    transport.onclose?.();
  }

  return transport;
}

function messageId(json: unknown): string | number | null {
  const id = typeof json === 'object' && json !== null && 'id' in json ? json.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** Finds the id of a message that is too long to parse. Clients write it first or last, next to other short members. */
function refusedMessageId(head: string, tail: string): string | number | null {
  const atTheStart = /^\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"]*"\s*,)*\s*"id"\s*:\s*("[^"\\]*"|\d+)/.exec(head);
  const atTheEnd = /"id"\s*:\s*("[^"\\]*"|\d+)(?:\s*,\s*"(?:jsonrpc|method)"\s*:\s*"[^"]*")*\s*\}\s*$/.exec(tail);
  const found = (atTheStart ?? atTheEnd)?.[1];
  return found === undefined ? null : messageId({ id: JSON.parse(found) });
}
