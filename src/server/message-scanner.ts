import { MAX_ARGUMENT_DEPTH, MAX_ARGUMENT_VALUES } from '../tool/arguments.ts';

/** Allowance for the envelope of the arguments: members of JSON-RPC, `params` and `_meta`. */
const ENVELOPE_DEPTH = 8;
const ENVELOPE_VALUES = 1000;

const DEEPEST = MAX_ARGUMENT_DEPTH + ENVELOPE_DEPTH;
const MOST_VALUES = MAX_ARGUMENT_VALUES + ENVELOPE_VALUES;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export interface MessageScanner {
  /** Scans the next bytes of a message. Returns the exceeded limit as a clause, or undefined. */
  scan(bytes: Uint8Array): string | undefined;
}

/**
 * Checks the nesting and the number of values of a JSON text while its bytes arrive, so that a text for which `JSON.parse`
 * needs seconds is refused before parsing. Scanner and parser agree on string boundaries up to the first syntax error,
 * where the parser stops.
 */
export function createMessageScanner(): MessageScanner {
  let depth = 0;
  let values = 0;
  let inString = false;
  let escaped = false;

  /** Returns the index after the string that continues at `from`. */
  function skipString(bytes: Uint8Array, from: number): number {
    let at = from;
    if (escaped && at < bytes.length) {
      escaped = false;
      at++;
    }
    for (; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === BACKSLASH) {
        at++;
        escaped = at >= bytes.length;
      } else if (byte === QUOTE) {
        inString = false;
        return at + 1;
      }
    }
    return at;
  }

  return {
    scan(bytes) {
      let at = inString ? skipString(bytes, 0) : 0;
      while (at < bytes.length) {
        const byte = bytes[at++];
        if (byte === QUOTE) {
          inString = true;
          at = skipString(bytes, at);
        } else if (byte === COMMA) values++;
        else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
          depth++;
          values++;
          if (depth > DEEPEST) return `a message may be nested at most ${DEEPEST} deep`;
        } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
      }
      return values > MOST_VALUES ? `a message may hold at most ${MOST_VALUES} values` : undefined;
    },
  };
}
