import { formatCsvLine } from '../../../platform/reports/csv.ts';

/** One CSV row by column name. All rows of a file have the same columns in the same order. */
export type CsvRow = Readonly<Record<string, string | number>>;

/** CSV rows by table name, which is the file name without `.csv`. */
export type CsvTables = Readonly<Record<string, readonly CsvRow[]>>;

const BOM = '\uFEFF';

/** Formats rows for appending. An empty file also gets the byte order mark and the header, as CWAC writes them. */
export function formatCsv(rows: readonly CsvRow[], fileIsEmpty: boolean, end = '\r\n'): string {
  const [first] = rows;
  if (!first) return '';
  const columns = Object.keys(first);
  const lines = rows.map((row) => formatCsvLine(columns.map((column) => row[column] ?? '')) + end);
  return fileIsEmpty ? `${BOM}${formatCsvLine(columns)}${end}${lines.join('')}` : lines.join('');
}

export function mergeTables(...parts: readonly CsvTables[]): CsvTables {
  const merged: Record<string, CsvRow[]> = {};
  for (const part of parts) {
    for (const [file, rows] of Object.entries(part)) merged[file] = [...(merged[file] ?? []), ...rows];
  }
  return merged;
}
