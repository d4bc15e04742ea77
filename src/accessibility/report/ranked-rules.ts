import { type IssueImpact, issueImpacts } from '../results/audit-finding.ts';
import type { PageTallies } from './page-tally.ts';
import {
  accessibilityReportLimits,
  type ChangeState,
  type ReportRule,
  type TemplateGroup,
  truncateText,
} from './report-model.ts';
import { countElements, type RuleTally, type TemplateGroupStore, type TemplateTally } from './template-groups.ts';

export interface RankedRules {
  rules: ReportRule[];
  templates: number;
  /** Number of templates with issues that affect people. */
  peopleTemplates: number;
  elements: number;
}

/** Sorts the rules by importance and truncates the lists to the report limits; the totals cover everything. */
export function rankRules(
  store: TemplateGroupStore,
  pages: PageTallies,
  top: readonly { page: number }[],
): RankedRules {
  const tallies = [...store.rules.values()].sort(compareRules);
  const shown = allotTemplates(tallies);
  const topIndex = new Map(top.map(({ page }, index) => [page, index]));
  const group = (tally: TemplateTally): TemplateGroup => ({
    id: tally.id,
    label: tally.label,
    impact: tally.impact,
    issues: tally.issues,
    elements: countElements(tally),
    pages: tally.pages.size,
    ...changeState(tally),
    viewports: [...tally.byViewport.keys()]
      .filter((name) => name !== '')
      .sort()
      .slice(0, 6)
      .map((name) => truncateText(name, 60)),
    examples: tally.examples,
    page_urls: shortestUrls(tally.pages, pages),
    top_pages: [...tally.pages].flatMap((page) => topIndex.get(page) ?? []).sort((a, b) => a - b),
  });
  const rules = tallies.slice(0, accessibilityReportLimits.rules).map((tally): ReportRule => {
    const groups = [...tally.templates.values()].sort(compareTemplates);
    return {
      rule_id: tally.ruleId,
      audit_type: tally.auditType,
      impact: tally.impact,
      help: truncateText(tally.help || mixedRuleName(tally), accessibilityReportLimits.text),
      // With mixed descriptions, each example shows its own.
      description: tally.hasMixedDescriptions ? '' : truncateText(tally.description, accessibilityReportLimits.text),
      help_url: truncateText(tally.helpUrl, accessibilityReportLimits.url),
      ...parseWcagTags(tally.tags),
      best_practice: tally.bestPractice,
      about_people: tally.isAboutPeople,
      issues: tally.issues,
      elements: groups.reduce((sum, one) => sum + countElements(one), 0),
      pages: tally.pages.size,
      templates_total: groups.length,
      templates: groups.slice(0, shown.get(tally) ?? 0).map(group),
    };
  });
  let templates = 0;
  let peopleTemplates = 0;
  let elements = 0;
  for (const tally of tallies) {
    templates += tally.templates.size;
    if (tally.isAboutPeople) peopleTemplates += tally.templates.size;
    for (const one of tally.templates.values()) elements += countElements(one);
  }
  return { rules, templates, peopleTemplates, elements };
}

/** Distributes the limit of templates: each rule gets at least one, and important rules get more. */
function allotTemplates(tallies: readonly RuleTally[]): Map<RuleTally, number> {
  let left: number = accessibilityReportLimits.templates;
  return new Map(
    tallies.slice(0, accessibilityReportLimits.rules).map((tally, index, all) => {
      const laterRules = all.length - index - 1;
      const count = Math.max(
        1,
        Math.min(tally.templates.size, accessibilityReportLimits.templatesPerRule, left - laterRules),
      );
      left -= count;
      return [tally, count];
    }),
  );
}

/** Title of a rule with mixed descriptions, from its id: `close-order` becomes `Close order`. */
function mixedRuleName({ ruleId, hasMixedDescriptions: mixed }: RuleTally): string {
  if (!mixed) return '';
  const words = ruleId.replaceAll('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function compareRules(a: RuleTally, b: RuleTally): number {
  return (
    Number(b.isAboutPeople) - Number(a.isAboutPeople) ||
    severityRank(a.impact) - severityRank(b.impact) ||
    Number(a.bestPractice) - Number(b.bestPractice) ||
    b.pages.size - a.pages.size ||
    b.issues - a.issues ||
    (a.auditType + a.ruleId < b.auditType + b.ruleId ? -1 : 1)
  );
}

function compareTemplates(a: TemplateTally, b: TemplateTally): number {
  return (
    severityRank(a.impact) - severityRank(b.impact) ||
    b.pages.size - a.pages.size ||
    b.issues - a.issues ||
    (a.id < b.id ? -1 : 1)
  );
}

/** Empty when no earlier scan covers the template. */
function changeState({ persistingIssues, newIssues }: TemplateTally): { state?: ChangeState } {
  if (persistingIssues > 0) return { state: 'persisting' };
  return newIssues > 0 ? { state: 'new' } : {};
}

function severityRank(impact: IssueImpact): number {
  return issueImpacts.indexOf(impact);
}

function shortestUrls(numbers: ReadonlySet<number>, pages: PageTallies): string[] {
  const first: string[] = [];
  for (const number of numbers) {
    const url = pages.urlOf(number);
    const at = first.findIndex((other) => isShorter(url, other));
    if (at === -1 && first.length >= accessibilityReportLimits.pageUrls) continue;
    first.splice(at === -1 ? first.length : at, 0, url);
    if (first.length > accessibilityReportLimits.pageUrls) first.pop();
  }
  return first.map((url) => truncateText(url, accessibilityReportLimits.url));
}

function isShorter(a: string, b: string): boolean {
  return a.length === b.length ? a < b : a.length < b.length;
}

/** Parses axe's tags: success criteria are written as `wcag143`, levels as `wcag2aa`. */
function parseWcagTags(tags: string): { wcag: string[]; level: string } {
  const wcag = [...tags.matchAll(/\bwcag(\d)(\d)(\d{1,2})\b/g)].map(([, a, b, c]) => `${a}.${b}.${c}`);
  const level = /\bwcag2\d?(a{1,3})\b/.exec(tags)?.[1]?.toUpperCase() ?? '';
  return { wcag: [...new Set(wcag)].slice(0, 10), level };
}
