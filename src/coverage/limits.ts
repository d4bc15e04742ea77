import { Failure } from '../platform/errors.ts';

/**
 * What one report may hold before reading it is given up. Several times what the largest known code bases need, and little
 * enough that a hostile report ends in a clear failure instead of exhausting the memory of the server.
 */
export const limits = {
  sourceFiles: 1_000_000,
  /** All source paths together, in UTF-16 units. */
  pathText: 128 * 1024 * 1024,
  /** Pages of the line map: 256 lines, 76 bytes each. */
  linePages: 2_000_000,
  /** Distinct branches, and distinct functions, of all files together. */
  countedParts: 40_000_000,
} as const;

export function tooLarge(what: string): Failure {
  return new Failure(
    'bad_input',
    'REPORT_TOO_LARGE',
    `the report holds more than ${what}; split it into several reports`,
  );
}
