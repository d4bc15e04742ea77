import { join } from 'node:path';
import { writeFileAtomic } from '../../../platform/files/files.ts';
import { readCsv } from '../../results/csv-reader.ts';
import { type CsvRow, formatCsv } from './csv-rows.ts';

const SOURCE = 'axe_core_audit.csv';
export const TEMPLATE_AWARE_FILE = 'axe_core_audit_template_aware.csv';

type CsvCells = readonly string[];

interface IssueGroup {
  first: CsvCells;
  issues: number;
  pages: number;
  lastPage: string;
}

/**
 * Writes the table that CWAC adds at the end of a scan: one row for the same issue on many pages, with the sum of the issues.
 * Rows of pages without issues stay. Unlike in CWAC, `num_pages` is the number of pages.
 */
export async function writeTemplateAwareTable(dir: string): Promise<void> {
  const groups = new Map<string, IssueGroup>();
  let columns: readonly string[] = [];
  await readCsv(join(dir, SOURCE), (header) => {
    columns = header;
    return (cells) => addToGroup(groups, header, cells);
  });
  if (groups.size === 0) return;
  const rows = [...groups.values()].toSorted(compareGroups(columns)).map((group) => toGroupRow(columns, group));
  // CWAC writes this table with pandas, so its lines end with \n and not with \r\n.
  await writeFileAtomic(join(dir, TEMPLATE_AWARE_FILE), formatCsv(rows, true, '\n'), 0o644);
}

/** Rows with equal values in these columns are one issue of a template. */
const groupColumns = ['base_url', 'id', 'html', 'viewport_size'];

function addToGroup(groups: Map<string, IssueGroup>, columns: readonly string[], cells: CsvCells): void {
  const cell = (column: string) => cells[columns.indexOf(column)] ?? '';
  const issues = Number(cell('num_issues')) || 0;
  const page = cell('page_id');
  // Each page without issues is its own group.
  const key = issues > 0 ? groupColumns.map(cell).join('\0') : `\0${cell('audit_id')}`;
  const group = groups.get(key) ?? { first: cells, issues: 0, pages: 0, lastPage: '' };
  group.issues += issues;
  // The rows of a page are adjacent.
  if (issues > 0 && group.lastPage !== page) group.pages++;
  group.lastPage = page;
  groups.set(key, group);
}

function toGroupRow(columns: readonly string[], { first, issues, pages }: IssueGroup): CsvRow {
  const row: Record<string, string | number> = {};
  for (const [index, column] of columns.entries()) {
    if (column === 'num_issues') row['num_pages'] = pages;
    row[column] = column === 'num_issues' ? issues : (first[index] ?? '');
  }
  return row;
}

function compareGroups(columns: readonly string[]): (a: IssueGroup, b: IssueGroup) => number {
  const keys = ['organisation', 'base_url', 'url'].map((column) => columns.indexOf(column));
  return (a, b) => {
    if (a.issues !== b.issues) return b.issues - a.issues;
    const differing = keys.find((key) => a.first[key] !== b.first[key]);
    return differing === undefined ? 0 : (a.first[differing] ?? '') < (b.first[differing] ?? '') ? -1 : 1;
  };
}
