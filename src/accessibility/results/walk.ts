import { basename } from 'node:path';
import { readCsv } from './csv.ts';
import { type CsvFile, classify, csvFiles, type FileClass } from './files.ts';
import { type Finding, findingReader, type MoreOfRow } from './finding.ts';

/** A file that could not be read, or not whole. It hides nothing of the others. */
export interface FileProblem {
  file: string;
  problem: string;
}

export interface Walk {
  /** Rows of findings, of what needs review and of observations; sentinels too, their weight is 0. */
  row?: (row: Finding, fileClass: FileClass, more: MoreOfRow) => void;
  /** Each audit whose file was there, with or without rows. */
  audit?: (stem: string, fileClass: FileClass) => void;
  /** Which files are worth reading; all that are not housekeeping unless given. */
  wanted?: (stem: string, fileClass: FileClass) => boolean;
  signal?: AbortSignal | undefined;
}

/** Passes all audits of a results folder by, row by row, in the order of the files' names. */
export async function walkResults(dir: string, walk: Walk): Promise<FileProblem[]> {
  const problems: FileProblem[] = [];
  for (const file of await csvFiles(dir)) problems.push(...(await walkFile(file, walk)));
  return problems;
}

export async function walkFile(file: CsvFile, { row, audit, wanted, signal }: Walk): Promise<FileProblem[]> {
  const reading = await readCsv(
    file.path,
    (header) => {
      const fileClass = classify(file.stem, header);
      if (fileClass === 'housekeeping' || wanted?.(file.stem, fileClass) === false) return undefined;
      audit?.(file.stem, fileClass);
      return findingReader(file.stem, header, (finding, more) => row?.(finding, fileClass, more));
    },
    signal,
  );
  const name = basename(file.path);
  if (reading.problem !== undefined) return [{ file: name, problem: reading.problem }];
  if (reading.skipped === 0) return [];
  const rows = reading.skipped === 1 ? '1 row' : `${reading.skipped} rows`;
  return [{ file: name, problem: `${rows} could not be read and ${reading.skipped === 1 ? 'was' : 'were'} left out` }];
}
