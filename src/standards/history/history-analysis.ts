/** The result of an analysis as text lines and as data. */
export interface HistoryAnalysis {
  status: 'ok' | 'insufficient_data';
  lines: string[];
  data: Record<string, unknown>;
}
