import { basename } from 'node:path';
import { type AuditFinding, createFindingReader, type ExtraColumns } from './audit-finding.ts';
import { readCsv } from './csv-reader.ts';
import { type CsvFile, classifyResultFile, type FileClass, listCsvFiles } from './result-files.ts';

/** A file that could not be read completely. The other files are still used. */
export interface FileProblem {
  file: string;
  problem: string;
}

export interface ResultsWalk {
  /** Called for rows of findings, needs-review tables and observations. Rows of pages without issues have weight 0. */
  onRow?: (row: AuditFinding, fileClass: FileClass, more: ExtraColumns) => void;
  /** Called for each audit that has a file, with or without rows. */
  onAudit?: (stem: string, fileClass: FileClass) => void;
  /** Selects the files to read; default: all except housekeeping. */
  includesFile?: (stem: string, fileClass: FileClass) => boolean;
  signal?: AbortSignal | undefined;
}

/** Reads all audit tables of a results folder row by row, in the order of the file names. */
export async function walkResults(dir: string, walk: ResultsWalk): Promise<FileProblem[]> {
  const problems: FileProblem[] = [];
  for (const file of await listCsvFiles(dir)) problems.push(...(await walkResultFile(file, walk)));
  return problems;
}

export async function walkResultFile(
  file: CsvFile,
  { onRow: row, onAudit: audit, includesFile: wanted, signal }: ResultsWalk,
): Promise<FileProblem[]> {
  const reading = await readCsv(
    file.path,
    (header) => {
      const fileClass = classifyResultFile(file.stem, header);
      if (fileClass === 'housekeeping' || wanted?.(file.stem, fileClass) === false) return undefined;
      audit?.(file.stem, fileClass);
      return createFindingReader(file.stem, header, (finding, more) => row?.(finding, fileClass, more));
    },
    signal,
  );
  const name = basename(file.path);
  if (reading.problem !== undefined) return [{ file: name, problem: reading.problem }];
  if (reading.skipped === 0) return [];
  const rows = reading.skipped === 1 ? '1 row' : `${reading.skipped} rows`;
  return [{ file: name, problem: `${rows} could not be read and ${reading.skipped === 1 ? 'was' : 'were'} left out` }];
}
