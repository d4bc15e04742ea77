import type { LineStore } from './line-store.ts';

/**
 * Reads consecutive lines of the form `DA:<digits>,<digits>`, which are nearly all of a report, and returns where the first
 * line of another form begins. Small on purpose, free of everything but numbers, and alone in its file: this loop sees most
 * of the bytes, and what else is in it is paid for a hundred million times. The range ends after a newline, so no
 * check for its end is needed inside a line.
 */
export function readLineRun(bytes: Uint8Array, from: number, to: number, lines: LineStore, file: number): number {
  let at = from;
  let word = 0;
  let found = 0;
  let hit = 0;
  while (at < to && bytes[at] === 0x44 && bytes[at + 1] === 0x41 && bytes[at + 2] === 0x3a) {
    let next = at + 3;
    let line = 0;
    let digit = (bytes[next] ?? 0) - 0x30;
    while (digit >>> 0 < 10) {
      line = (Math.imul(line, 10) + digit) | 0;
      digit = (bytes[++next] ?? 0) - 0x30;
    }
    // A comma, after at most nine digits.
    if (digit !== -4 || line <= 0 || next - at > 12) break;
    const countStart = ++next;
    let digits = 0;
    digit = (bytes[next] ?? 0) - 0x30;
    while (digit >>> 0 < 10) {
      digits |= digit;
      digit = (bytes[++next] ?? 0) - 0x30;
    }
    const countLength = next - countStart;
    // A carriage return, then a newline.
    if (digit === -35) digit = (bytes[++next] ?? 0) - 0x30;
    if (digit !== -38 || countLength === 0 || countLength > 32) break;
    at = next + 1;
    if (line >>> 5 !== word) {
      if (found !== 0) lines.add(file, word, found, hit);
      word = line >>> 5;
      found = 0;
      hit = 0;
    }
    found |= 1 << line;
    // 1 when any digit is not 0; a jump here would be guessed wrong every other time.
    hit |= (-digits >>> 31) << line;
  }
  if (found !== 0) lines.add(file, word, found, hit);
  return at;
}

/** Skips consecutive lines that begin with one of two bytes, and returns where the first other line begins. */
export function skipRun(bytes: Uint8Array, from: number, to: number, one: number, other: number): number {
  let at = from;
  while (at < to && (bytes[at] === one || bytes[at] === other)) {
    while (bytes[at] !== 0x0a) at++;
    at++;
  }
  return at;
}
