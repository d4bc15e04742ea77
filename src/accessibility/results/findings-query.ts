import { Failure } from '../../platform/errors.ts';
import type { AuditFinding } from './audit-finding.ts';
import { computeFingerprint } from './fingerprint.ts';
import { readIssueDetails } from './issue-details.ts';
import { type CsvFile, classifyByName, type FileClass, listCsvFiles } from './result-files.ts';
import { type FileProblem, walkResultFile } from './results-walk.ts';

export interface FindingsQuery {
  auditType?: string | undefined;
  impact?: string | undefined;
  limit: number;
  signal?: AbortSignal | undefined;
}

/** One result with the keys of the specification, and additional keys that help to find and fix it. */
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
  /** axe's failure summary and the CSS selector, when the engine recorded them. */
  fix?: string;
  selector?: string;
  /** Columns that only this audit has. */
  details?: Record<string, string>;
}

export interface QueriedFindings {
  total_results: number;
  returned_results: number;
  results: ResultRow[];
  /** Files that could not be read completely. */
  problems: FileProblem[];
}

const MAX_TEXT = 2000;

/** Reads the findings of a results folder: of one audit type, or of all audits with issues (without needs-review tables). Throws NO_RESULTS_FILE. */
export async function queryFindings(dir: string, query: FindingsQuery): Promise<QueriedFindings> {
  const files = await listCsvFiles(dir);
  const chosen = query.auditType === undefined ? files : [findAuditFile(query.auditType, files)];
  const results: ResultRow[] = [];
  const problems: FileProblem[] = [];
  const impact = query.impact?.toLowerCase();
  let total = 0;
  for (const file of chosen) {
    const found = await walkResultFile(file, {
      signal: query.signal,
      includesFile: (_stem, fileClass) => query.auditType !== undefined || fileClass === 'finding',
      onRow(row, fileClass, more) {
        if (row.weight === 0 || (impact !== undefined && row.impact !== impact)) return;
        total++;
        if (results.length < query.limit) results.push(toResultRow(row, fileClass, more()));
      },
    });
    problems.push(...found);
  }
  const details = await readIssueDetails(dir, new Set(results.map((result) => result.issue_id)), query.signal);
  for (const result of results) {
    const known = details.get(result.issue_id);
    if (known) result.fix = truncate(known.fix);
    if (known?.target === result.target) result.selector = truncate(known.selector);
  }
  return { total_results: total, returned_results: results.length, results, problems };
}

/** An audit type is a file name without `.csv`, with or without `_audit`. It is compared with existing files, so it cannot be a path. */
function findAuditFile(auditType: string, files: readonly CsvFile[]): CsvFile {
  const file = [auditType, `${auditType}_audit`]
    .map((stem) => files.find((candidate) => candidate.stem === stem))
    .find((candidate) => candidate && classifyByName(candidate.stem) !== 'housekeeping');
  if (file) return file;
  const available = files.map(({ stem }) => stem).filter((stem) => classifyByName(stem) !== 'housekeeping');
  throw new Failure('not_found', 'NO_RESULTS_FILE', `No results file for audit type: ${auditType}`, {
    available,
    hint:
      available.length > 0
        ? `Pass one of these as audit_type: ${available.join(', ')}.`
        : 'The scan wrote no audit files. Call cwac_scan_status for the reasons.',
  });
}

function toResultRow(row: AuditFinding, fileClass: FileClass, more: Record<string, string>): ResultRow {
  const details = Object.entries(more).map(([name, value]): [string, string] => [truncate(name), truncate(value)]);
  return {
    url: row.url,
    rule_id: row.ruleId,
    impact: row.impact,
    description: truncate(row.description),
    html: truncate(row.html),
    target: truncate(row.target),
    help_url: row.helpUrl,
    help: truncate(row.help),
    audit_type: row.auditType,
    viewport: row.viewport,
    // Observations are not issues.
    num_issues: fileClass === 'observation' ? 0 : row.weight,
    page_title: truncate(row.pageTitle),
    issue_id: row.issueId,
    fingerprint: computeFingerprint(row),
    ...(details.length > 0 && { details: Object.fromEntries(details) }),
  };
}

function truncate(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
