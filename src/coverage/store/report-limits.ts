import { Failure } from '../../platform/errors.ts';

/**
 * What one report may hold before reading it is given up. Several times what the largest known code bases need, and little
 * enough that a hostile report ends in a clear failure instead of exhausting the memory of the server.
 */
export const reportLimits = {
  sourceFiles: 1_000_000,
  /** All source paths together, in UTF-16 units. */
  pathText: 128 * 1024 * 1024,
  /** In bytes; what Linux allows. A longer path is no path. V8 hashes long texts by nothing but their length. */
  pathBytes: 4096,
  /** Pages of the line map: 256 lines, some 100 bytes each. */
  linePages: 2_000_000,
  /** Branches, and functions, of all files together. */
  countedParts: 40_000_000,
  /** Indexing more than that would keep the server from its other callers. */
  partsPerFile: 2_000_000,
  /** The text of a snapshot, in UTF-16 units; V8 knows no text of twice the length. */
  snapshotText: 256 * 1024 * 1024,
} as const;

/** Thrown while coverage is gathered; whoever knows from what turns it into a failure of reading. */
export function reportTooLarge(what: string): Failure {
  return new Failure('bad_input', 'REPORT_TOO_LARGE', `more than ${what}`);
}
