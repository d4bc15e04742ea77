import { createReadStream, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CsvError, parse } from 'csv-parse';
import { systemCode, systemReason } from '../../platform/errors.ts';
import { restoreCsvCell } from '../../platform/reports/csv.ts';

/** Result of reading a CSV file. */
export interface CsvReadResult {
  rows: number;
  /** Rows that could not be read: cut by a killed process, or with a different number of columns than the header. */
  skipped: number;
  /** Why the file, or its rest, could not be read. */
  problem?: string;
}

export type RowReader = (cells: readonly string[]) => void;

/** Larger than any valid row. Without a limit, an unclosed quote would load the whole file into memory. */
const MAX_RECORD_BYTES = 4 * 1024 * 1024;

/** Only the native engine writes this file. In tables of other programs a leading apostrophe is part of the text. */
const JOURNAL_FILE = 'pages.jsonl';

/**
 * Reads a CSV file row by row. `open` gets the header and returns the reader of the rows, or undefined to skip the file. The file
 * may still grow: an unfinished last row is ignored and is not a problem.
 */
export async function readCsv(
  path: string,
  open: (header: readonly string[]) => RowReader | undefined,
  signal?: AbortSignal,
): Promise<CsvReadResult> {
  const reading: CsvReadResult = { rows: 0, skipped: 0 };
  const parser = parse({
    bom: true,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: MAX_RECORD_BYTES,
    on_skip: (error) => {
      if (error?.code !== 'CSV_QUOTE_NOT_CLOSED') reading.skipped++;
      return undefined;
    },
  });
  let columns = 0;
  let reader: RowReader | undefined;
  let torn = false;
  const isNative = existsSync(join(dirname(path), JOURNAL_FILE));

  const take = (cells: readonly string[]) => {
    if (columns === 0) {
      columns = cells.length;
      reader = open(cells.map((cell) => cell.trim()));
      if (!reader) source.destroy();
      return;
    }
    if (!reader) return;
    // Only the last row may be unfinished; any other row with missing cells is damaged.
    if (torn) reading.skipped++;
    torn = cells.length !== columns;
    if (torn) return;
    reading.rows++;
    reader(isNative ? cells.map(restoreCsvCell) : cells);
  };

  const source = createReadStream(path, { highWaterMark: 256 * 1024, signal });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  source.on('error', reject).on('close', () => {
    if (columns > 0 && !reader) resolve();
  });
  parser.on('error', reject).on('end', resolve);
  parser.on('readable', () => {
    try {
      for (let cells = parser.read(); cells !== null; cells = parser.read()) take(cells);
    } catch (error) {
      reject(error);
    }
  });
  source.pipe(parser);
  try {
    await promise;
  } catch (error) {
    if (systemCode(error) === 'ABORT_ERR' || !(error instanceof CsvError || isSystemError(error))) throw error;
    reading.problem = error instanceof CsvError ? firstSentence(error.message) : systemReason(error);
  } finally {
    source.destroy();
    parser.destroy();
  }
  return reading;
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

function firstSentence(message: string): string {
  return message.slice(0, 200).split('\n', 1)[0] ?? '';
}
