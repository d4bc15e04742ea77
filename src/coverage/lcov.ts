import type { CoverageStore, ReportScanner } from './coverage-store.ts';
import { createLcovRecords, longestLine } from './lcov-records.ts';
import { readBranchRun, readLineRun, skipRun } from './lcov-runs.ts';

const newline = 0x0a;
/** No byte is this. */
const nothing = -1;

/** Reads LCOV: cuts the chunks into lines, wherever their borders are. */
export function createLcovScanner(store: CoverageStore): ReportScanner {
  const records = createLcovRecords(store);
  /** The beginning of a line whose end is in a later chunk. */
  const cut = Buffer.allocUnsafe(longestLine + 1);
  let cutLength = 0;
  let skippingLine = false;
  /** What records begin with that nobody asked for. */
  const branchStart = store.branches ? nothing : 0x42;
  const functionStart = store.functions ? nothing : 0x46;

  /** Goes through whole lines: `to` stands after a newline. */
  function scan(bytes: Buffer, from: number, to: number): void {
    let at = from;
    while (at < to) {
      if (records.file >= 0) {
        const runStart = at;
        at = readLineRun(bytes, at, to, store.lines, records.file);
        if (store.branches) at = readBranchRun(bytes, at, to, store.branches, records.file);
        at = skipRun(bytes, at, to, branchStart, functionStart);
        if (at > runStart) continue;
      }
      const start = at;
      while (bytes[at] !== newline) at++;
      records.take(bytes, start, at);
      at++;
    }
  }

  /** Keeps the beginning of a line whose end has not come yet. */
  function keep(bytes: Buffer, from: number): void {
    const length = bytes.length - from;
    if (length === 0 || skippingLine) return;
    // Not waiting for the newline here lets a huge file of zeros fail on its first chunk.
    if (cutLength === 0 && bytes[from] === 0) records.nul();
    const kept = Math.min(length, longestLine + 1 - cutLength);
    bytes.copy(cut, cutLength, from, from + kept);
    cutLength += kept;
    if (cutLength > longestLine) {
      records.take(cut, 0, cutLength);
      cutLength = 0;
      skippingLine = true;
    }
  }

  function finishCutLine(bytes: Buffer, end: number): void {
    if (!skippingLine && cutLength + end > longestLine) keep(bytes.subarray(0, end), 0);
    if (!skippingLine) {
      bytes.copy(cut, cutLength, 0, end);
      cut[cutLength + end] = newline;
      scan(cut, 0, cutLength + end + 1);
    }
    cutLength = 0;
    skippingLine = false;
  }

  return {
    feed(chunk) {
      // Always a Buffer: two kinds of byte array would make the loop twice as slow.
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      let from = 0;
      if (cutLength > 0 || skippingLine) {
        const end = bytes.indexOf(newline);
        if (end < 0) return keep(bytes, 0);
        finishCutLine(bytes, end);
        from = end + 1;
      }
      const last = bytes.lastIndexOf(newline);
      if (last >= from) {
        scan(bytes, from, last + 1);
        from = last + 1;
      }
      keep(bytes, from);
    },

    end() {
      if (cutLength > 0) finishCutLine(Buffer.alloc(0), 0);
      records.end();
    },
  };
}
