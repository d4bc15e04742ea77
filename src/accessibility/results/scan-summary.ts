import { type IssueImpact, issueImpacts, worseImpact } from './audit-finding.ts';
import {
  type MissedPages,
  type OutcomeSummary,
  type PageOutcome,
  readPageOutcomes,
  toPageOutcome,
} from './page-outcomes.ts';
import { type FileProblem, walkResults } from './results-walk.ts';

interface Violation {
  rule_id: string;
  count: number;
  impact: IssueImpact;
  description: string;
  help: string;
  help_url: string;
}

export interface ScanSummary {
  total_issues: number;
  issues_by_audit_type: Record<string, number>;
  issues_by_impact: Record<string, number>;
  top_violations: Violation[];
  urls_scanned: number;
  needs_review: number;
  pages: Record<PageOutcome, number>;
  missed: MissedPages[];
  /** Checks that could not run on scanned pages. */
  partly_tested: OutcomeSummary['partial'];
  problems: FileProblem[];
}

const TOP_VIOLATIONS = 10;

/** Aggregates a results folder. A folder without results gives zeros and empty lists. */
export async function summariseScan(dir: string, signal?: AbortSignal): Promise<ScanSummary> {
  const byAudit = new Map<string, number>();
  const byImpact = new Map<IssueImpact, number>();
  const rules = new Map<string, Violation>();
  const urls = new Set<string>();
  let needsReview = 0;
  let total = 0;
  const problems = await walkResults(dir, {
    signal,
    onAudit(stem, fileClass) {
      if (fileClass === 'finding') byAudit.set(stem, 0);
    },
    onRow(row, fileClass) {
      // crawl_audit.csv also has rows for pages that were not loaded.
      if (row.url !== '' && (row.outcome === '' || toPageOutcome(row.outcome) === 'scanned')) urls.add(row.url);
      if (fileClass === 'needs_review') needsReview += row.weight;
      if (fileClass !== 'finding' || row.weight === 0) return;
      total += row.weight;
      byAudit.set(row.auditType, (byAudit.get(row.auditType) ?? 0) + row.weight);
      byImpact.set(row.impact, (byImpact.get(row.impact) ?? 0) + row.weight);
      if (row.auditType !== 'axe_core_audit') return;
      const rule = rules.get(row.ruleId);
      if (!rule) {
        const { ruleId, weight, impact, description, help, helpUrl } = row;
        rules.set(ruleId, { rule_id: ruleId, count: weight, impact, description, help, help_url: helpUrl });
        return;
      }
      rule.count += row.weight;
      // Elements of one rule may differ in impact; the worst one counts.
      rule.impact = worseImpact(rule.impact, row.impact);
    },
  });
  const outcomes = await readPageOutcomes(dir, urls, signal);
  const violations = [...rules.values()].sort((a, b) => b.count - a.count || (a.rule_id < b.rule_id ? -1 : 1));
  return {
    total_issues: total,
    issues_by_audit_type: Object.fromEntries(byAudit),
    issues_by_impact: Object.fromEntries(issueImpacts.flatMap((impact) => countEntry(impact, byImpact.get(impact)))),
    top_violations: violations.slice(0, TOP_VIOLATIONS),
    urls_scanned: urls.size,
    needs_review: needsReview,
    pages: outcomes.counts,
    missed: outcomes.missed,
    partly_tested: outcomes.partial,
    problems: [...problems, ...outcomes.problems],
  };
}

function countEntry(impact: IssueImpact, count: number | undefined): [IssueImpact, number][] {
  return count === undefined ? [] : [[impact, count]];
}
