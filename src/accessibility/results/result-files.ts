import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure, systemCode, systemReason } from '../../platform/errors.ts';

/** What the rows of a file are: issues, results that a person has to review, measurements without issues, or the engine's own records. */
export type FileClass = 'finding' | 'needs_review' | 'observation' | 'housekeeping';

const classesByName = new Map<string, FileClass>([
  ['axe_core_audit', 'finding'],
  ['reflow_audit', 'finding'],
  ['focus_indicator_audit', 'finding'],
  ['html_validation', 'finding'],
  ['seo_audit', 'finding'],
  ['crawl_audit', 'finding'],
  ['language_audit', 'observation'],
  ['title_audit', 'observation'],
  ['screenshot_audit', 'observation'],
  ['element_audit', 'observation'],
  ['audit_log', 'housekeeping'],
  ['pages_scanned', 'housekeeping'],
  ['progress', 'housekeeping'],
  ['unexpected_response_codes', 'housekeeping'],
  ['anti_bot', 'housekeeping'],
]);

/** Classifies a file by its name; undefined when the name is not known. */
export function classifyByName(stem: string): FileClass | undefined {
  if (stem.endsWith('_needs_review')) return 'needs_review';
  if (/_template_aware$|leaderboard|^report/.test(stem)) return 'housekeeping';
  return classesByName.get(stem);
}

/** Classifies a file by its name or, for files of unknown plugins, by its columns. */
export function classifyResultFile(stem: string, header: readonly string[]): FileClass {
  const known = classifyByName(stem);
  if (known) return known;
  if (['num_issues', 'impact', 'rule_id', 'ruleId', 'id'].some((column) => header.includes(column))) return 'finding';
  return header.includes('url') ? 'observation' : 'housekeeping';
}

export interface CsvFile {
  /** File name without `.csv`, which is also the name of the audit. */
  stem: string;
  path: string;
}

/** Lists the CSV files of a results folder by name. Throws RESULTS_MISSING or RESULTS_UNREADABLE. */
export async function listCsvFiles(dir: string): Promise<CsvFile[]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') {
      throw new Failure('not_found', 'RESULTS_MISSING', `Results directory not found: ${dir}`);
    }
    throw unreadableResults(error);
  });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.csv') && !entry.name.startsWith('.'))
    .map((entry) => ({ stem: entry.name.slice(0, -'.csv'.length), path: join(dir, entry.name) }))
    .sort((a, b) => (a.stem < b.stem ? -1 : 1));
}

export function unreadableResults(error: unknown): Failure {
  const message = `Cannot read results directory: ${systemReason(error)}`;
  return new Failure('configuration', 'RESULTS_UNREADABLE', message, {}, { cause: error });
}
