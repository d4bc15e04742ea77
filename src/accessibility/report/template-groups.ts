import { type AuditFinding, type IssueImpact, worseImpact } from '../results/audit-finding.ts';
import type { FindingIdentity } from '../results/fingerprint.ts';
import { issueScreenshotPath } from '../results/issue-details.ts';
import { isAboutPeople } from './report-finding.ts';
import { accessibilityReportLimits, type FindingExample, truncateText } from './report-model.ts';

/** Totals of one template, collected row by row. */
export interface TemplateTally {
  id: string;
  label: string;
  impact: IssueImpact;
  issues: number;
  byViewport: Map<string, number>;
  pages: Set<number>;
  examples: FindingExample[];
  newIssues: number;
  persistingIssues: number;
}

export interface RuleTally {
  ruleId: string;
  auditType: string;
  impact: IssueImpact;
  help: string;
  description: string;
  helpUrl: string;
  tags: string;
  bestPractice: boolean;
  isAboutPeople: boolean;
  /** Its rows have different descriptions. */
  hasMixedDescriptions: boolean;
  issues: number;
  pages: Set<number>;
  templates: Map<string, TemplateTally>;
}

export interface TemplateGroupStore {
  rules: ReadonlyMap<string, RuleTally>;
  add(row: AuditFinding, identity: FindingIdentity, page: number): TemplateTally;
}

/** Memory limit for sites that name each element differently: later templates share one group per rule. */
const MAX_GROUPS = 20_000;

/** `pictured` are the ids of issues with a screenshot, which are preferred as examples. */
export function createTemplateGroupStore(pictured: ReadonlySet<string> = new Set()): TemplateGroupStore {
  const rules = new Map<string, RuleTally>();
  let groupCount = 0;

  const ruleOf = (row: AuditFinding): RuleTally => {
    const key = `${row.auditType}\0${row.ruleId}`;
    let rule = rules.get(key);
    if (!rule) {
      rule = {
        ruleId: truncateText(row.ruleId, 120),
        auditType: row.auditType,
        impact: row.impact,
        help: '',
        description: '',
        helpUrl: '',
        tags: '',
        bestPractice: row.bestPractice,
        isAboutPeople: isAboutPeople(row),
        hasMixedDescriptions: false,
        issues: 0,
        pages: new Set(),
        templates: new Map(),
      };
      rules.set(key, rule);
    }
    // The smallest of different texts, so that the result does not depend on the order of rows.
    rule.hasMixedDescriptions ||=
      rule.description !== '' && row.description !== '' && rule.description !== row.description;
    rule.help = smallerText(rule.help, row.help);
    rule.description = smallerText(rule.description, row.description);
    rule.helpUrl = smallerText(rule.helpUrl, row.helpUrl);
    rule.tags ||= row.tags;
    rule.impact = worseImpact(rule.impact, row.impact);
    return rule;
  };

  return {
    rules,
    add(row, { template, fingerprint }, page) {
      const rule = ruleOf(row);
      rule.issues += row.weight;
      rule.pages.add(page);
      let group = rule.templates.get(template.key);
      if (!group) {
        const full = groupCount >= MAX_GROUPS;
        const id = full ? `${row.auditType}-${row.ruleId}-others` : template.key;
        const label = full ? 'many other elements' : template.label;
        group = full ? rule.templates.get(id) : undefined;
        if (!group) {
          groupCount++;
          group = createGroup(id, label, row.impact);
          rule.templates.set(id, group);
        }
      }
      group.issues += row.weight;
      group.impact = worseImpact(group.impact, row.impact);
      group.byViewport.set(row.viewport, (group.byViewport.get(row.viewport) ?? 0) + row.weight);
      group.pages.add(page);
      keepBestExamples(group.examples, row, fingerprint, pictured.has(row.issueId));
      return group;
    },
  };
}

/** Estimates the number of elements: an element counts once per viewport, so the viewport with the most issues is used. */
export function countElements(group: TemplateTally): number {
  return Math.max(0, ...group.byViewport.values());
}

function createGroup(id: string, label: string, impact: IssueImpact): TemplateTally {
  return {
    id,
    label,
    impact,
    issues: 0,
    byViewport: new Map(),
    pages: new Set(),
    examples: [],
    newIssues: 0,
    persistingIssues: 0,
  };
}

/** Keeps the best examples, one per fingerprint. */
function keepBestExamples(examples: FindingExample[], row: AuditFinding, fingerprint: string, pictured: boolean): void {
  const screenshot = pictured ? issueScreenshotPath(row.issueId) : '';
  const candidate = { url: row.url, target: row.target, viewport: row.viewport, screenshot };
  const same = examples.findIndex((example) => example.fingerprint === fingerprint);
  const before = examples[same];
  if (before) {
    if (!isBetterExample(candidate, before)) return;
    examples.splice(same, 1);
  } else if (examples.length >= accessibilityReportLimits.examples) {
    const last = examples.at(-1);
    if (!last || !isBetterExample(candidate, last)) return;
    examples.pop();
  }
  const at = examples.findIndex((example) => isBetterExample(candidate, example));
  examples.splice(at === -1 ? examples.length : at, 0, {
    fingerprint,
    url: truncateText(row.url, accessibilityReportLimits.url),
    html: truncateText(row.html, accessibilityReportLimits.html),
    target: truncateText(row.target, accessibilityReportLimits.target),
    viewport: truncateText(row.viewport, 60),
    description: truncateText(row.description, accessibilityReportLimits.text),
    failure_summary: truncateText(row.failureSummary, accessibilityReportLimits.text),
    issue_id: truncateText(row.issueId, 80),
    selector: '',
    screenshot,
  });
}

type ExampleOrder = Pick<FindingExample, 'url' | 'target' | 'viewport' | 'screenshot'>;

function isBetterExample(a: ExampleOrder, b: ExampleOrder): boolean {
  if ((a.screenshot === '') !== (b.screenshot === '')) return a.screenshot !== '';
  if (a.url.length !== b.url.length) return a.url.length < b.url.length;
  if (a.url !== b.url) return a.url < b.url;
  if (a.target !== b.target) return a.target < b.target;
  return a.viewport < b.viewport;
}

function smallerText(a: string, b: string): string {
  if (a === '' || b === '') return a || b;
  return a <= b ? a : b;
}
