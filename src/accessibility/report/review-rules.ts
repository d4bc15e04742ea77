import type { AuditFinding } from '../results/audit-finding.ts';
import { accessibilityReportLimits, type ReviewRule, truncateText } from './report-model.ts';

export interface ReviewTallies {
  add(row: AuditFinding): void;
  total(): number;
  rules(): ReviewRule[];
}

/** Collects results that axe could not decide, by rule. */
export function createReviewTallies(): ReviewTallies {
  const rules = new Map<string, { rule: ReviewRule; pages: Set<string>; byViewport: Map<string, number> }>();
  let total = 0;
  return {
    add(row) {
      if (row.weight === 0) return;
      total += row.weight;
      let entry = rules.get(row.ruleId);
      if (!entry) {
        const rule: ReviewRule = {
          rule_id: truncateText(row.ruleId, 120),
          help: truncateText(row.help || row.description, accessibilityReportLimits.text),
          help_url: truncateText(row.helpUrl, accessibilityReportLimits.url),
          elements: 0,
          pages: 0,
          example_url: row.url,
        };
        entry = { rule, pages: new Set(), byViewport: new Map() };
        rules.set(row.ruleId, entry);
      }
      entry.pages.add(row.url);
      entry.byViewport.set(row.viewport, (entry.byViewport.get(row.viewport) ?? 0) + row.weight);
      if (row.url < entry.rule.example_url) entry.rule.example_url = row.url;
    },
    total: () => total,
    rules: () =>
      [...rules.values()]
        .map(({ rule, pages, byViewport }) => ({
          ...rule,
          example_url: truncateText(rule.example_url, accessibilityReportLimits.url),
          elements: Math.max(0, ...byViewport.values()),
          pages: pages.size,
        }))
        .sort((a, b) => b.elements - a.elements || (a.rule_id < b.rule_id ? -1 : 1))
        .slice(0, accessibilityReportLimits.needsReview),
  };
}
