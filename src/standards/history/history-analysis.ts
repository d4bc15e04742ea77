/** What an analysis found, in words and as data. */
export interface HistoryAnalysis {
  status: 'ok' | 'insufficient_data';
  lines: string[];
  data: Record<string, unknown>;
}
