/** Reads the fields of an LCOV record as bytes, because creating strings would cost more than all other work. */

export const byte = {
  tab: 0x09,
  newline: 0x0a,
  return: 0x0d,
  space: 0x20,
  hash: 0x23,
  plus: 0x2b,
  comma: 0x2c,
  minus: 0x2d,
  dot: 0x2e,
  zero: 0x30,
  colon: 0x3a,
} as const;

/** Line numbers are signed 32-bit numbers everywhere; a larger one is invalid. */
const maxLineNumber = 2 ** 31 - 2;

export function isBlankByte(value: number | undefined): boolean {
  return value === byte.space || (value !== undefined && value >= byte.tab && value <= byte.return);
}

export function isDigit(value: number | undefined): boolean {
  return value !== undefined && value >= byte.zero && value <= byte.zero + 9;
}

/** The first comma in a range, or `end`. */
export function indexOfComma(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) if (bytes[at] === byte.comma) return at;
  return end;
}

/** The last comma in a range, or -1. */
export function lastIndexOfComma(bytes: Uint8Array, start: number, end: number): number {
  for (let at = end - 1; at >= start; at--) if (bytes[at] === byte.comma) return at;
  return -1;
}

/** Parses a whole number without sign; -1 for anything else and for numbers above the largest line number. */
export function parseWholeNumber(bytes: Uint8Array, from: number, to: number): number {
  let start = from;
  let end = to;
  while (start < end && isBlankByte(bytes[start])) start++;
  while (end > start && isBlankByte(bytes[end - 1])) end--;
  if (start >= end) return -1;
  let value = 0;
  for (let at = start; at < end; at++) {
    if (!isDigit(bytes[at])) return -1;
    value = value * 10 + (bytes[at] ?? 0) - byte.zero;
    if (value > maxLineNumber) return -1;
  }
  return value;
}

/**
 * Whether an execution count means that something ran. Counts may be huge, negative (a known compiler bug, meaning none),
 * fractional or scientific. Undefined if it is not a number.
 */
export function parseHit(bytes: Uint8Array, from: number, to: number): boolean | undefined {
  let at = from;
  let end = to;
  while (at < end && isBlankByte(bytes[at])) at++;
  while (end > at && isBlankByte(bytes[end - 1])) end--;
  const negative = bytes[at] === byte.minus;
  if (negative || bytes[at] === byte.plus) at++;
  let digits = 0;
  let positive = false;
  for (let dots = 0; at < end; at++) {
    const value = bytes[at];
    if (value === byte.dot && dots === 0) dots++;
    else if (isDigit(value)) {
      digits++;
      positive ||= value !== byte.zero;
    } else break;
  }
  if (digits === 0) return undefined;
  if (at < end && !isExponent(bytes, at, end)) return undefined;
  return positive && !negative;
}

function isExponent(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  if (((bytes[at] ?? 0) | 0x20) !== 0x65) return false;
  at++;
  if (bytes[at] === byte.minus || bytes[at] === byte.plus) at++;
  if (at >= end) return false;
  while (at < end && isDigit(bytes[at])) at++;
  return at === end;
}

export const fingerprintSeed = 0x811c9dc5;
export const fingerprintPrime = 0x01000193;

/** A 32-bit fingerprint of some bytes (FNV-1a). */
export function fingerprint(bytes: Uint8Array, start: number, end: number, seed: number = fingerprintSeed): number {
  let hash = seed;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), fingerprintPrime);
  return hash >>> 0;
}
