import type { BrowserPool } from '../platform/browser/browser-pool.ts';
import { Failure } from '../platform/errors.ts';
import { previousScans } from './previous.ts';
import { type WrittenReport, writeReport } from './report/write.ts';
import { completeScan, type ScanRoom } from './scans.ts';

const WITHIN_MS = 120_000;

interface ReportWishes {
  pdf: boolean;
  browsers(): Promise<BrowserPool>;
  signal: AbortSignal;
  withinMs?: number;
}

export interface GeneratedReport extends WrittenReport {
  /** The results folders of the scans that it was compared with. */
  previous: string[];
}

/** Writes the reports of a scan that has ended, all of them within one limit of time. */
export async function generateReport(
  room: ScanRoom,
  scanId: string,
  { pdf, browsers, signal, withinMs = WITHIN_MS }: ReportWishes,
): Promise<GeneratedReport> {
  const { resultsDir, duration, cutShort } = await completeScan(room, scanId);
  const limit = AbortSignal.timeout(withinMs);
  try {
    const previous = await previousScans(room, resultsDir);
    const written = await writeReport(resultsDir, {
      formats: ['json', 'leaderboard', 'html', 'sarif', 'junit', ...(pdf ? (['pdf'] as const) : [])],
      previous,
      run: { engine: room.engine.name, duration, cutShort },
      signal: AbortSignal.any([signal, limit]),
      browsers,
    });
    return { ...written, previous: previous.map(({ dir }) => dir) };
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted)
      throw new Failure(
        'unavailable',
        'REPORT_TIMEOUT',
        `Report generation timed out after ${withinMs / 1000} seconds`,
        {},
        { cause: error },
      );
    if (!(error instanceof Failure)) throw error;
    throw new Failure(
      error.kind,
      'REPORT_FAILED',
      `Report generation failed: ${error.message}`,
      { ...error.details },
      { cause: error },
    );
  }
}
