import type { SiteScore } from './model.ts';

const columns = [
  'organisation',
  'base_url',
  'num_pages_scanned',
  'num_issues',
  'average_num_issues_per_page',
  'percentile',
] as const;

/** CWAC's leaderboard, with its columns, byte order mark and line ends, so that its users' spreadsheets go on working. */
export function renderLeaderboard(sites: readonly SiteScore[]): string {
  const rows = sites.map((site) => columns.map((column) => field(site[column])));
  return `\uFEFF${[columns, ...rows].map((cells) => cells.join(',')).join('\r\n')}\r\n`;
}

function field(value: string | number | undefined): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value);
  // A spreadsheet must not take a name for a formula.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
