import { createReadStream, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CsvError, parse } from 'csv-parse';
import { systemCode, systemReason } from '../../platform/errors.ts';
import { restoreCsvCell } from '../../platform/reports/csv.ts';

/** What is known of a CSV file after it was read. */
export interface CsvReadResult {
  rows: number;
  /** Rows that could not be read: torn by a kill in the middle of the file, or with other columns than the header. */
  skipped: number;
  /** Why the file, or the rest of it, could not be read. */
  problem?: string;
}

export type RowReader = (cells: readonly string[]) => void;

/** Longer than any row of an honest audit; an unclosed quote must not swallow a whole file into memory. */
const MAX_RECORD_BYTES = 4 * 1024 * 1024;

/** Only our engine keeps this file beside its tables. In tables of other programs an apostrophe is part of the text. */
const JOURNAL_FILE = 'pages.jsonl';

/**
 * Reads a CSV file row by row. `open` sees the header and says who takes the rows, or nobody. The file may still grow:
 * a last row that is not finished is left for the next reading, and is no problem.
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
    // The last row of all may be half written; every other one with too few cells is torn for good.
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
