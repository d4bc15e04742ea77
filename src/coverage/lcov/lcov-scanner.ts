import type { CoverageStore, ReportScanner } from '../store/coverage-store.ts';
import { createLcovRecords, maxLineLength } from './lcov-records.ts';
import { readBranchRun, readLineRun, skipRun } from './lcov-runs.ts';

const newline = 0x0a;
/** Matches no byte. */
const noByte = -1;

/** Creates a scanner that splits chunks of LCOV into lines. A chunk may end anywhere. */
export function createLcovScanner(store: CoverageStore): ReportScanner {
  const records = createLcovRecords(store);
  /** The start of a line that ends in a later chunk. */
  const partialLine = Buffer.allocUnsafe(maxLineLength + 1);
  let partialLength = 0;
  let isSkippingLine = false;
  /** First bytes of records that were not requested and are skipped. */
  const branchStart = store.branches ? noByte : 0x42;
  const functionStart = store.functions ? noByte : 0x46;

  /** Scans whole lines; `to` is after a newline. */
  function scanLines(bytes: Buffer, from: number, to: number): void {
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
      records.readLine(bytes, start, at);
      at++;
    }
  }

  /** Buffers the start of a line that has not ended yet. */
  function keepPartialLine(bytes: Buffer, from: number): void {
    const length = bytes.length - from;
    if (length === 0 || isSkippingLine) return;
    // Checked before the newline, so that a huge file of zeros fails on its first chunk.
    if (partialLength === 0 && bytes[from] === 0) records.rejectNulByte();
    const kept = Math.min(length, maxLineLength + 1 - partialLength);
    bytes.copy(partialLine, partialLength, from, from + kept);
    partialLength += kept;
    if (partialLength > maxLineLength) {
      records.readLine(partialLine, 0, partialLength);
      partialLength = 0;
      isSkippingLine = true;
    }
  }

  function finishPartialLine(bytes: Buffer, end: number): void {
    if (!isSkippingLine && partialLength + end > maxLineLength) keepPartialLine(bytes.subarray(0, end), 0);
    if (!isSkippingLine) {
      bytes.copy(partialLine, partialLength, 0, end);
      partialLine[partialLength + end] = newline;
      scanLines(partialLine, 0, partialLength + end + 1);
    }
    partialLength = 0;
    isSkippingLine = false;
  }

  return {
    feed(chunk) {
      // Always a Buffer, because two kinds of byte arrays make the loop twice as slow.
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      let from = 0;
      if (partialLength > 0 || isSkippingLine) {
        const end = bytes.indexOf(newline);
        if (end < 0) return keepPartialLine(bytes, 0);
        finishPartialLine(bytes, end);
        from = end + 1;
      }
      const last = bytes.lastIndexOf(newline);
      if (last >= from) {
        scanLines(bytes, from, last + 1);
        from = last + 1;
      }
      keepPartialLine(bytes, from);
    },

    end() {
      if (partialLength > 0) finishPartialLine(Buffer.alloc(0), 0);
      records.end();
      return {};
    },
  };
}
