import { type Finding, type Impact, impacts } from '../results/finding.ts';
import { isAboutPeople } from './in-report.ts';
import { bounds, cut, type PageIssues } from './model.ts';

interface PageTally {
  title: string;
  visited: boolean;
  issues: number;
  byImpact: Record<Impact, number> | undefined;
  peopleByImpact: Record<Impact, number> | undefined;
}

export interface PageStore {
  visited(row: Finding): void;
  /** Counts a fault on its page, and gives the page's number. */
  fault(row: Finding): number;
  urls(): ReadonlySet<string>;
  urlOf(page: number): string;
  withIssues(): { all: number; people: number };
  /** Pages with a fault that no audit has seen: they could not be opened. */
  unseen(): ReadonlySet<string>;
  top(): { page: number; issues: PageIssues }[];
}

export function createPageStore(): PageStore {
  const numbers = new Map<string, number>();
  const urls: string[] = [];
  const tallies: PageTally[] = [];
  const open = (row: Finding): [number, PageTally] => {
    const number = numbers.get(row.url) ?? urls.length;
    const tally = tallies[number];
    if (tally) return [number, tally];
    const created: PageTally = {
      title: cut(row.pageTitle, 200),
      visited: false,
      issues: 0,
      byImpact: undefined,
      peopleByImpact: undefined,
    };
    numbers.set(row.url, number);
    urls.push(row.url);
    tallies.push(created);
    return [number, created];
  };
  return {
    visited(row) {
      const [, tally] = open(row);
      tally.visited = true;
      tally.title ||= cut(row.pageTitle, 200);
    },
    fault(row) {
      const [number, tally] = open(row);
      tally.issues += row.weight;
      tally.byImpact ??= noImpacts();
      tally.byImpact[row.impact] += row.weight;
      if (isAboutPeople(row)) {
        tally.peopleByImpact ??= noImpacts();
        tally.peopleByImpact[row.impact] += row.weight;
      }
      return number;
    },
    urls: () => new Set(urls.filter((_, number) => tallies[number]?.visited)),
    urlOf: (page) => urls[page] ?? '',
    withIssues() {
      const faulty = tallies.filter((tally) => tally.visited && tally.issues > 0);
      return { all: faulty.length, people: faulty.filter((tally) => tally.peopleByImpact).length };
    },
    unseen: () => new Set(urls.filter((_, number) => !tallies[number]?.visited)),
    top() {
      const order = tallies.flatMap((tally, page) => (tally.visited && tally.issues > 0 ? [{ tally, page }] : []));
      order.sort((a, b) => worstFirst(a.tally, b.tally) || ((urls[a.page] ?? '') < (urls[b.page] ?? '') ? -1 : 1));
      return order.slice(0, bounds.topPages).map(({ tally, page }) => ({
        page,
        issues: {
          url: cut(urls[page] ?? '', bounds.url),
          title: tally.title,
          issues: tally.issues,
          issues_by_impact: tally.byImpact ?? noImpacts(),
          people_by_impact: tally.peopleByImpact ?? noImpacts(),
        },
      }));
    },
  };
}

function worstFirst(a: PageTally, b: PageTally): number {
  for (const impact of impacts) {
    const difference = (b.peopleByImpact?.[impact] ?? 0) - (a.peopleByImpact?.[impact] ?? 0);
    if (difference !== 0) return difference;
  }
  return b.issues - a.issues;
}

export function noImpacts(): Record<Impact, number> {
  return { critical: 0, serious: 0, moderate: 0, minor: 0, unknown: 0 };
}
