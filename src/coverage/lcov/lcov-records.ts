import { Failure } from '../../platform/errors.ts';
import { readFormats } from '../formats/report-format.ts';
import type { CoverageStore, Measure } from '../store/coverage-store.ts';
import { coverageLimits } from '../store/report-limits.ts';
import { describeForeignFormat, quoteFirstLine } from './foreign-format.ts';
import {
  byte,
  fingerprint,
  indexOfComma,
  isBlankByte,
  lastIndexOfComma,
  parseHit,
  parseWholeNumber,
} from './lcov-fields.ts';
import { createFunctionRecords } from './lcov-functions.ts';

/** Interprets the lines of an LCOV text. */
export interface LcovRecords {
  /** The source file of the current record, or -1. */
  readonly file: number;
  /** Reads one line of any kind; `lineEnd` is at its newline or beyond the maximum length. */
  readLine(bytes: Buffer, lineStart: number, lineEnd: number): void;
  /** Throws because a line starts with a NUL byte. */
  rejectNulByte(): never;
  /** Ends the last record. Throws if the text was not LCOV. */
  end(): void;
}

/** A longer line is not a record and is skipped without buffering. */
export const maxLineLength = 64 * 1024;
/** Characters kept for the error message if the text is not LCOV. */
const sampleSize = 1024;

const letter = {
  A: 0x41,
  B: 0x42,
  D: 0x44,
  F: 0x46,
  H: 0x48,
  K: 0x4b,
  L: 0x4c,
  N: 0x4e,
  R: 0x52,
  S: 0x53,
  U: 0x55,
  e: 0x65,
  f: 0x66,
} as const;
const endOfRecord = Buffer.from('end_of_record');
const noFile = -1;

export function lcovParseFailure(reason: string): Failure {
  return new Failure('bad_input', 'LCOV_PARSE', `Failed to parse LCOV file: ${reason}`, { reason });
}

export function createLcovRecords(store: CoverageStore): LcovRecords {
  const functions = store.functions && createFunctionRecords(store.functions);
  let file = noFile;
  let sources = 0;
  /** The first bytes of a text in which no source file has been named yet. */
  let sample = '';
  let atStart = true;

  function take(bytes: Buffer, lineStart: number, lineEnd: number): void {
    if (bytes[lineStart] === 0) nul();
    let start = lineStart;
    if (atStart) {
      if (isUtf16Mark(bytes, start)) throw lcovParseFailure('the text is UTF-16; write the report as UTF-8');
      atStart = false;
    }
    if (bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf) start += 3;
    while (start < lineEnd && isBlankByte(bytes[start])) start++;
    if (sources === 0 && sample.length < sampleSize && bytes[start] !== byte.hash && start < lineEnd) {
      sample += bytes.toString('utf8', start, Math.min(lineEnd + 1, start + sampleSize));
    }
    const first = bytes[start];
    const second = bytes[start + 1];
    const isSource =
      (first === letter.S || first === letter.K) && second === letter.F && bytes[start + 2] === byte.colon;
    if (lineEnd - lineStart > maxLineLength) {
      if (isSource) openSource('');
      return;
    }
    let end = lineEnd;
    while (end > start && isBlankByte(bytes[end - 1])) end--;
    if (isSource) openSource(end - start - 3 > coverageLimits.pathBytes ? '' : bytes.toString('utf8', start + 3, end));
    else if (file < 0) return;
    else if (first === letter.D && second === letter.A && bytes[start + 2] === byte.colon)
      readLineCount(bytes, start + 3, end);
    else if (first === letter.L && bytes[start + 2] === byte.colon)
      readStatedTotal('lines', second, bytes, start + 3, end);
    else if (first === letter.e && endOfRecord.compare(bytes, start, end) === 0) closeRecord();
    else if (first === letter.B && second === letter.R && store.branches) readBranchRecord(bytes, start, end);
    else if (first === letter.F && second === letter.N && functions) {
      if (bytes[start + 3] === byte.colon && (bytes[start + 2] === letter.F || bytes[start + 2] === letter.H)) {
        readStatedTotal('functions', bytes[start + 2], bytes, start + 4, end);
      } else functions.readRecord(bytes, start, end);
    }
  }

  /** Starts a record. A record without a path, or with one that is too long, is skipped with all its lines. */
  function openSource(path: string): void {
    closeRecord();
    sources++;
    sample = '';
    file = path === '' ? noFile : store.fileNumber(path);
  }

  function closeRecord(): void {
    if (file >= 0) functions?.flush(file);
    file = noFile;
  }

  /** `<line>,<count>[,<checksum>]` */
  function readLineCount(bytes: Buffer, start: number, end: number): void {
    const comma = indexOfComma(bytes, start, end);
    const number = parseWholeNumber(bytes, start, comma);
    const hit = parseHit(bytes, comma + 1, indexOfComma(bytes, comma + 1, end));
    if (number > 0 && hit !== undefined) {
      store.lines.add(file, number >>> 5, 1 << number, hit ? 1 << number : 0);
    }
  }

  function readBranchRecord(bytes: Buffer, start: number, end: number): void {
    if (bytes[start + 3] === byte.colon) readStatedTotal('branches', bytes[start + 2], bytes, start + 4, end);
    else if (bytes[start + 2] === letter.D && bytes[start + 3] === letter.A && bytes[start + 4] === byte.colon) {
      readBranchCount(bytes, start + 5, end);
    }
  }

  /**
   * `<line>,[e|f][U]<block>,<branch>,<taken>`; a branch may be text with commas, `-` is a branch that was never reached. On line 0
   * coverage.py writes the branches that leave a function.
   */
  function readBranchCount(bytes: Buffer, start: number, end: number): void {
    const comma = indexOfComma(bytes, start, end);
    const last = lastIndexOfComma(bytes, comma + 1, end);
    let block = comma + 1;
    if (bytes[block] === letter.e || bytes[block] === letter.f) block++;
    const excluded = bytes[block] === letter.U;
    const number = parseWholeNumber(bytes, start, comma);
    const neverReached = last + 2 === end && bytes[last + 1] === byte.minus;
    const hit = neverReached ? false : parseHit(bytes, last + 1, end);
    if (excluded || number < 0 || hit === undefined || indexOfComma(bytes, block, end) >= last) return;
    store.branches?.add(file, number, fingerprint(bytes, block, last), hit);
  }

  function readStatedTotal(
    measure: 'lines' | Measure,
    kind: number | undefined,
    bytes: Buffer,
    start: number,
    end: number,
  ): void {
    const part = kind === letter.F ? 'found' : kind === letter.H ? 'hit' : undefined;
    const total = parseWholeNumber(bytes, start, end);
    if (part && total >= 0) store.addStatedTotal(measure, part, file, total);
  }

  function nul(): never {
    throw lcovParseFailure(describeForeignFormat(sample) ?? 'it contains NUL bytes; is it a binary file or UTF-16?');
  }

  return {
    get file() {
      return file;
    },

    readLine: take,
    rejectNulByte: nul,

    end() {
      closeRecord();
      if (sources > 0 || sample.trim() === '') return;
      const recognised = describeForeignFormat(sample);
      throw lcovParseFailure(
        `no SF record found; ${recognised ? `${recognised} and` : 'it'} begins with ${quoteFirstLine(sample)}; ${readFormats} can be read`,
      );
    },
  };
}

function isUtf16Mark(bytes: Uint8Array, at: number): boolean {
  return (bytes[at] === 0xff && bytes[at + 1] === 0xfe) || (bytes[at] === 0xfe && bytes[at + 1] === 0xff);
}
