import type { LineStore } from '../store/line-store.ts';
import type { PartStore } from '../store/part-store.ts';
import { fingerprintPrime, fingerprintSeed } from './lcov-fields.ts';

// These loops read nearly all bytes of a report: runs of consecutive records of one kind in their usual form. Any other form
// ends a run and is left to `lcov-records.ts`. They are minimal because they run a hundred million times. A range ends after
// a newline, so its end is not checked inside a line.

/** Reads lines `DA:<digits>,<digits>`, and returns where the first other line begins. */
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
    // 1 if any digit is not 0; without a branch, because its prediction would fail half of the time.
    hit |= (-digits >>> 31) << line;
  }
  if (found !== 0) lines.add(file, word, found, hit);
  return at;
}

/** Reads lines `BRDA:<digits>,<digits>,<digits>,<digits or ->`, and returns where the first other line begins. */
export function readBranchRun(bytes: Uint8Array, from: number, to: number, branches: PartStore, file: number): number {
  let at = from;
  while (at < to && bytes[at] === 0x42 && bytes[at + 1] === 0x52 && bytes[at + 2] === 0x44 && bytes[at + 3] === 0x41) {
    let next = at + 5;
    let line = 0;
    let digit = (bytes[next] ?? 0) - 0x30;
    while (digit >>> 0 < 10) {
      line = (Math.imul(line, 10) + digit) | 0;
      digit = (bytes[++next] ?? 0) - 0x30;
    }
    if (bytes[at + 4] !== 0x3a || digit !== -4 || line <= 0 || next - at > 14) break;
    // Block, comma, branch: the fingerprint is computed while reading.
    let hash = fingerprintSeed;
    let value = bytes[++next] ?? 0;
    const blockStart = next;
    while ((value - 0x30) >>> 0 < 10) {
      hash = Math.imul(hash ^ value, fingerprintPrime);
      value = bytes[++next] ?? 0;
    }
    const branchStart = next + 1;
    if (value !== 0x2c || next === blockStart) break;
    do {
      hash = Math.imul(hash ^ value, fingerprintPrime);
      value = bytes[++next] ?? 0;
    } while ((value - 0x30) >>> 0 < 10);
    if (value !== 0x2c || next === branchStart) break;
    const takenStart = ++next;
    let digits = 0;
    if (bytes[next] === 0x2d) next++;
    else {
      digit = (bytes[next] ?? 0) - 0x30;
      while (digit >>> 0 < 10) {
        digits |= digit;
        digit = (bytes[++next] ?? 0) - 0x30;
      }
    }
    const empty = next === takenStart;
    if (bytes[next] === 0x0d) next++;
    if (bytes[next] !== 0x0a || empty || next - at > 128) break;
    branches.add(file, line, hash >>> 0, digits !== 0);
    at = next + 1;
  }
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
