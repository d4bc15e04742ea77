import type { BrowserPool } from '../platform/browser/browser-pool.ts';
import { Failure } from '../platform/errors.ts';
import { findPreviousScans } from './previous-scans.ts';
import { type WrittenReport, writeScanReports } from './report/write-reports.ts';
import { requireEndedScan, type ScanServices } from './scans.ts';

const TIME_LIMIT_MS = 120_000;

interface ReportRequest {
  pdf: boolean;
  browsers(): Promise<BrowserPool>;
  signal: AbortSignal;
  timeLimitMs?: number;
}

export interface GeneratedReport extends WrittenReport {
  /** Results folders of the scans that it was compared with. */
  previousDirs: string[];
}

/** Writes all reports of an ended scan within one time limit. Throws REPORT_TIMEOUT or REPORT_FAILED. */
export async function generateScanReport(
  services: ScanServices,
  scanId: string,
  { pdf, browsers, signal, timeLimitMs: withinMs = TIME_LIMIT_MS }: ReportRequest,
): Promise<GeneratedReport> {
  const { resultsDir, duration, cutShort } = await requireEndedScan(services, scanId);
  const limit = AbortSignal.timeout(withinMs);
  try {
    const previous = await findPreviousScans(services, resultsDir);
    const written = await writeScanReports(resultsDir, {
      formats: ['json', 'leaderboard', 'html', 'sarif', 'junit', ...(pdf ? (['pdf'] as const) : [])],
      previous,
      run: { engine: services.engine.name, duration, cutShort },
      signal: AbortSignal.any([signal, limit]),
      browsers,
    });
    await services.archive?.addReports(scanId, resultsDir, written.files);
    return { ...written, previousDirs: previous.map(({ dir }) => dir) };
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
