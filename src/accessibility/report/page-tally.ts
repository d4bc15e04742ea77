import { type AuditFinding, type IssueImpact, issueImpacts } from '../results/audit-finding.ts';
import { isAboutPeople } from './report-finding.ts';
import { accessibilityReportLimits, type PageIssues, truncateText } from './report-model.ts';

interface PageTally {
  title: string;
  isVisited: boolean;
  issues: number;
  byImpact: Record<IssueImpact, number> | undefined;
  peopleByImpact: Record<IssueImpact, number> | undefined;
}

export interface PageTallies {
  addVisit(row: AuditFinding): void;
  /** Counts an issue on its page and returns the page's number. */
  addIssue(row: AuditFinding): number;
  urls(): ReadonlySet<string>;
  urlOf(page: number): string;
  countWithIssues(): { all: number; people: number };
  /** Pages with an issue that no audit has tested, because they could not be opened. */
  unopened(): ReadonlySet<string>;
  worstPages(): { page: number; issues: PageIssues }[];
}

export function createPageTallies(): PageTallies {
  const numbers = new Map<string, number>();
  const urls: string[] = [];
  const tallies: PageTally[] = [];
  const open = (row: AuditFinding): [number, PageTally] => {
    const number = numbers.get(row.url) ?? urls.length;
    const tally = tallies[number];
    if (tally) return [number, tally];
    const created: PageTally = {
      title: truncateText(row.pageTitle, 200),
      isVisited: false,
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
    addVisit(row) {
      const [, tally] = open(row);
      tally.isVisited = true;
      tally.title ||= truncateText(row.pageTitle, 200);
    },
    addIssue(row) {
      const [number, tally] = open(row);
      tally.issues += row.weight;
      tally.byImpact ??= zeroImpacts();
      tally.byImpact[row.impact] += row.weight;
      if (isAboutPeople(row)) {
        tally.peopleByImpact ??= zeroImpacts();
        tally.peopleByImpact[row.impact] += row.weight;
      }
      return number;
    },
    urls: () => new Set(urls.filter((_, number) => tallies[number]?.isVisited)),
    urlOf: (page) => urls[page] ?? '',
    countWithIssues() {
      const withIssuesOnly = tallies.filter((tally) => tally.isVisited && tally.issues > 0);
      return { all: withIssuesOnly.length, people: withIssuesOnly.filter((tally) => tally.peopleByImpact).length };
    },
    unopened: () => new Set(urls.filter((_, number) => !tallies[number]?.isVisited)),
    worstPages() {
      const order = tallies.flatMap((tally, page) => (tally.isVisited && tally.issues > 0 ? [{ tally, page }] : []));
      order.sort((a, b) => compareSeverity(a.tally, b.tally) || ((urls[a.page] ?? '') < (urls[b.page] ?? '') ? -1 : 1));
      return order.slice(0, accessibilityReportLimits.topPages).map(({ tally, page }) => ({
        page,
        issues: {
          url: truncateText(urls[page] ?? '', accessibilityReportLimits.url),
          title: tally.title,
          issues: tally.issues,
          issues_by_impact: tally.byImpact ?? zeroImpacts(),
          people_by_impact: tally.peopleByImpact ?? zeroImpacts(),
        },
      }));
    },
  };
}

function compareSeverity(a: PageTally, b: PageTally): number {
  for (const impact of issueImpacts) {
    const difference = (b.peopleByImpact?.[impact] ?? 0) - (a.peopleByImpact?.[impact] ?? 0);
    if (difference !== 0) return difference;
  }
  return b.issues - a.issues;
}

export function zeroImpacts(): Record<IssueImpact, number> {
  return { critical: 0, serious: 0, moderate: 0, minor: 0, unknown: 0 };
}
