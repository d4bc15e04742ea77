import { picturePath } from '../results/details.ts';
import { type Finding, type Impact, worse } from '../results/finding.ts';
import type { Identity } from '../results/fingerprint.ts';
import { isAboutPeople } from './in-report.ts';
import { bounds, cut, type Example } from './model.ts';

/** What is collected of one template while rows pass by. */
export interface GroupTally {
  id: string;
  label: string;
  impact: Impact;
  issues: number;
  byViewport: Map<string, number>;
  pages: Set<number>;
  examples: Example[];
  fresh: number;
  persisting: number;
}

export interface RuleTally {
  ruleId: string;
  auditType: string;
  impact: Impact;
  help: string;
  description: string;
  helpUrl: string;
  tags: string;
  bestPractice: boolean;
  aboutPeople: boolean;
  /** Its rows say different things. */
  mixed: boolean;
  issues: number;
  pages: Set<number>;
  groups: Map<string, GroupTally>;
}

export interface GroupStore {
  rules: ReadonlyMap<string, RuleTally>;
  add(row: Finding, identity: Identity, page: number): GroupTally;
}

/** A site that names each element differently must not fill the memory; what comes after shares one group per rule. */
const maxGroups = 20_000;

/** `pictured` are the issues that there is a picture of: they make the better examples. */
export function createGroupStore(pictured: ReadonlySet<string> = new Set()): GroupStore {
  const rules = new Map<string, RuleTally>();
  let groups = 0;

  const ruleOf = (row: Finding): RuleTally => {
    const key = `${row.auditType}\0${row.ruleId}`;
    let rule = rules.get(key);
    if (!rule) {
      rule = {
        ruleId: cut(row.ruleId, 120),
        auditType: row.auditType,
        impact: row.impact,
        help: '',
        description: '',
        helpUrl: '',
        tags: '',
        bestPractice: row.bestPractice,
        aboutPeople: isAboutPeople(row),
        mixed: false,
        issues: 0,
        pages: new Set(),
        groups: new Map(),
      };
      rules.set(key, rule);
    }
    // The smallest text, where rows differ, so that the order of rows does not matter.
    rule.mixed ||= rule.description !== '' && row.description !== '' && rule.description !== row.description;
    rule.help = lesser(rule.help, row.help);
    rule.description = lesser(rule.description, row.description);
    rule.helpUrl = lesser(rule.helpUrl, row.helpUrl);
    rule.tags ||= row.tags;
    rule.impact = worse(rule.impact, row.impact);
    return rule;
  };

  return {
    rules,
    add(row, { template, fingerprint }, page) {
      const rule = ruleOf(row);
      rule.issues += row.weight;
      rule.pages.add(page);
      let group = rule.groups.get(template.key);
      if (!group) {
        const full = groups >= maxGroups;
        const id = full ? `${row.auditType}-${row.ruleId}-others` : template.key;
        const label = full ? 'many other elements' : template.label;
        group = full ? rule.groups.get(id) : undefined;
        if (!group) {
          groups++;
          group = emptyGroup(id, label, row.impact);
          rule.groups.set(id, group);
        }
      }
      group.issues += row.weight;
      group.impact = worse(group.impact, row.impact);
      group.byViewport.set(row.viewport, (group.byViewport.get(row.viewport) ?? 0) + row.weight);
      group.pages.add(page);
      keepExample(group.examples, row, fingerprint, pictured.has(row.issueId));
      return group;
    },
  };
}

/** An element shows its fault at each viewport: the viewport with the most has seen nearly all of them. */
export function elementsOf(group: GroupTally): number {
  return Math.max(0, ...group.byViewport.values());
}

function emptyGroup(id: string, label: string, impact: Impact): GroupTally {
  return {
    id,
    label,
    impact,
    issues: 0,
    byViewport: new Map(),
    pages: new Set(),
    examples: [],
    fresh: 0,
    persisting: 0,
  };
}

/** Keeps the few examples that come first in an order of their own, one for each distinct fault. */
function keepExample(examples: Example[], row: Finding, fingerprint: string, pictured: boolean): void {
  const screenshot = pictured ? picturePath(row.issueId) : '';
  const place = { url: row.url, target: row.target, viewport: row.viewport, screenshot };
  const same = examples.findIndex((example) => example.fingerprint === fingerprint);
  const before = examples[same];
  if (before) {
    if (!comesFirst(place, before)) return;
    examples.splice(same, 1);
  } else if (examples.length >= bounds.examples) {
    const last = examples.at(-1);
    if (!last || !comesFirst(place, last)) return;
    examples.pop();
  }
  const at = examples.findIndex((example) => comesFirst(place, example));
  examples.splice(at === -1 ? examples.length : at, 0, {
    fingerprint,
    url: cut(row.url, bounds.url),
    html: cut(row.html, bounds.html),
    target: cut(row.target, bounds.target),
    viewport: cut(row.viewport, 60),
    description: cut(row.description, bounds.text),
    failure_summary: cut(row.failureSummary, bounds.text),
    issue_id: cut(row.issueId, 80),
    selector: '',
    screenshot,
  });
}

type Place = Pick<Example, 'url' | 'target' | 'viewport' | 'screenshot'>;

function comesFirst(a: Place, b: Place): boolean {
  if ((a.screenshot === '') !== (b.screenshot === '')) return a.screenshot !== '';
  if (a.url.length !== b.url.length) return a.url.length < b.url.length;
  if (a.url !== b.url) return a.url < b.url;
  if (a.target !== b.target) return a.target < b.target;
  return a.viewport < b.viewport;
}

function lesser(a: string, b: string): string {
  if (a === '' || b === '') return a || b;
  return a <= b ? a : b;
}
