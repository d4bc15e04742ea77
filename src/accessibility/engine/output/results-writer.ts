import { type FileHandle, open, readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure, systemCode, systemReason } from '../../../platform/errors.ts';
import { cleanValue } from '../../../platform/text/untrusted-result.ts';
import { type CsvTables, formatCsv } from './csv-rows.ts';
import { FINDINGS_FILE, type FindingDetails, parseFindingDetails } from './finding-details.ts';
import { type JournalLine, type PageLine, parseJournal, type SiteLine } from './scan-journal.ts';

export const JOURNAL_FILE = 'pages.jsonl';

/** All tables that the engine appends to. On resume they are truncated to the sizes that the journal records. */
const tableNames = [
  'axe_core_audit',
  'axe_core_audit_needs_review',
  'language_audit',
  'reflow_audit',
  'title_audit',
  'focus_indicator_audit',
  'screenshot_audit',
  'element_audit',
  'html_validation',
  'seo_audit',
  'crawl_audit',
  'audit_log',
  'pages_scanned',
  'progress',
  'unexpected_response_codes',
  'anti_bot',
];
const appendedFiles = [...tableNames.map((table) => `${table}.csv`), FINDINGS_FILE];

/** A journal line before the file sizes are known. */
type NewLine = Omit<PageLine, 'files'> | Omit<SiteLine, 'files'>;

export interface ResultsWriter {
  dir: string;
  /** Journal lines of earlier runs; empty for a new scan. */
  journalLines: JournalLine[];
  findings: FindingDetails[];
  /** Appends rows, then the journal line that confirms them. Commits are serialized. */
  commit(rows: CsvTables, findings: readonly FindingDetails[], line: NewLine): Promise<void>;
  close(): Promise<void>;
}

/** Opens a results folder for appending. Rows without a journal line are removed first. */
export async function openResultsWriter(dir: string): Promise<ResultsWriter> {
  const { lines, length } = await readConsistentJournal(dir);
  const sizes = new Map<string, number>();
  for (const line of lines) for (const [file, size] of Object.entries(line.files)) sizes.set(file, size);
  for (const file of appendedFiles) {
    const size = sizes.get(file);
    if (size === undefined) await rm(join(dir, file), { force: true });
    else await truncate(join(dir, file), size);
  }
  const findings = parseFindingDetails((await readFileOrEmpty(join(dir, FINDINGS_FILE))).toString('utf8'));
  const handles = new Map<string, FileHandle>();
  if (length > 0) await truncate(join(dir, JOURNAL_FILE), length);
  else await rm(join(dir, JOURNAL_FILE), { force: true });

  async function append(file: string, text: string): Promise<void> {
    const handle = handles.get(file) ?? (await open(join(dir, file), 'a'));
    handles.set(file, handle);
    await handle.appendFile(text);
    sizes.set(file, (sizes.get(file) ?? 0) + Buffer.byteLength(text));
  }

  async function write(rows: CsvTables, raw: readonly FindingDetails[], rawLine: NewLine): Promise<void> {
    // CSV cells are cleaned when they are formatted.
    const { found, line } = cleanValue({ found: raw, line: rawLine });
    const texts = Object.entries(rows).map(([table, list]): [string, string] => {
      const file = `${table}.csv`;
      return [file, formatCsv(list, !sizes.has(file))];
    });
    texts.push([FINDINGS_FILE, found.map((finding) => `${JSON.stringify(finding)}\n`).join('')]);
    const changed: Record<string, number> = {};
    for (const [file, text] of texts) {
      if (text === '') continue;
      await append(file, text);
      changed[file] = sizes.get(file) ?? 0;
    }
    await append(JOURNAL_FILE, `${JSON.stringify({ ...line, files: changed })}\n`);
  }

  let last: Promise<void> = Promise.resolve();
  return {
    dir,
    journalLines: lines,
    findings,
    commit(rows, found, line) {
      // After a failed write nothing more is written: the journal must not confirm rows after a gap.
      last = last.then(() => write(rows, found, line));
      return last.catch((error) => {
        const message = `Cannot write the results: ${systemReason(error)}. The results so far are kept.`;
        throw new Failure('unavailable', 'RESULTS_UNWRITABLE', message, {}, { cause: error });
      });
    },
    async close() {
      await last.catch(() => {});
      await Promise.all([...handles.values()].map((handle) => handle.close()));
    },
  };
}

/** Reads the journal up to the first line whose rows are missing: a power cut can lose the end of a table but not of the journal. */
async function readConsistentJournal(dir: string): Promise<{ lines: JournalLine[]; length: number }> {
  const { lines, ends } = parseJournal(await readFileOrEmpty(join(dir, JOURNAL_FILE)));
  const there = new Map<string, number>();
  for (const file of appendedFiles) there.set(file, await fileSizeOrZero(join(dir, file)));
  const lost = lines.findIndex((line) =>
    Object.entries(line.files).some(([file, size]) => size > (there.get(file) ?? 0)),
  );
  const sound = lost === -1 ? lines.length : lost;
  return { lines: lines.slice(0, sound), length: ends[sound - 1] ?? 0 };
}

async function fileSizeOrZero(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 0;
    throw error;
  }
}

async function readFileOrEmpty(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
