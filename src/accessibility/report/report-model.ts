import type { IssueImpact } from '../results/audit-finding.ts';
import type { MissedPages, PageOutcome } from '../results/page-outcomes.ts';
import type { FileProblem } from '../results/results-walk.ts';

/**
 * The one document that all reports of a scan are made from. It is bounded: a scan of ten thousand pages and one of
 * ten have the same lists of the same greatest lengths, with totals beside them.
 */
export interface ReportModel {
  schema: 'assay.accessibility-report';
  version: 1;
  name: string;
  /** The hosts that were scanned, in words; the name where none is known. */
  headline: string;
  generated_at: string;
  verdict: ScanVerdict;
  numbers: ReportNumbers;
  rules: ReportRule[];
  /** Rules that only a person can confirm. They are not counted as issues. */
  needs_review: ReviewRule[];
  top_pages: PageIssues[];
  sites: SiteScore[];
  /** Absent when there was no earlier scan to compare with. */
  changes?: ScanChanges;
  scan: ScanDetails;
}

export interface ScanVerdict {
  /** The worst impact found, `clean`, or `not_scanned` when no page was. */
  level: IssueImpact | 'clean' | 'not_scanned';
  word: string;
  sentence: string;
}

export interface ReportNumbers {
  pages: Record<PageOutcome, number>;
  /** Pages with at least one issue. */
  pages_with_issues: number;
  /** Counted as CWAC counts: at each viewport. */
  issues: number;
  issues_by_impact: Record<IssueImpact, number>;
  issues_by_audit_type: Record<string, number>;
  /** Of all this, what has to do with people: neither hints for search engines nor the like. */
  people: { issues_by_impact: Record<IssueImpact, number>; templates: number; pages_with_issues: number };
  /** An element with faults at two viewports is one element. */
  elements: number;
  rules: number;
  /** Rule and template: each is one thing to fix. */
  templates: number;
  needs_review: number;
}

export interface ReportRule {
  rule_id: string;
  audit_type: string;
  impact: IssueImpact;
  help: string;
  description: string;
  help_url: string;
  /** WCAG success criteria, such as 1.4.3. */
  wcag: string[];
  /** A, AA or AAA, where the rule belongs to one. */
  level: string;
  best_practice: boolean;
  /** False for hints for search engines and the like. */
  about_people: boolean;
  issues: number;
  elements: number;
  pages: number;
  templates_total: number;
  templates: TemplateGroup[];
}

export type ChangeState = 'new' | 'persisting';

/** The same fault in the same place of a template, on however many pages. */
export interface TemplateGroup {
  id: string;
  label: string;
  impact: IssueImpact;
  issues: number;
  elements: number;
  pages: number;
  /** Absent when there was no earlier scan. */
  state?: ChangeState;
  viewports: string[];
  examples: FindingExample[];
  /** Some of the pages, the shortest addresses first. */
  page_urls: string[];
  /** Which of `top_pages` it is on, by position. */
  top_pages: number[];
}

export interface FindingExample {
  fingerprint: string;
  url: string;
  html: string;
  target: string;
  viewport: string;
  description: string;
  failure_summary: string;
  issue_id: string;
  /** CSS, where the engine noted it; `target` is mostly an XPath. */
  selector: string;
  /** Path of a picture in the results folder, or empty. */
  screenshot: string;
}

export interface ReviewRule {
  rule_id: string;
  help: string;
  help_url: string;
  elements: number;
  pages: number;
  example_url: string;
}

export interface PageIssues {
  url: string;
  title: string;
  issues: number;
  issues_by_impact: Record<IssueImpact, number>;
  /** Of these, what has to do with people. */
  people_by_impact: Record<IssueImpact, number>;
}

/** A line of the leaderboard. Without scanned pages there is no average and no rank. */
export interface SiteScore {
  organisation: string;
  base_url: string;
  num_pages_scanned: number;
  num_issues: number;
  average_num_issues_per_page?: number;
  percentile?: number;
}

/** Counts are of fingerprints: of distinct faults, not of how often they show. */
export interface ScanChanges {
  previous: string;
  /** Sites that no earlier scan has seen: nothing of theirs is counted here. */
  first_scanned: number;
  new: number;
  persisting: number;
  fixed: number;
  /** Were found before on pages, or by audits, that this scan does not cover: nobody knows. */
  not_checked: number;
  fixed_examples: FixedIssue[];
}

export interface FixedIssue {
  fingerprint: string;
  rule_id: string;
  help: string;
  label: string;
  url: string;
}

export interface ScanDetails {
  audit_types: string[];
  settings: { name: string; value: string }[];
  versions: { name: string; value: string }[];
  started_at?: string;
  duration?: string;
  /** Why it did not come to its end. */
  cut_short?: string;
  missed: MissedPages[];
  /** What could not be tested on pages that were scanned. */
  partial: { what: string; pages: number }[];
  problems: FileProblem[];
}

/** What keeps a report within bounds, whatever was scanned. */
export const reportLimits = {
  rules: 150,
  templatesPerRule: 12,
  templates: 300,
  examples: 3,
  pageUrls: 8,
  topPages: 50,
  needsReview: 30,
  sites: 1000,
  fixed: 30,
  url: 500,
  html: 600,
  target: 300,
  text: 600,
} as const;

export function truncateText(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
