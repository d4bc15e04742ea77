import type { RowReader } from './csv-reader.ts';

export const issueImpacts = ['critical', 'serious', 'moderate', 'minor', 'unknown'] as const;

export type IssueImpact = (typeof issueImpacts)[number];

/** A row of an audit table, with the same field names for both engines. */
export interface AuditFinding {
  auditType: string;
  url: string;
  ruleId: string;
  impact: IssueImpact;
  description: string;
  help: string;
  helpUrl: string;
  html: string;
  target: string;
  organisation: string;
  baseUrl: string;
  pageTitle: string;
  /** Name of the viewport, or its size. */
  viewport: string;
  issueId: string;
  tags: string;
  failureSummary: string;
  bestPractice: boolean;
  /** Number of issues that the row stands for; 0 for a page without issues. */
  weight: number;
  /** Outcome of the visit; empty when the table has no such column. */
  outcome: string;
  /** Page that links to it; empty when the table has no such column. */
  parentUrl: string;
}

const columnAliases = {
  url: ['url'],
  ruleId: ['rule_id', 'id', 'ruleId'],
  impact: ['impact'],
  description: ['description'],
  help: ['help'],
  helpUrl: ['help_url', 'helpUrl'],
  html: ['html', 'element_html'],
  target: ['target'],
  organisation: ['organisation'],
  baseUrl: ['base_url'],
  pageTitle: ['page_title'],
  auditId: ['audit_id'],
  viewportSize: ['viewport_size'],
  issueId: ['issue_id'],
  tags: ['tags'],
  failureSummary: ['failure_summary', 'failureSummary'],
  bestPractice: ['best-practice'],
  weight: ['num_issues'],
  outcome: ['outcome'],
  parentUrl: ['parent_url'],
  overflow: ['overflow_amount_px'],
} satisfies Record<string, readonly string[]>;

type FindingField = keyof typeof columnAliases;

/** Returns the columns that only some audits have: line of an HTML error, reading grade, screenshot file. */
export type ExtraColumns = () => Record<string, string>;

const auditSpecificFields: readonly FindingField[] = ['outcome', 'parentUrl', 'overflow'];
const commonColumns: ReadonlySet<string> = new Set([
  'sector',
  'page_id',
  'audit_type',
  ...typedEntries(columnAliases).flatMap(([field, names]) => (auditSpecificFields.includes(field) ? [] : names)),
]);

/** Creates a reader that turns the rows of a table with this header into findings. */
export function createFindingReader(
  auditType: string,
  header: readonly string[],
  take: (row: AuditFinding, more: ExtraColumns) => void,
): RowReader {
  const at = new Map<FindingField, number>();
  for (const [field, names] of typedEntries(columnAliases)) {
    const index = names.map((name) => header.indexOf(name)).find((position) => position >= 0);
    if (index !== undefined) at.set(field, index);
  }
  const hasWeight = at.has('weight');
  const fallbackRule = auditType.replace(/_audit$/, '').replaceAll('_', '-');
  return (cells) => {
    const cell = (field: FindingField) => cells[at.get(field) ?? -1] ?? '';
    const overflow = cell('overflow');
    const finding: AuditFinding = {
      auditType,
      url: cell('url'),
      ruleId: cell('ruleId') || fallbackRule,
      impact: parseImpact(cell('impact')),
      description: cell('description') || describeOverflow(overflow),
      help: cell('help'),
      helpUrl: cell('helpUrl'),
      html: cell('html'),
      target: cell('target'),
      organisation: cell('organisation'),
      baseUrl: cell('baseUrl'),
      pageTitle: cell('pageTitle'),
      viewport: parseViewportName(cell('auditId')) || cell('viewportSize'),
      issueId: cell('issueId'),
      tags: cell('tags'),
      failureSummary: cell('failureSummary'),
      bestPractice: cell('bestPractice') === 'Yes',
      weight: hasWeight ? parseWeight(cell('weight')) : 1,
      outcome: cell('outcome'),
      parentUrl: cell('parentUrl'),
    };
    take(finding, () => extraColumns(header, cells));
  };
}

function extraColumns(header: readonly string[], cells: readonly string[]): Record<string, string> {
  const named = header.map((name, index): [string, string] => [name, cells[index] ?? '']);
  return Object.fromEntries(named.filter(([name, value]) => value !== '' && !commonColumns.has(name)));
}

function parseWeight(text: string): number {
  const trimmed = text.trim();
  const number = trimmed === '' ? 1 : Number(trimmed);
  return Number.isFinite(number) && number >= 0 ? Math.min(Math.trunc(number), 1e9) : 1;
}

function parseImpact(text: string): IssueImpact {
  const lower = text.trim().toLowerCase();
  return issueImpacts.find((impact) => impact === lower) ?? 'unknown';
}

export function worseImpact(a: IssueImpact, b: IssueImpact): IssueImpact {
  return issueImpacts.indexOf(a) <= issueImpacts.indexOf(b) ? a : b;
}

/** CWAC's `audit_id` is `<page>_<viewport name>`. `viewport_size` is unreliable, because audits resize the window. */
function parseViewportName(auditId: string): string {
  return /^\d+_(.+)$/.exec(auditId)?.[1] ?? '';
}

/** CWAC scrolls at most 100 pixels, so this is the maximum of its column. */
const MAX_OVERFLOW_PX = 100;

function describeOverflow(pixels: string): string {
  if (pixels === '') return '';
  const amount = Number(pixels) >= MAX_OVERFLOW_PX ? `${pixels} px or more` : `${pixels} px`;
  return `Content overflows the window by ${amount}: people who zoom in must scroll horizontally.`;
}

function typedEntries<K extends string, V>(record: Record<K, V>): [K, V][] {
  const entries: [K, V][] = [];
  for (const key in record) entries.push([key, record[key]]);
  return entries;
}
