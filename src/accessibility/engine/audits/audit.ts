import type { Page } from 'playwright-core';
import type { PluginName, PluginSettings } from '../config.ts';
import type { Row, Rows } from '../csv.ts';
import type { Finding, KnownFindings } from '../findings.ts';
import type { HtmlValidator } from '../html-validator.ts';
import { pythonSize } from '../python.ts';

/** A viewport by its name in the configuration. */
export interface View {
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
export interface Sight extends PageIdentity {
  /** May be another one after `reopen`. */
  readonly page: Page;
  view: View;
  title: string;
  source(): Promise<string | undefined>;
  /** The results folder, for pictures. */
  dir: string;
  scriptLimitMs: number;
  known: KnownFindings;
  validateHtml: HtmlValidator['validate'];
  /** Opens the same page again, in a fresh tab, when the first has become unusable. */
  reopen(): Promise<Page>;
}

interface Findings {
  rows: Rows;
  issues: number;
  details?: Finding[];
  /** What could not be tested. */
  partial?: string[];
}

export interface Audit {
  name: PluginName;
  /** Runs in one viewport only, for what it looks at is the same in all. */
  once?: boolean;
  run(sight: Sight, settings: PluginSettings): Promise<Findings>;
}

/** The eight columns that every table begins with. */
export function standardColumns(sight: PageIdentity & { view: View; title: string }): Row {
  return {
    organisation: sight.organisation,
    sector: sight.sector,
    page_title: sight.title,
    base_url: sight.baseUrl,
    url: sight.url,
    viewport_size: pythonSize(sight.view),
    audit_id: auditId(sight),
    page_id: sight.pageId,
  };
}

export function auditId({ pageId, view }: { pageId: number; view: View }): string {
  return `${pageId}_${view.name}`;
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

export function issueRow(standard: Row, issue: IssueColumns): Row {
  const { bestPractice, ...columns } = issue;
  return { ...standard, ...columns, 'best-practice': bestPractice ? 'Yes' : 'No' };
}

/** Says that a page was looked at and is clean, which is not the same as never having been looked at. */
export function cleanRow(standard: Row, auditType: string): Row {
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
export function firstCharacters(text: string, most: number): string {
  return text.length <= most
    ? text
    : Array.from(text.slice(0, most * 2))
        .slice(0, most)
        .join('');
}

export function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
