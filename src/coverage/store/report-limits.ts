import { Failure } from '../../platform/errors.ts';

/**
 * Limits of one report: several times the size of the largest known code bases, but small enough that a hostile report fails
 * with a clear error instead of exhausting the memory of the server.
 */
export const coverageLimits = {
  sourceFiles: 1_000_000,
  /** All source paths together, in UTF-16 units. */
  pathText: 128 * 1024 * 1024,
  /** In bytes, the maximum of Linux. V8 hashes longer strings by their length only. */
  pathBytes: 4096,
  /** Pages of the line store: 256 lines, about 100 bytes each. */
  linePages: 2_000_000,
  /** Branches, and functions, of all files together. */
  countedParts: 40_000_000,
  /** Indexing more would block other callers. */
  partsPerFile: 2_000_000,
  /** The text of a snapshot in UTF-16 units; about half of the maximum string length of V8. */
  snapshotText: 256 * 1024 * 1024,
} as const;

/** Thrown by the stores; the reader adds the name of the report. */
export function reportTooLarge(what: string): Failure {
  return new Failure('bad_input', 'REPORT_TOO_LARGE', `more than ${what}`);
}
