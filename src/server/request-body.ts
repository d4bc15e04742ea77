import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { INVALID_REQUEST, PARSE_ERROR } from '@modelcontextprotocol/server';
import { checkMessageLengths } from './message-lengths.ts';
import { createMessageScanner } from './message-scanner.ts';
import { REFUSED_CODE, refusalResponse } from './web-exchange.ts';

/** Larger bodies need a call slot before they are read, and are parsed one at a time. */
export const SMALL_BODY_BYTES = 64 * 1024;

/** The message of a request, undefined for an empty body; or the response that refuses the body. */
export type RequestBody = { message: unknown } | { refused: Response };

interface ReadMessageOptions {
  largestBytes: number;
  /** Reserves this many bytes in total before they are buffered. Returns a refusal when a limit is exceeded. */
  admit(bytes: number): Response | undefined;
  /** Tells a client with `Expect: 100-continue` to send the body. */
  proceed(): void;
  /** Resolves when this body may be parsed. */
  turn(): Promise<void>;
}

/**
 * Reads the JSON-RPC message of a request. Size, admission, nesting and number of values are checked before or while the
 * bytes arrive, so that no body blocks the event loop.
 */
export async function readMessage(request: IncomingMessage, options: ReadMessageOptions): Promise<RequestBody> {
  const { largestBytes, admit } = options;
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    return refuseBody(415, INVALID_REQUEST, 'Content-Encoding is not supported: send the body uncompressed.');
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > largestBytes) return tooLarge(largestBytes);
  const full = admit(announced);
  if (full) return { refused: full };
  options.proceed();
  const scanner = createMessageScanner();
  let buffer = Buffer.alloc(0);
  let length = 0;
  for await (const part of request) {
    const needed = length + part.length;
    if (needed > largestBytes) return tooLarge(largestBytes);
    const exceeded = scanner.scan(part);
    if (exceeded) return refuseBody(400, INVALID_REQUEST, `Invalid Request: ${exceeded}.`);
    if (needed > buffer.length) {
      // One buffer, because a list of one-byte chunks would need a hundred times the memory.
      const larger = Math.max(needed, Math.min(buffer.length * 2, announced || largestBytes));
      const exceededLimit = admit(larger);
      if (exceededLimit) return { refused: exceededLimit };
      const copy = Buffer.allocUnsafeSlow(larger);
      buffer.copy(copy, 0, 0, length);
      buffer = copy;
    }
    buffer.set(part, length);
    length = needed;
  }
  if (length > SMALL_BODY_BYTES) await options.turn();
  return parse(buffer.subarray(0, length), request.method);
}

function parse(bytes: Buffer, method: string | undefined): RequestBody {
  if (bytes.length === 0 && method !== 'POST') return { message: undefined };
  let message: unknown;
  try {
    // Decoding invalid UTF-8 is slow, and RFC 8259 requires UTF-8.
    if (!isUtf8(bytes)) throw new SyntaxError('not UTF-8');
    message = JSON.parse(bytes.toString('utf8'));
  } catch {
    return refuseBody(400, PARSE_ERROR, 'Parse error: the body must be one JSON-RPC message in UTF-8.');
  }
  // Scopes are checked per message, so there must be only one.
  if (Array.isArray(message)) return refuseBody(400, INVALID_REQUEST, 'Invalid Request: batches are not supported.');
  const exceeded = checkMessageLengths(message);
  return exceeded ? refuseBody(400, INVALID_REQUEST, `Invalid Request: ${exceeded}.`) : { message };
}

/** Tells whether the unread rest of a body is too long to keep the connection. */
export function hasLongUnreadBody({ complete, headers }: IncomingMessage): boolean {
  const isLong = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > SMALL_BODY_BYTES;
  return isLong && !complete;
}

const CHUNKS_OF_ANY_SIZE = 256;
const LEAST_AVERAGE_CHUNK = 64;

/** Closes the connection of a request with very many tiny chunks. Node spends microseconds on each, seconds on megabytes. */
export function refuseTinyChunks(request: IncomingMessage): void {
  let chunks = 0;
  let bytes = 0;
  const push = request.push.bind(request);
  request.push = (part, encoding) => {
    chunks++;
    bytes += part?.length ?? 0;
    if (chunks <= CHUNKS_OF_ANY_SIZE || bytes >= chunks * LEAST_AVERAGE_CHUNK) return push(part, encoding);
    request.socket.destroy();
    return false;
  };
}

function refuseBody(...answer: Parameters<typeof refusalResponse>): RequestBody {
  return { refused: refusalResponse(...answer) };
}

function tooLarge(largestBytes: number): RequestBody {
  const message = `The message exceeds ${largestBytes} bytes. The operator sets this limit with --max-message-bytes.`;
  return refuseBody(413, REFUSED_CODE, message);
}
