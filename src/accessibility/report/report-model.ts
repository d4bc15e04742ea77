import type { IssueImpact } from '../results/audit-finding.ts';
import type { MissedPages, PageOutcome } from '../results/page-outcomes.ts';
import type { FileProblem } from '../results/results-walk.ts';

/**
 * The model that all reports of a scan are rendered from. Its size is bounded by `reportLimits`, whatever the number of pages;
 * totals cover everything.
 */
export interface ReportModel {
  schema: 'assay.accessibility-report';
  version: 1;
  name: string;
  /** The scanned hosts as text; the name of the scan when no host is known. */
  headline: string;
  generated_at: string;
  verdict: ScanVerdict;
  numbers: ReportNumbers;
  rules: ReportRule[];
  /** Rules whose results a person has to confirm. They do not count as issues. */
  needs_review: ReviewRule[];
  top_pages: PageIssues[];
  sites: SiteScore[];
  /** Absent when there is no earlier scan to compare with. */
  changes?: ScanChanges;
  scan: ScanDetails;
}

export interface ScanVerdict {
  /** The worst impact, `clean`, or `not_scanned` when no page was scanned. */
  level: IssueImpact | 'clean' | 'not_scanned';
  word: string;
  sentence: string;
}

export interface ReportNumbers {
  pages: Record<PageOutcome, number>;
  /** Pages with at least one issue. */
  pages_with_issues: number;
  /** Counted once per viewport, as in CWAC. */
  issues: number;
  issues_by_impact: Record<IssueImpact, number>;
  issues_by_audit_type: Record<string, number>;
  /** Totals of findings that affect people, without hints for search engines and the like. */
  people: { issues_by_impact: Record<IssueImpact, number>; templates: number; pages_with_issues: number };
  /** An element with issues at two viewports counts once. */
  elements: number;
  rules: number;
  /** Number of pairs of rule and template; each is one thing to fix. */
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
  /** WCAG level A, AA or AAA, or empty. */
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

/** The same issue of the same template element, on any number of pages. */
export interface TemplateGroup {
  id: string;
  label: string;
  impact: IssueImpact;
  issues: number;
  elements: number;
  pages: number;
  /** Absent when no earlier scan covers the site. */
  state?: ChangeState;
  viewports: string[];
  examples: FindingExample[];
  /** Some of the pages, shortest addresses first. */
  page_urls: string[];
  /** Indexes of the pages in `top_pages` of the report. */
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
  /** CSS selector if the engine recorded it, or empty; `target` is usually an XPath. */
  selector: string;
  /** Path of the screenshot in the results folder, or empty. */
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
  /** Those of the issues that affect people. */
  people_by_impact: Record<IssueImpact, number>;
}

/** A row of the leaderboard. Sites without scanned pages have no average and no percentile. */
export interface SiteScore {
  organisation: string;
  base_url: string;
  num_pages_scanned: number;
  num_issues: number;
  average_num_issues_per_page?: number;
  percentile?: number;
}

/** Counts are numbers of fingerprints: each distinct issue counts once. */
export interface ScanChanges {
  previous: string;
  /** Number of sites without an earlier scan; their issues are not counted here. */
  first_scanned: number;
  new: number;
  persisting: number;
  fixed: number;
  /** Earlier issues on pages or of audits that this scan does not cover. */
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
  /** Why the scan did not finish. */
  cut_short?: string;
  missed: MissedPages[];
  /** Checks that could not run on scanned pages. */
  partial: { what: string; pages: number }[];
  problems: FileProblem[];
}

/** Limits on the size of a report: list lengths, and text lengths in characters. */
export const accessibilityReportLimits = {
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
