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

/** Who the page belongs to. */
export interface PageIdentity {
  organisation: string;
  sector: string;
  /** As in the list of sites; issue ids are made from it. */
  siteUrl: string;
  /** As in the tables. */
  baseUrl: string;
  url: string;
  pageId: number;
}

/** A page in one viewport, loaded and settled, and what an audit may want to know about it. */
export interface AuditTarget extends PageIdentity {
  /** May be another one after `reopen`. */
  readonly page: Page;
  viewport: Viewport;
  title: string;
  source(): Promise<string | undefined>;
  /** The results folder, for pictures. */
  resultsDir: string;
  scriptLimitMs: number;
  knownFindings: KnownFindings;
  validateHtml: HtmlValidator['validate'];
  /** Opens the same page again, in a fresh tab, when the first has become unusable. */
  reopen(): Promise<Page>;
}

interface AuditResult {
  rows: CsvTables;
  issues: number;
  details?: FindingDetails[];
  /** What could not be tested. */
  partial?: string[];
}

export interface Audit {
  name: PluginName;
  /** Runs in one viewport only, for what it looks at is the same in all. */
  isViewportIndependent?: boolean;
  run(auditTarget: AuditTarget, settings: PluginSettings): Promise<AuditResult>;
}

/** The eight columns that every table begins with. */
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

/** The columns of axe_core_audit.csv after the first eight, which our own audits share. */
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

/** Says that a page was looked at and is clean, which is not the same as never having been looked at. */
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

/** The first characters of a text, none of them cut in two. */
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
