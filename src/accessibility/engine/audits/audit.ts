import type { Page } from 'playwright-core';
import type { PluginName, PluginSettings } from '../input/engine-config.ts';
import type { CsvRow, CsvTables } from '../output/csv-rows.ts';
import type { FindingDetails, KnownFindings } from '../output/finding-details.ts';
import { formatPythonSize } from '../output/python-format.ts';
import type { HtmlValidator } from './html-validator.ts';

/** A viewport by its name in the configuration. */
export interface Viewport {
  name: string;
  width: number;
  height: number;
}

/** Identifies a page and its site. */
export interface PageIdentity {
  organisation: string;
  sector: string;
  /** Base URL as in the site list; issue ids are computed from it. */
  siteUrl: string;
  /** Base URL as in the tables. */
  baseUrl: string;
  url: string;
  pageId: number;
}

/** The input of an audit: a loaded and settled page in one viewport, with its identity and services. */
export interface AuditTarget extends PageIdentity {
  /** Changes after `reopen`. */
  readonly page: Page;
  viewport: Viewport;
  title: string;
  source(): Promise<string | undefined>;
  /** The results folder, for screenshots. */
  resultsDir: string;
  scriptLimitMs: number;
  knownFindings: KnownFindings;
  validateHtml: HtmlValidator['validate'];
  /** Opens the same page again in a fresh tab, after the first has become unusable. */
  reopen(): Promise<Page>;
}

interface AuditResult {
  rows: CsvTables;
  issues: number;
  details?: FindingDetails[];
  /** Descriptions of what could not be tested. */
  partial?: string[];
}

export interface Audit {
  name: PluginName;
  /** The result is the same in all viewports, so the audit runs in one only. */
  isViewportIndependent?: boolean;
  run(auditTarget: AuditTarget, settings: PluginSettings): Promise<AuditResult>;
}

/** The first eight columns of every audit table. */
export function standardColumns(auditTarget: PageIdentity & { viewport: Viewport; title: string }): CsvRow {
  return {
    organisation: auditTarget.organisation,
    sector: auditTarget.sector,
    page_title: auditTarget.title,
    base_url: auditTarget.baseUrl,
    url: auditTarget.url,
    viewport_size: formatPythonSize(auditTarget.viewport),
    audit_id: auditId(auditTarget),
    page_id: auditTarget.pageId,
  };
}

export function auditId({ pageId, viewport }: { pageId: number; viewport: Viewport }): string {
  return `${pageId}_${viewport.name}`;
}

/** The columns of axe_core_audit.csv after the first eight; the audits that CWAC lacks use them too. */
export interface IssueColumns {
  audit_type: string;
  issue_id: string;
  description: string;
  target: string;
  num_issues: number;
  help: string;
  helpUrl: string;
  id: string;
  impact: string;
  html: string;
  tags: string;
  bestPractice: boolean;
}

export function issueRow(standard: CsvRow, issue: IssueColumns): CsvRow {
  const { bestPractice, ...columns } = issue;
  return { ...standard, ...columns, 'best-practice': bestPractice ? 'Yes' : 'No' };
}

/** A row for a page that was tested and has no issues, to distinguish it from an untested page. */
export function noIssuesRow(standard: CsvRow, auditType: string): CsvRow {
  return issueRow(standard, {
    audit_type: auditType,
    issue_id: '',
    description: 'No issues found',
    target: '',
    num_issues: 0,
    help: '',
    helpUrl: '',
    id: '',
    impact: '',
    html: '',
    tags: '',
    bestPractice: false,
  });
}

/** Truncates a text without splitting a surrogate pair. */
export function truncateCharacters(text: string, most: number): string {
  return text.length <= most
    ? text
    : Array.from(text.slice(0, most * 2))
        .slice(0, most)
        .join('');
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
