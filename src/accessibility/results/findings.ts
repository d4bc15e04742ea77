import { Failure } from '../../platform/errors.ts';
import { readDetails } from './details.ts';
import { type CsvFile, classByName, csvFiles, type FileClass } from './files.ts';
import type { Finding } from './finding.ts';
import { fingerprintOf } from './fingerprint.ts';
import { type FileProblem, walkFile } from './walk.ts';

export interface FindingsQuery {
  auditType?: string | undefined;
  impact?: string | undefined;
  limit: number;
  signal?: AbortSignal | undefined;
}

/** One result under the specification's keys, with what else helps to find and fix it. */
interface ResultRow {
  url: string;
  rule_id: string;
  impact: string;
  description: string;
  html: string;
  target: string;
  help_url: string;
  help: string;
  audit_type: string;
  viewport: string;
  num_issues: number;
  page_title: string;
  issue_id: string;
  fingerprint: string;
  /** axe's own words on how to fix this element, and its CSS selector, where the engine noted them. */
  fix?: string;
  selector?: string;
  /** What only this audit notes. */
  details?: Record<string, string>;
}

export interface Findings {
  total_results: number;
  returned_results: number;
  results: ResultRow[];
  /** Files that could not be read whole; empty when all is well. */
  problems: FileProblem[];
}

const maxText = 2000;

/** The findings of a results folder. Without an audit type: of all audits that find faults, needs-review kept apart. */
export async function readFindings(dir: string, query: FindingsQuery): Promise<Findings> {
  const files = await csvFiles(dir);
  const chosen = query.auditType === undefined ? files : [fileOf(query.auditType, files)];
  const results: ResultRow[] = [];
  const problems: FileProblem[] = [];
  const impact = query.impact?.toLowerCase();
  let total = 0;
  for (const file of chosen) {
    const found = await walkFile(file, {
      signal: query.signal,
      wanted: (_stem, fileClass) => query.auditType !== undefined || fileClass === 'finding',
      row(row, fileClass, more) {
        if (row.weight === 0 || (impact !== undefined && row.impact !== impact)) return;
        total++;
        if (results.length < query.limit) results.push(resultRow(row, fileClass, more()));
      },
    });
    problems.push(...found);
  }
  const details = await readDetails(dir, new Set(results.map((result) => result.issue_id)), query.signal);
  for (const result of results) {
    const known = details.get(result.issue_id);
    if (known) result.fix = cut(known.fix);
    if (known?.target === result.target) result.selector = cut(known.selector);
  }
  return { total_results: total, returned_results: results.length, results, problems };
}

/** An audit type is the stem of a file, with or without `_audit`. It is looked up among the files that are there: no path gets through. */
function fileOf(auditType: string, files: readonly CsvFile[]): CsvFile {
  const file = [auditType, `${auditType}_audit`]
    .map((stem) => files.find((candidate) => candidate.stem === stem))
    .find((candidate) => candidate && classByName(candidate.stem) !== 'housekeeping');
  if (file) return file;
  throw new Failure('not_found', 'NO_RESULTS_FILE', `No results file for audit type: ${auditType}`, {
    available: files.map(({ stem }) => stem).filter((stem) => classByName(stem) !== 'housekeeping'),
  });
}

function resultRow(row: Finding, fileClass: FileClass, more: Record<string, string>): ResultRow {
  const details = Object.entries(more).map(([name, value]): [string, string] => [cut(name), cut(value)]);
  return {
    url: row.url,
    rule_id: row.ruleId,
    impact: row.impact,
    description: cut(row.description),
    html: cut(row.html),
    target: cut(row.target),
    help_url: row.helpUrl,
    help: cut(row.help),
    audit_type: row.auditType,
    viewport: row.viewport,
    // What was noted down is not a fault.
    num_issues: fileClass === 'observation' ? 0 : row.weight,
    page_title: cut(row.pageTitle),
    issue_id: row.issueId,
    fingerprint: fingerprintOf(row),
    ...(details.length > 0 && { details: Object.fromEntries(details) }),
  };
}

function cut(text: string): string {
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text;
}
