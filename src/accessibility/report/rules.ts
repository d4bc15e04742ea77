import { type Impact, impacts } from '../results/finding.ts';
import { elementsOf, type GroupStore, type GroupTally, type RuleTally } from './groups.ts';
import { bounds, type ChangeState, cut, type Rule, type TemplateGroup } from './model.ts';
import type { PageStore } from './pages.ts';

export interface RulesOfScan {
  rules: Rule[];
  templates: number;
  /** Of the templates, those that have to do with people. */
  peopleTemplates: number;
  elements: number;
}

/** What to fix, first things first, cut to what a person reads; the totals are of everything. */
export function rulesOf(store: GroupStore, pages: PageStore, top: readonly { page: number }[]): RulesOfScan {
  const tallies = [...store.rules.values()].sort(ruleOrder);
  const shown = allot(tallies);
  const topIndex = new Map(top.map(({ page }, index) => [page, index]));
  const group = (tally: GroupTally): TemplateGroup => ({
    id: tally.id,
    label: tally.label,
    impact: tally.impact,
    issues: tally.issues,
    elements: elementsOf(tally),
    pages: tally.pages.size,
    ...stateOf(tally),
    viewports: [...tally.byViewport.keys()]
      .filter((name) => name !== '')
      .sort()
      .slice(0, 6)
      .map((name) => cut(name, 60)),
    examples: tally.examples,
    page_urls: firstUrls(tally.pages, pages),
    top_pages: [...tally.pages].flatMap((page) => topIndex.get(page) ?? []).sort((a, b) => a - b),
  });
  const rules = tallies.slice(0, bounds.rules).map((tally): Rule => {
    const groups = [...tally.groups.values()].sort(groupOrder);
    return {
      rule_id: tally.ruleId,
      audit_type: tally.auditType,
      impact: tally.impact,
      help: cut(tally.help || ruleName(tally), bounds.text),
      // Where rows differ, each example has its own.
      description: tally.mixed ? '' : cut(tally.description, bounds.text),
      help_url: cut(tally.helpUrl, bounds.url),
      ...wcagOf(tally.tags),
      best_practice: tally.bestPractice,
      about_people: tally.aboutPeople,
      issues: tally.issues,
      elements: groups.reduce((sum, one) => sum + elementsOf(one), 0),
      pages: tally.pages.size,
      templates_total: groups.length,
      templates: groups.slice(0, shown.get(tally) ?? 0).map(group),
    };
  });
  let templates = 0;
  let peopleTemplates = 0;
  let elements = 0;
  for (const tally of tallies) {
    templates += tally.groups.size;
    if (tally.aboutPeople) peopleTemplates += tally.groups.size;
    for (const one of tally.groups.values()) elements += elementsOf(one);
  }
  return { rules, templates, peopleTemplates, elements };
}

/** Each rule shows its first templates; when all are shown there may be no room left for the last ones of minor rules. */
function allot(tallies: readonly RuleTally[]): Map<RuleTally, number> {
  let left: number = bounds.templates;
  return new Map(
    tallies.slice(0, bounds.rules).map((tally, index, all) => {
      const laterRules = all.length - index - 1;
      const count = Math.max(1, Math.min(tally.groups.size, bounds.templatesPerRule, left - laterRules));
      left -= count;
      return [tally, count];
    }),
  );
}

/** Where each place has a message of its own, none of them is the rule's: `close-order` is `Close order`. */
function ruleName({ ruleId, mixed }: RuleTally): string {
  if (!mixed) return '';
  const words = ruleId.replaceAll('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function ruleOrder(a: RuleTally, b: RuleTally): number {
  return (
    Number(b.aboutPeople) - Number(a.aboutPeople) ||
    severity(a.impact) - severity(b.impact) ||
    Number(a.bestPractice) - Number(b.bestPractice) ||
    b.pages.size - a.pages.size ||
    b.issues - a.issues ||
    (a.auditType + a.ruleId < b.auditType + b.ruleId ? -1 : 1)
  );
}

function groupOrder(a: GroupTally, b: GroupTally): number {
  return (
    severity(a.impact) - severity(b.impact) ||
    b.pages.size - a.pages.size ||
    b.issues - a.issues ||
    (a.id < b.id ? -1 : 1)
  );
}

/** None where there was nothing to compare with. */
function stateOf({ persisting, fresh }: GroupTally): { state?: ChangeState } {
  if (persisting > 0) return { state: 'persisting' };
  return fresh > 0 ? { state: 'new' } : {};
}

function severity(impact: Impact): number {
  return impacts.indexOf(impact);
}

function firstUrls(numbers: ReadonlySet<number>, pages: PageStore): string[] {
  const first: string[] = [];
  for (const number of numbers) {
    const url = pages.urlOf(number);
    const at = first.findIndex((other) => shorter(url, other));
    if (at === -1 && first.length >= bounds.pageUrls) continue;
    first.splice(at === -1 ? first.length : at, 0, url);
    if (first.length > bounds.pageUrls) first.pop();
  }
  return first.map((url) => cut(url, bounds.url));
}

function shorter(a: string, b: string): boolean {
  return a.length === b.length ? a < b : a.length < b.length;
}

/** axe's tags name success criteria as `wcag143`, and levels as `wcag2aa`. */
function wcagOf(tags: string): { wcag: string[]; level: string } {
  const wcag = [...tags.matchAll(/\bwcag(\d)(\d)(\d{1,2})\b/g)].map(([, a, b, c]) => `${a}.${b}.${c}`);
  const level = /\bwcag2\d?(a{1,3})\b/.exec(tags)?.[1]?.toUpperCase() ?? '';
  return { wcag: [...new Set(wcag)].slice(0, 10), level };
}
