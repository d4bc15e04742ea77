import { formatCsvLine } from '../../platform/reports/csv.ts';
import type { SiteScore } from './report-model.ts';

const columns = [
  'organisation',
  'base_url',
  'num_pages_scanned',
  'num_issues',
  'average_num_issues_per_page',
  'percentile',
] as const;

/** Renders CWAC's leaderboard with its columns, byte order mark and line ends, so that existing spreadsheets keep working. */
export function renderLeaderboard(sites: readonly SiteScore[]): string {
  const rows = sites.map((site) => columns.map((column) => site[column] ?? ''));
  return `\uFEFF${[columns, ...rows].map(formatCsvLine).join('\r\n')}\r\n`;
}
